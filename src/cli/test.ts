/** `crosshook test [NAME]`: runs the cases beside each hook. */

import { readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { CASES_FILE, hasCases } from '../cases/case-file.ts'
import { assemble } from '../host/assemble.ts'
import { CrosshookError } from '../spec/errors.ts'
import { type CaseResult, runCases } from '../testing/run-cases.ts'
import { hooksNamed } from './named-hooks.ts'
import { type Arguments, isDebug } from './options.ts'
import { err } from './output.ts'
import { type Painter, painter } from './paint.ts'
import { duration, plural, print, printJson, warn } from './print.ts'
import { progress } from './progress.ts'
import { visible } from './visible.ts'

interface Tested {
  hook: string
  folder: string
  cases: CaseResult[]
  /** Why the cases could not be run, and what to do. */
  error?: { message: string; fix: string }
}

export async function run(args: Arguments): Promise<number> {
  const paint = painter(1)
  const say = args.flag('json') ? () => {} : print
  const tested: Tested[] = []
  for (const { hook, folder } of await foldersOf(args)) {
    say(`${paint.bold(visible(hook))}\n`)
    const one = await test(
      { hook, folder },
      { debug: isDebug(args), ended: (result) => say(caseWords(result, paint)) },
    )
    if (one.error) say(`  ${paint.red('✗')} ${visible(one.error.message)}\n    ${visible(one.error.fix)}\n`)
    tested.push(one)
  }
  const cases = tested.flatMap((one) => one.cases)
  const passed = cases.filter((each) => each.passed).length
  const failed = cases.length - passed
  const untested = tested.filter(({ error }) => error !== undefined).length
  // A run that tested nothing is not a success.
  const ok = failed + untested === 0 && cases.length > 0
  if (args.flag('json')) printJson({ ok, passed, failed, untested, hooks: tested })
  else if (tested.length > 0) {
    const words = [
      ...(failed > 0 ? [paint.red(`${plural(failed, 'case')} failed`)] : []),
      ...(untested > 0 ? [paint.red(`${plural(untested, 'hook')} could not be tested`)] : []),
      paint.green(`${plural(passed, 'case')} passed`),
    ]
    print(`\n${words.join(', ')}\n`)
  }
  if (cases.length === 0 && untested === 0) warn('nothing was tested')
  return ok ? 0 : 1
}

async function test(
  { hook, folder }: { hook: string; folder: string },
  { debug, ended }: { debug: boolean; ended: (result: CaseResult) => void },
): Promise<Tested> {
  const line = progress()
  const text = `testing ${hook}`
  line.show(text)
  try {
    const cases = await runCases(folder, {
      ...(debug ? { debug: (each: string) => err(`${visible(each)}\n`) } : {}),
      ended(result) {
        line.clear()
        ended(result)
        line.show(text)
      },
    })
    return { hook, folder, cases }
  } catch (error) {
    if (!(error instanceof CrosshookError)) throw error
    return { hook, folder, cases: [], error: { message: error.message, fix: error.fix } }
  } finally {
    line.clear()
  }
}

/** A hook's name, a folder, or every hook of this project and user that has cases. */
async function foldersOf(args: Arguments): Promise<{ hook: string; folder: string }[]> {
  const [name] = args.words
  if (name !== undefined && isFolder(name)) return below(resolve(name))
  const runtime = assemble({ env: args.env, source: 'cli' })
  const { hooks, problems } = await runtime.hookSet(process.cwd())
  const own = hooks.filter((hook) => hook.origin.dir !== undefined)
  await runtime.close()
  if (name !== undefined) {
    const broken = problems.find((problem) => problem.level === 'error' && problem.hook === name)
    if (broken && !own.some((hook) => hook.name === name))
      throw new CrosshookError('invalid_hooks', `${broken.file}: ${broken.message}`, { fix: broken.fix })
    return hooksNamed(name, own).map((hook) => ({ hook: hook.name, folder: hook.origin.dir! }))
  }
  const withCases = own.filter((hook) => hasCases(hook.origin.dir!))
  if (withCases.length === 0)
    warn(`no hook here has a ${CASES_FILE}; \`crosshook new NAME\` makes one to start from`)
  // A cloned repository must not run code because somebody tests their own hooks in it; naming the hook is consent.
  const waiting = withCases.filter(
    (hook) => hook.scope === 'project' && runtime.trust.state(hook) !== 'trusted',
  )
  for (const hook of waiting)
    warn(`${hook.name} is left out: it is not trusted. \`crosshook test ${hook.name}\` runs it all the same.`)
  return withCases
    .filter((hook) => !waiting.includes(hook))
    .map((hook) => ({ hook: hook.name, folder: hook.origin.dir! }))
}

/** The folder of a hook, or those of its children that have cases. */
function below(folder: string): { hook: string; folder: string }[] {
  const children = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter(hasCases)
  const folders = hasCases(folder) || children.length === 0 ? [folder] : children
  return folders.map((each) => ({ hook: basename(each), folder: each }))
}

/** A plain word is a hook's name. */
function isFolder(path: string): boolean {
  return (
    (path.includes('/') || path === '.') && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  )
}

function caseWords(
  { name, passed, differences, step, duration_ms, result }: CaseResult,
  paint: Painter,
): string {
  const head = `  ${passed ? paint.green('✓') : paint.red('✗')} ${visible(name)} ${paint.dim(duration(duration_ms))}\n`
  if (passed) return head
  const at = step === undefined ? '' : `    at step ${step}:\n`
  const lines = differences.map(
    ({ field, expected, got }) =>
      `    ${field}\n      expected ${paint.green(shown(expected))}\n      got      ${paint.red(shown(got))}\n`,
  )
  const [hook] = result.hooks
  const error =
    hook?.error && !differences.some(({ field }) => field === 'error')
      ? `    the hook failed: ${visible(hook.error)}\n`
      : ''
  return head + at + lines.join('') + error
}

function shown(value: unknown): string {
  return visible(JSON.stringify(value) ?? 'nothing')
}
