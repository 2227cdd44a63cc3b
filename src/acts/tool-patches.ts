/** Patches that a tool is given. */

import type { Effect } from './program.ts'

type Input = Readonly<Record<string, unknown>>

/** Files that a patch adds, changes, moves and deletes. */
export function patched(input: Input, isPatch = false): Effect[] {
  const effects: Effect[] = []
  for (const field of isPatch ? Object.keys(input) : ['patch', 'input', 'diff', 'patch_text', 'patchText']) {
    const patch = input[field]
    if (typeof patch !== 'string') continue
    for (const [, does, path] of patch.matchAll(
      /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/gm,
    ))
      effects.push({ does: does === 'Delete File' ? 'delete' : 'write', path: { text: path! } })
    for (const [, path] of patch.matchAll(/^\+\+\+ (?:b\/)?(?!\/dev\/null)(.+?)(?:\t.*)?$/gm))
      effects.push({ does: 'write', path: { text: path! } })
    for (const [, path] of patch.matchAll(/^--- (?:a\/)?(?!\/dev\/null)(.+?)(?:\t.*)?\n\+\+\+ \/dev\/null/gm))
      effects.push({ does: 'delete', path: { text: path! } })
    for (const [, path] of patch.matchAll(/^(?:rename|copy) to (.+)$/gm))
      effects.push({ does: 'write', path: { text: path! } })
    for (const [, path] of patch.matchAll(/^rename from (.+)$/gm))
      effects.push({ does: 'delete', path: { text: path! } })
  }
  return effects
}
