/**
 * Built-in guards: no tool call may change crosshook, its hooks and state or agents' hook settings, and none may read
 * its keys. `self_protection = false` in the settings file, which they also protect, turns them off.
 */

import { dirname } from 'node:path'
import { FOLDER_FORMAT } from '../dialects/list.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import type { Matcher } from '../spec/matcher.ts'
import type { Outcome } from '../spec/outcome.ts'
import type { Paths } from './paths.ts'

const ONLY_A_PERSON =
  'Only the person may do that, in a terminal of their own. Say what should be changed and why, and go on without it.'

const DENY: Outcome = {
  decision: 'deny',
  reason: `This would change the guards of this agent, or read their keys. ${ONLY_A_PERSON}`,
}
const ASK: Outcome = {
  decision: 'ask',
  reason: 'This may change the guards of this agent: what exactly it touches could not be followed.',
}

const BUILT_IN = 'built in'

/**
 * Deleting a whole home folder or system also deletes the guards. `fire`, which no agent calls, leaves that to hooks.
 */
const WIDE = 'crosshook/self-protection-wide'

export function isForAgentsOnly({ name, scope }: Hook): boolean {
  return scope === 'managed' && name === WIDE
}

/** Built-in guards are shown to people only where people can change something about them. */
export function isBuiltIn({ origin }: Hook): boolean {
  return origin.file === BUILT_IN
}

/** Part of every hook set that was not limited to some sources. */
export function selfProtection(paths: Paths): Hook[] {
  const ours = anyOf([
    paths.state,
    paths.cache,
    paths.data,
    paths.runtime,
    dirname(paths.settings),
    dirname(paths.managedSettings),
    paths.userHooks,
    paths.managedHooks,
  ])
  const keys = `{${[paths.state, paths.runtime].map(literal).join(',')}}/{state.key,*.token,*.key}`
  const changes = { does: ['write', 'delete'] as const }
  return [
    hook('crosshook/self-protection', DENY, [
      { does: ['change_guards'], certain: true, not: { does: ['change_guards'], place: ['root'] } },
      { ...changes, place: ['guard'], certain: true, not: { does: ['write', 'delete'], place: ['root'] } },
      { ...changes, path: ours },
      // Its sockets answer anybody who can connect.
      { does: ['connect'], path: ours },
      { does: ['read', 'send', 'reveal_secret'], path: keys },
    ]),
    hook(WIDE, DENY, [
      { does: ['change_guards'], certain: true },
      { ...changes, place: ['guard'], certain: true },
    ]),
    hook('crosshook/self-protection-unclear', ASK, [
      { does: ['change_guards', 'write', 'delete'], place: ['guard'], certain: false },
      { does: ['change_guards'], certain: false },
    ]),
  ]
}

function hook(name: string, outcome: Outcome, any: readonly Matcher[]): Hook {
  return {
    ...HOOK_DEFAULTS,
    name,
    format: FOLDER_FORMAT,
    scope: 'managed',
    unique_name: true,
    replaceable: false,
    description: 'Built in: the guards of this agent are changed by people only.',
    events: ['before_tool'],
    matcher: { not_plain: true, any },
    run: { type: 'outcome', outcome },
    on_failure: 'closed',
    // After every hook that people wrote: their reasons are more specific.
    order: 10_000,
    unless_refused: true,
    origin: { file: BUILT_IN },
  }
}

function anyOf(folders: readonly string[]): string {
  return `{${[...new Set(folders)].map(literal).join(',')}}{,/**}`
}

/** Escapes a path so that a glob matches it literally. */
function literal(path: string): string {
  return SPECIAL.reduce((text, sign) => text.replaceAll(sign, `\\${sign}`), path)
}

/** Of globs; the backslash first, so that it is not escaped twice. */
const SPECIAL = [...'\\*?[]{}(),!|+@']
