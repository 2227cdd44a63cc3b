/** Patches that a tool is given. */

import { filesOfPatch } from './patch-files.ts'
import type { Effect } from './program.ts'

type Input = Readonly<Record<string, unknown>>

/** Files that a patch adds, changes, moves and deletes. */
export function patched(input: Input, isPatch = false): Effect[] {
  const fields = isPatch ? Object.keys(input) : ['patch', 'input', 'diff', 'patch_text', 'patchText']
  return fields.flatMap((field) => {
    const patch = input[field]
    if (typeof patch !== 'string') return []
    return filesOfPatch(patch).map(({ does, path, isWhole }) => ({
      does,
      path: { text: isWhole ? path : path.replace(/^[ab]\//, '') },
    }))
  })
}
