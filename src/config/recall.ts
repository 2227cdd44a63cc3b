/** Stand-ins for hooks that cannot be read now, from an earlier reading: an unreadable hook is not an absent one. */

import { basename, sep } from 'node:path'
import { EVENT_NAMES, EVENTS } from '../spec/event.ts'
import { HOOK_DEFAULTS, type Hook, type Problem, type Scope } from '../spec/hook.ts'
import type { HookSet } from './hook-set.ts'
import type { Paths } from './paths.ts'

/** The stand-ins of a set, each replaced by the hook that it stands for if `before` has it. */
export function recall(found: HookSet, before: HookSet | undefined, where: Paths): Hook[] {
  const known = [...(before?.hooks ?? []), ...(before?.broken ?? [])]
  const unread = new Set(found.problems.flatMap((problem) => (problem.unread ? [problem.file] : [])))
  const wasRead = ({ origin }: Hook) => !unread.has(origin.file)
  const broken = found.broken.flatMap((hook) => {
    const earlier = known.filter(
      ({ origin, scope }) => origin.file === hook.origin.file && scope === hook.scope,
    )
    if (earlier.length === 0) return [hook]
    // A hook that failed closed stays closed until it is fixed, even if the new text cannot be parsed that far.
    const recalled = earlier.map((one) => {
      const isClosed = one.on_failure === 'closed' || hook.on_failure === 'closed'
      return { ...one, on_failure: isClosed ? 'closed' : 'open', broken: hook.broken! } satisfies Hook
    })
    // A text that says closed may be meant for other calls than the one before.
    const isNew = wasRead(hook) && !recalled.some((one) => isSame(one, hook))
    return hook.on_failure === 'closed' && isNew ? [...recalled, hook] : recalled
  })
  for (const problem of found.problems) {
    if (!problem.unread || broken.some(({ origin }) => origin.file === problem.file)) continue
    const inside = known.filter(({ origin: { file } }) => isWithin(file, problem.file))
    const words = `${problem.file}: ${problem.message} ${problem.fix}`
    if (inside.length > 0) broken.push(...inside.map((hook) => ({ ...hook, broken: words })))
    else broken.push(unknownHooks(problem, words, where))
  }
  return broken
}

function isSame(one: Hook, other: Hook): boolean {
  return JSON.stringify({ ...one, broken: '' }) === JSON.stringify({ ...other, broken: '' })
}

/** For a file that was never read: its content is unknown. Only at the machine level is it assumed to be a guard. */
function unknownHooks({ file }: Problem, broken: string, where: Paths): Hook {
  const scope: Scope = isWithin(file, where.managedHooks)
    ? 'managed'
    : isWithin(file, where.home)
      ? 'user'
      : 'project'
  return standIn(file, scope, scope === 'managed' ? 'closed' : 'open', broken)
}

/** Settings name files of guards. While they are unreadable, it is unknown whether there is one. */
export function hidden({ file, message, fix }: Problem, scope: Scope): Hook {
  return standIn(
    file,
    scope,
    'closed',
    `${file}: ${message}, so that the guards it names are unknown. ${fix}`,
  )
}

function standIn(file: string, scope: Scope, on_failure: Hook['on_failure'], broken: string): Hook {
  return {
    ...HOOK_DEFAULTS,
    name: basename(file),
    format: '',
    scope,
    events: EVENT_NAMES.filter((name) => EVENTS[name].block === 'prevents'),
    run: { type: 'outcome', outcome: {} },
    on_failure,
    origin: { file },
    broken,
  }
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
