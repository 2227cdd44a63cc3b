/**
 * `npm run bench:guards -- FILE…`: how much of what must be stopped is stopped, and how much of what must pass passes.
 * `--failures` lists what went wrong, `--level strict|all` takes other guards, `--markdown` prints the table for docs.
 */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type GuardCase, makeFolders, readGuardCases } from './guards/cases.ts'
import { galleryJudge, guardsOfLevel, type Judge, rivalJudge, type Verdict } from './guards/judges.ts'

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    failures: { type: 'boolean' },
    markdown: { type: 'boolean' },
    'no-rivals': { type: 'boolean' },
    level: { type: 'string', default: 'default' },
  },
})
if (files.length === 0) {
  console.error(
    'usage: npm run bench:guards -- FILE… [--failures] [--markdown] [--level strict|all] [--no-rivals]',
  )
  process.exit(1)
}

const root = fileURLToPath(new URL('..', import.meta.url))
const gallery = join(root, 'gallery')
const folders = makeFolders()
Object.assign(process.env, folders.env)
try {
  const names = { ...folders, program: join(root, 'dist/cli/main.cjs') }
  // Guards know the program that runs them by its path.
  process.argv[1] = names.program
  const cases = files.flatMap((file) => readGuardCases(file, names))
  const judges = [await galleryJudge(gallery, await guardsOfLevel(gallery, values.level), folders)]
  if (!values['no-rivals']) judges.push(await rivalJudge(folders))
  const started = performance.now()
  const results = new Map<Judge, Verdict[]>()
  for (const judge of judges) {
    const verdicts: Verdict[] = []
    for (const given of cases) verdicts.push(await judge.judge(given))
    results.set(judge, verdicts)
    judge.close()
  }
  console.log(tableOf(cases, results))
  if (values.failures) console.log(failuresOf(cases, results.get(judges[0]!)!))
  if (!values.markdown)
    console.log(`\n${cases.length} cases in ${((performance.now() - started) / 1000).toFixed(1)} s`)
} finally {
  folders.remove()
}

interface Counts {
  stop: number
  stopped: number
  denied: number
  pass: number
  passed: number
  asked: number
}

function count(cases: readonly GuardCase[], verdicts: readonly Verdict[], suite?: string): Counts {
  const counts = { stop: 0, stopped: 0, denied: 0, pass: 0, passed: 0, asked: 0 }
  for (const [at, given] of cases.entries()) {
    if (suite !== undefined && given.suite !== suite) continue
    const { decision } = verdicts[at]!
    if (given.expected === 'stop') {
      counts.stop++
      if (decision !== 'allow') counts.stopped++
      if (decision === 'deny') counts.denied++
    } else if (given.expected === 'pass') {
      counts.pass++
      if (decision === 'allow') counts.passed++
      if (decision === 'ask') counts.asked++
    }
  }
  return counts
}

function tableOf(cases: readonly GuardCase[], results: ReadonlyMap<Judge, Verdict[]>): string {
  const suites = [...new Set(cases.map(({ suite }) => suite))]
  const head = ['suite', 'must be stopped', 'must pass']
  for (const { name } of results.keys())
    head.push(
      ...(name === 'crosshook' ? ['stopped', 'denied', 'passed', 'asked'] : [`${name}: stopped`, 'passed']),
    )
  const rows = [...suites, undefined].map((suite) => {
    const row: string[] = []
    for (const [{ name }, verdicts] of results) {
      const counts = count(cases, verdicts, suite)
      if (row.length === 0) row.push(suite ?? 'all', String(counts.stop), String(counts.pass))
      row.push(percent(counts.stopped, counts.stop))
      if (name === 'crosshook') row.push(percent(counts.denied, counts.stop))
      row.push(percent(counts.passed, counts.pass))
      if (name === 'crosshook') row.push(percent(counts.asked, counts.pass))
    }
    return row
  })
  if (values.markdown)
    return [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
      .map((row) => `| ${row.join(' | ')} |`)
      .join('\n')
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]!.length)))
  return [head, ...rows]
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
    )
    .join('\n')
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`
}

function failuresOf(cases: readonly GuardCase[], verdicts: readonly Verdict[]): string {
  const lines: string[] = ['']
  for (const [at, { suite, expected, tool, input }] of cases.entries()) {
    const { decision, by } = verdicts[at]!
    const isWrong = expected === 'stop' ? decision !== 'deny' : expected === 'pass' && decision !== 'allow'
    if (!isWrong) continue
    const what = typeof input.command === 'string' ? input.command : `${tool} ${JSON.stringify(input)}`
    const wrong = expected === 'stop' ? (decision === 'allow' ? 'MISSED' : 'asked') : `WRONG ${decision}`
    lines.push(
      `${wrong.padEnd(10)} ${suite}#${at}${by ? ` (${by})` : ''}: ${what.replaceAll('\n', '⏎').slice(0, 300)}`,
    )
  }
  return lines.join('\n')
}
