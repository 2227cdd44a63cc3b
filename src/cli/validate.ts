/** `crosshook validate [PATH]`: loads hooks exactly as at run time and lists the problems. */

import { loadHookSet, readSource } from '../config/load.ts'
import { type OpenGuard, openGuards } from '../config/open-guards.ts'
import { paths, settingsFiles } from '../config/paths.ts'
import { readRegisteredSettings, registeredSettingsFile } from '../config/registered-settings.ts'
import { readSettings } from '../config/settings.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook, Loaded, Problem } from '../spec/hook.ts'
import { isFailure } from '../spec/outcome.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { plural, print, printJson } from './print.ts'
import { problemWords } from './problem-words.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const { hooks, problems: found } = await look(args)
  const problems = [...found, ...(await modelProblems(hooks, args))]
  const errors = problems.filter((problem) => problem.level === 'error').length
  const warnings = problems.length - errors
  const open = await openGuards(hooks)
  if (args.flag('json'))
    printJson({
      ok: errors === 0,
      errors,
      warnings,
      problems: problems.map(whole),
      hooks: hooks.length,
      open_guards: open,
    })
  else print(words(problems, errors, warnings, hooks.length) + openWords(open))
  return errors === 0 ? 0 : 1
}

async function look(args: Arguments): Promise<Loaded> {
  const [path] = args.words
  const format = args.value('format')
  const where = paths(args.env)
  if (path !== undefined) {
    const { settings } = await readSettings(settingsFiles(where), where.home)
    const source = { path, ...(format === undefined ? {} : { format }) }
    return readSource(source, 'source', settings.allowed_hosts)
  }
  if (format !== undefined)
    throw new CrosshookError('usage', '--format says what a PATH is, and there is none', {
      fix: 'For example: crosshook validate settings.json --format ID',
    })
  const { hooks, problems } = await loadHookSet({ env: args.env, workDir: process.cwd(), fresh: true })
  const registered = readRegisteredSettings(registeredSettingsFile(where))
  return { hooks, problems: [...problems, ...registered.problems] }
}

/** A hook that asks a model always fails when none is configured. */
async function modelProblems(hooks: readonly Hook[], args: Arguments): Promise<Problem[]> {
  const asking = hooks.flatMap(({ run, ...hook }) =>
    run.type === 'prompt' || run.type === 'agent' ? [{ run, hook }] : [],
  )
  if (asking.length === 0) return []
  const { chooseModel } = await import('../executors/model-settings.ts')
  const where = paths(args.env)
  const { settings } = await readSettings([where.settings, where.managedSettings], where.home)
  return asking.flatMap(({ run, hook }): Problem[] => {
    const chosen = chooseModel(run.model, settings.models, args.env)
    if (!isFailure(chosen)) return []
    const { file, line } = hook.origin
    return [
      {
        // The key may be set where the agent runs.
        level: chosen.message.includes('environment variable') ? 'warning' : 'error',
        file,
        ...(line === undefined ? {} : { line }),
        field: `run.${run.type}`,
        hook: hook.name,
        message: `"${hook.name}" will fail at every event: ${chosen.message}`,
        fix: 'Name one: `default = "anthropic/MODEL"` below [models] in config.toml, or `model` in the hook.',
      },
    ]
  })
}

function words(problems: readonly Problem[], errors: number, warnings: number, hooks: number): string {
  const paint = painter(1)
  const list = problems.map((problem) => problemWords(problem, paint)).join('')
  const counts = [
    ...(errors > 0 ? [paint.red(plural(errors, 'error'))] : []),
    ...(warnings > 0 ? [paint.yellow(plural(warnings, 'warning'))] : []),
  ]
  const loads = `${plural(hooks, 'hook loads', 'hooks load')}`
  if (counts.length === 0) return `${paint.green('✓')} ${loads}, no problems\n`
  return `${list}\n${counts.join(', ')}; ${loads}\n`
}

/** Grouped by the setting to write, since the hooks may have several formats. */
export function openWords(open: readonly OpenGuard[]): string {
  return [...Map.groupBy(open, ({ write }) => write)]
    .map(
      ([write, guards]) =>
        `Can block, but let everything pass when they fail: ${guards.map(({ name }) => visible(name)).join(', ')}. A guard says \`${write}\`.\n`,
    )
    .join('')
}

/** With every field, so that programs need not test for missing ones. */
function whole(problem: Problem) {
  const { level, file, line = null, field = null, hook = null, message, fix } = problem
  return { level, file, line, field, hook, message, fix }
}
