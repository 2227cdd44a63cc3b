/** What a HOOK.md runs: its entry point, or what `run` or `outcome` says instead. */

import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Run } from '../../spec/hook.ts'
import type { Outcome } from '../../spec/outcome.ts'
import type { FrontmatterFields } from './schema.ts'

export const ENTRY_POINTS = ['scripts/run', 'scripts/run.sh', 'scripts/run.py'] as const

type Report = (field: string, message: string, fix: string) => void

export function toRun(fields: FrontmatterFields, dir: string, report: Report): Run | undefined {
  if (fields.run && fields.outcome) {
    report('outcome', 'A hook has either `run` or `outcome`, not both.', 'Remove one of them.')
    return undefined
  }
  // zod gives absent fields no key at all, so the shapes agree.
  if (fields.outcome) return { type: 'outcome', outcome: fields.outcome as Outcome }
  if (!fields.run) return { type: 'command', entry: dir }
  const kinds = Object.keys(fields.run)
  if (kinds.length !== 1) {
    report(
      'run',
      `\`run\` needs exactly one of command, http, prompt, agent, module; it has ${kinds.length}.`,
      'Keep one of them.',
    )
    return undefined
  }
  const { command, http, prompt, agent, module } = fields.run
  if (command !== undefined) return { type: 'command', command, shell: 'bash', args: ['-c'] }
  if (http) return { type: 'http', ...http } as Run
  if (prompt) return { type: 'prompt', ...prompt } as Run
  if (agent) return { type: 'agent', ...agent } as Run
  return moduleRun(module!, dir, report)
}

/** Only a file inside the hook's own folder, because trust covers that folder. */
function moduleRun(module: string, dir: string, report: Report): Run | undefined {
  const file = resolve(dir, module)
  if (isAbsolute(module) || !isInside(dir, file) || !isInside(real(dir), real(file))) {
    report('run.module', `\`${module}\` is outside the folder of the hook.`, 'Name a file inside the folder.')
    return undefined
  }
  return { type: 'module', file }
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file)
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

/** Links resolved, also when the last parts of the path do not exist yet. */
function real(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const parent = resolve(path, '..')
  return parent === path ? path : resolve(real(parent), relative(parent, path))
}
