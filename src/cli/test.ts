/** `crosshook test [NAME]`: the cases written beside each hook. */

import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { createRuntime } from '../runtime/runtime.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { CASES_FILE, hasCases } from '../testing/case-file.ts'
import { type CaseResult, runCases } from '../testing/run-cases.ts'
import { hooksNamed } from './named-hooks.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { duration, plural, print, printJson, warn } from './print.ts'
import { progress } from './progress.ts'
import { visible } from './visible.ts'

interface Tested {
  hook: string
  folder: string
  cases: CaseResult[]
  /** The cases could not be run at all. */
  error?: string
}

export async function run(args: Arguments): Promise<number> {
  const folders = await foldersOf(args)
  const paint = painter(1)
  const json = args.flag('json')
  const tested: Tested[] = []
  const line = progress()
  for (const { hook, folder } of folders) {
    const one: Tested = { hook, folder, cases: [] }
    tested.push(one)
    if (!json) print(`${paint.bold(visible(hook))}\n`)
    line.show(`testing ${hook}`)
    try {
      one.cases = await runCases(folder, (result) => {
        line.clear()
        if (!json) print(caseWords(result, paint))
        line.show(`testing ${hook}`)
      })
    } catch (error) {
      one.error = messageOf(error)
      line.clear()
      if (!json)
        print(
          `  ${paint.red('✗')} ${visible(one.error)}\n${error instanceof CrosshookError ? `    ${visible(error.fix)}\n` : ''}`,
        )
    }
    line.clear()
  }
  const all = tested.flatMap(({ cases }) => cases)
  const failed =
    all.filter(({ passed }) => !passed).length + tested.filter(({ error }) => error !== undefined).length
  if (json)
    printJson({
      ok: failed === 0,
      passed: all.length - all.filter(({ passed }) => !passed).length,
      failed,
      hooks: tested,
    })
  else if (tested.length > 0)
    print(
      `\n${failed === 0 ? paint.green(`${plural(all.length, 'case')} passed`) : paint.red(`${failed} of ${plural(Math.max(all.length, failed), 'case')} failed`)}\n`,
    )
  return failed === 0 ? 0 : 1
}

/** A hook's name, its folder, or every hook of this project and user that has cases. */
async function foldersOf(args: Arguments): Promise<{ hook: string; folder: string }[]> {
  const [name] = args.words
  if (name !== undefined && isFolder(name)) return [{ hook: basename(resolve(name)), folder: resolve(name) }]
  const runtime = createRuntime({ source: 'cli' })
  const { hooks, problems } = await runtime.hookSet(process.cwd())
  const own = hooks.filter((hook) => hook.origin.dir !== undefined)
  runtime.close()
  if (name !== undefined) {
    const broken = problems.find((problem) => problem.level === 'error' && problem.hook === name)
    if (broken && !own.some((hook) => hook.name === name))
      throw new CrosshookError('invalid_hooks', `${broken.file}: ${broken.message}`, { fix: broken.fix })
    return hooksNamed(name, own).map((hook) => ({ hook: hook.name, folder: hook.origin.dir! }))
  }
  const withCases = own.filter((hook) => hasCases(hook.origin.dir!))
  if (withCases.length === 0)
    warn(`no hook here has a ${CASES_FILE}; \`crosshook new NAME\` makes one to start from`)
  // A cloned repository must not run code because somebody tests his own hooks in it; naming the hook is consent.
  const waiting = withCases.filter(
    (hook) => hook.scope === 'project' && runtime.trust.state(hook) !== 'trusted',
  )
  for (const hook of waiting)
    warn(`${hook.name} is left out: it is not trusted. \`crosshook test ${hook.name}\` runs it all the same.`)
  return withCases
    .filter((hook) => !waiting.includes(hook))
    .map((hook) => ({ hook: hook.name, folder: hook.origin.dir! }))
}

function isFolder(path: string): boolean {
  return path.includes('/') || path === '.'
    ? statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    : false
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
