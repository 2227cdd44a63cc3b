/** What git does to branches, here and on other machines, and where it says that the repository is. */

import type { Call, Effect } from '../program.ts'

const MAIN = /^(?:refs\/heads\/)?(?:main|master|trunk|develop|production|prod|release)$/i

/** `git push origin +main` forces, `:main` deletes; a main branch is everybody's. */
export function refspecs(call: Call): readonly Effect[] {
  const deletes = call.given('-d --delete')
  return call.operands.flatMap(({ text }, at): Effect[] => {
    const target = text.replace(/^\+/, '').split(':').at(-1)!.replace(/^\+/, '')
    const effects: Effect[] = []
    const leased = call.options.some(({ name }) => name.startsWith('--force-with-lease'))
    if (at > 0 && (text.startsWith('+') || /:\+/.test(text)) && !leased)
      effects.push({ does: 'rewrite_history', why: `${text} replaces what the remote has` })
    if (at > 0 && (/^:./.test(text) || deletes))
      effects.push(
        MAIN.test(target)
          ? { does: 'rewrite_history', why: `deletes ${target} of the remote` }
          : {
              does: 'delete',
              place: 'registry',
              why: `${text} deletes a branch of the remote`,
              certain: false,
            },
      )
    else if (MAIN.test(target) && (at > 0 || call.operands.length === 1))
      effects.push({ does: 'publish', place: 'registry', why: `pushes to ${target}` })
    return effects
  })
}

export function branch(call: Call): readonly Effect[] {
  const deletes = call.given('-d -D --delete')
  if (!deletes)
    return call.given('-f --force') && !call.given('-m -M --move -c -C --copy') && call.operands.length > 0
      ? [{ does: 'discard_work', certain: false, why: 'moves a branch away from its commits' }]
      : []
  if (call.operands.some(({ text }) => MAIN.test(text)))
    return [{ does: 'rewrite_history', why: 'deletes a main branch' }]
  return call.given('-D') || call.given('-f --force')
    ? [{ does: 'discard_work', certain: false, why: 'deletes a branch that may not be merged' }]
    : []
}

export function prunesNow(call: Call, option: string): readonly Effect[] {
  const now = [
    ...call.values(option),
    ...call.values('-c').map(({ text }) => ({ text: /^gc\.pruneexpire=(.*)$/i.exec(text)?.[1] ?? '' })),
  ]
  return now.some(({ text }) => /^(?:now|all|0)$/i.test(text))
    ? [{ does: 'rewrite_history', why: 'deletes lost commits for good' }]
    : []
}

/** `update-ref refs/heads/main x`, and the commands of `--stdin`. */
export function movedRefs(call: Call): readonly Effect[] {
  const [ref] = call.operands
  const given = call.given('--stdin') ? (call.input?.text ?? '').split(/[\n\0]/) : []
  const why = 'moves or deletes a branch'
  return (ref && MAIN.test(ref.text)) ||
    given.some((line) => /^delete\s/.test(line) || MAIN.test(line.split(/\s+/)[1] ?? ''))
    ? [{ does: 'rewrite_history', why }]
    : []
}

export function folderOfGit({ args }: Call): string | undefined {
  const asks = (name: string) => args.some(({ text }) => text === name)
  if (asks('--show-toplevel')) return '.'
  return asks('--git-dir') || asks('--absolute-git-dir') || asks('--git-common-dir') ? '.git' : undefined
}
