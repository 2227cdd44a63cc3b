/** `crosshook untrust [NAME]`: withdraws trust. */

import { assemble } from '../host/assemble.ts'
import { hooksNamed } from './named-hooks.ts'
import type { Arguments } from './options.ts'
import { print, printJson } from './print.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const runtime = assemble({ env: args.env, source: 'cli' })
  const { hooks } = await runtime.hookSet(process.cwd())
  await runtime.close()
  const project = hooks.filter((hook) => hook.scope === 'project')
  const [name] = args.words
  const chosen = name === undefined ? project : hooksNamed(name, project, 'project hook')
  const removed = chosen.filter((hook) => runtime.trust.untrust(hook)).map((hook) => hook.name)
  if (args.flag('json')) printJson({ untrusted: removed })
  else if (removed.length === 0)
    print(name === undefined ? 'No project hook here was trusted.\n' : `${visible(name)} was not trusted.\n`)
  else print(`no longer trusted: ${removed.map(visible).join(', ')}\n`)
  return 0
}
