/** `crosshook export AGENT`: crosshook's hooks as entries of that agent's own settings, on stdout. */

import { loadDialect } from '../dialects/list.ts'
import { assemble } from '../host/assemble.ts'
import { exportHooks } from '../install/export.ts'
import { runsItself } from '../pipeline/select.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import type { Arguments } from './options.ts'
import { out } from './output.ts'
import { printJson, warn } from './print.ts'

export async function run(args: Arguments): Promise<number> {
  const [id] = args.words
  if (id === undefined)
    throw new CrosshookError('usage', 'which agent?', { fix: 'Run `crosshook agents` for the names.' })
  const dialect = await loadDialect(id)
  const { format, title } = dialect
  if (!format?.write)
    throw new CrosshookError('refused', `hooks cannot be written as entries of ${title}`, {
      fix: dialect.agent
        ? `Wire it instead: crosshook install ${id}`
        : 'Run `crosshook agents` for the agents.',
    })
  const runtime = assemble({ env: args.env, source: 'cli' })
  const { hooks, projects } = await runtime.hookSet(process.cwd())
  await runtime.close()
  const isOwn = runsItself(dialect, { home: runtime.paths.home, projects })
  const isWanted = (hook: Hook) =>
    !hook.disabled && !isOwn(hook) && (hook.scope === 'project') === args.flag('project')
  const { entries, left } = exportHooks(dialect, hooks.filter(isWanted))
  for (const { name, why } of left) warn(`${name} is left out: ${why}`)
  if (args.flag('json')) printJson({ agent: id, entries, left_out: left })
  else {
    out(await format.write(entries))
    warn(
      `put these into the settings of ${title} where you want them. Each entry runs one hook; where crosshook is installed (\`crosshook install ${id}\`), every hook runs already, and would run twice.`,
    )
  }
  return 0
}
