/**
 * Takes each behaviour of `proof/` out of a copy of the sources, one at a time, and expects the tests that
 * are named with it to fail. A behaviour without which its tests still pass is not proven: that is an error, and so is
 * an edit whose text is not in the file any more.
 *
 *     node tools/check-proof.ts [word …]     only behaviours whose number or sentence has one of the words
 */

import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { BEHAVIOURS, type Behaviour } from './proof/behaviours.ts'
import { GUARDING } from './proof/guarding.ts'

const root = join(import.meta.dirname, '..')
const COPIES = Math.min(2, availableParallelism())
const RUN_LIMIT_MS = 240_000
/** Tests that `npm test` does not run have settings of their own. */
const SETTINGS: Record<string, string> = { 'test/hub/': 'vitest.hub.config.ts' }
const running = new Set<number>()

const words = process.argv.slice(2)
const chosen = [...BEHAVIOURS, ...GUARDING].filter(
  ({ row, promise }) =>
    words.length === 0 || words.some((word) => word === String(row) || promise.includes(word)),
)
const base = mkdtempSync(join(tmpdir(), 'check-proof-'))
process.on('exit', () => {
  for (const pid of running) process.kill(-pid, 'SIGKILL')
  rmSync(base, { recursive: true, force: true })
})
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

const copies = Array.from({ length: COPIES }, (_, index) => copyTree(join(base, String(index))))
const started = performance.now()
const wrong = [...(await unprovenBefore(copies[0]!)), ...(await mutateAll())]
const seconds = Math.round((performance.now() - started) / 1000)
for (const line of wrong) console.error(`✗ ${line}`)
console.log(`${chosen.length - wrong.length} of ${chosen.length} behaviours are proven (${seconds} s)`)
process.exit(wrong.length === 0 ? 0 : 1)

/** All named tests must pass on the unchanged sources: a test that always fails would prove everything. */
async function unprovenBefore(copy: string): Promise<string[]> {
  const tests = [...new Set(chosen.flatMap(({ red }) => red))]
  const passed = await run(copy, tests, COPIES)
  return tests
    .filter((test) => passed.get(test) !== 'passed')
    .map((test) => `${test}: ${passed.get(test) ?? 'there is no such test'}, without any change`)
}

async function mutateAll(): Promise<string[]> {
  const left = [...chosen]
  const problems: string[] = []
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = left.shift(); next; next = left.shift()) {
        const problem = await mutate(copy, next)
        const name = `${next.row ?? ''} ${next.promise}`.trim()
        if (problem === undefined) console.log(`✓ ${name}`)
        else problems.push(`${name}: ${problem}`)
      }
    }),
  )
  return problems
}

/** What is wrong with the proof; undefined when every named test fails without the behaviour. */
async function mutate(copy: string, { file, find, put, red }: Behaviour): Promise<string | undefined> {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  const times = text.split(find).length - 1
  if (times !== 1) return `${file} has the text to replace ${times} times, not once: ${find}`
  writeFileSync(
    path,
    text.replace(find, () => put),
  )
  try {
    const came = await run(copy, red)
    const green = red.filter((test) => came.get(test) !== 'failed')
    return green.length === 0
      ? undefined
      : `without it these tests do not fail: ${green.map((test) => `${test} (${came.get(test) ?? 'not run'})`).join('; ')}`
  } finally {
    writeFileSync(path, text)
  }
}

/** `file — name` → how it ended; `%s` in a name stands for any text, and one failure among several counts. */
async function run(copy: string, tests: readonly string[], workers = 1): Promise<Map<string, string>> {
  const settingsOf = (test: string) =>
    Object.entries(SETTINGS).find(([folder]) => test.startsWith(folder))?.[1] ?? 'vitest.config.ts'
  const ended = new Map<string, string>()
  for (const [settings, those] of Map.groupBy(tests, settingsOf))
    for (const [test, how] of await runWith(settings, copy, those, workers)) ended.set(test, how)
  return ended
}

async function runWith(
  settings: string,
  copy: string,
  tests: readonly string[],
  workers: number,
): Promise<Map<string, string>> {
  const parts = tests.map((test) => test.split(' — ') as [string, string])
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    `--config=${settings}`,
    '--reporter=json',
    `--outputFile=${report}`,
    `--maxWorkers=${workers}`,
    // Looked for anywhere in the full name, which begins with those of the groups.
    '-t',
    parts.map(([, name]) => patternOf(name)).join('|'),
    ...new Set(parts.map(([file]) => file)),
  ]
  const said = await output(args, copy)
  if (!existsSync(report)) throw new Error(`vitest has written no report:\n${said}`)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const ended = new Map<string, string>()
  for (const [index, test] of tests.entries()) {
    const [file, name] = parts[index]!
    const found = testResults.find((each) => each.name === join(copy, file))
    const pattern = new RegExp(`^${patternOf(name)}$`)
    const all = found?.assertionResults.filter(({ title }) => pattern.test(title)) ?? []
    // A file that does not even load fails all that it holds.
    if (found?.status === 'failed' && found.assertionResults.length === 0) ended.set(test, 'failed')
    else if (all.some(({ status }) => status === 'failed')) ended.set(test, 'failed')
    else if (all.length > 0) ended.set(test, all[0]!.status)
  }
  return ended
}

interface Report {
  testResults: { name: string; status: string; assertionResults: { title: string; status: string }[] }[]
}

function patternOf(name: string): string {
  return name
    .split('%s')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
}

function output(args: readonly string[], cwd: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // A group of its own: at the time limit the processes that run the tests must end too.
  const child = spawn(process.execPath, args, { cwd, detached: true })
  running.add(child.pid!)
  const limit = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), RUN_LIMIT_MS)
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part))
  child.on('error', reject)
  child.on('close', () => {
    clearTimeout(limit)
    running.delete(child.pid!)
    resolve(text)
  })
  return promise
}

/** Everything that git knows or would add; what is installed and built is linked. */
function copyTree(to: string): string {
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  for (const file of files.split('\0').filter((each) => each !== '' && existsSync(join(root, each)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(join(root, file), join(to, file), { verbatimSymlinks: true })
  }
  for (const folder of ['node_modules', 'dist']) symlinkSync(join(root, folder), join(to, folder))
  return to
}
