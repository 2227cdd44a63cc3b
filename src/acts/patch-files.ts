/** The files that a patch names: in the form of diff, of git, and of agents' own patch tools. */

import type { ActEffect } from './program.ts'

export interface PatchedFile {
  does: Extract<ActEffect['does'], 'write' | 'delete'>
  /** As it is spelled in the patch, `a/` and `b/` kept. */
  path: string
  /** Without `a/` and `b/`, whatever else is taken away. */
  isWhole?: boolean
}

const MAX_LINE_CHARS = 4096

export function filesOfPatch(patch: string): PatchedFile[] {
  const files: PatchedFile[] = []
  let before = ''
  // Most lines of a patch are content, and begin with none of these letters.
  for (const [whole] of patch.matchAll(/^[*+\-dcrI][*+\-ioren][^\n]*$/gm)) {
    // A time may stand behind the name, however long.
    const line = whole.slice(0, MAX_LINE_CHARS).trimEnd()
    files.push(...filesOfLine(line, before))
    before = line
  }
  return files
}

function filesOfLine(line: string, before: string): PatchedFile[] {
  const [, tool, whole] = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/.exec(line) ?? []
  if (whole !== undefined)
    return [{ does: tool === 'Delete File' ? 'delete' : 'write', path: whole, isWhole: true }]
  const to = afterSign(line, '+++ ')
  if (to !== undefined) return changed(afterSign(before, '--- '), to)
  // The older form: `*** old` and `--- new`, later `*** 1,4 ****` and `--- 1,4 ----` for the lines.
  const from = afterSign(before, '*** ')
  const then = afterSign(line, '--- ')
  if (from !== undefined && then !== undefined && !/^[\d,]+ -{4}$/.test(then)) return changed(from, then)
  // Git says no more than this of a mode that changes, a file that is empty, and one that is moved.
  const [, made] = /^diff --git .* ("b\/[^"]+"|b\/.+)$/.exec(line) ?? []
  if (made !== undefined) return [{ does: 'write', path: unquoted(made) }]
  const [, how, moved] = /^(rename from|rename to|copy to|Index:) (.+)$/.exec(line) ?? []
  if (moved === undefined) return []
  if (how === 'Index:') return [{ does: 'write', path: moved }]
  return [{ does: how === 'rename from' ? 'delete' : 'write', path: unquoted(moved), isWhole: true }]
}

/** `patch` takes whichever of the two names is there. */
function changed(from: string | undefined, to: string): PatchedFile[] {
  if (to === NO_FILE) return from === undefined ? [] : [{ does: 'delete', path: from }]
  const names = from === undefined || from === NO_FILE ? [to] : [from, to]
  return names.map((path) => ({ does: 'write', path }))
}

const NO_FILE = '/dev/null'

function afterSign(line: string, sign: string): string | undefined {
  return line.startsWith(sign) ? unquoted(line.slice(sign.length).split('\t')[0]!) : undefined
}

/** Git quotes names with letters that are not plain: `"b/\303\244"`. */
function unquoted(path: string): string {
  const [, inner] = /^"(.*)"$/.exec(path) ?? []
  if (inner === undefined) return path
  const bytes = inner.replace(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  )
  return Buffer.from(bytes.replace(/\\(.)/g, '$1'), 'latin1').toString('utf8')
}

/** Without as many leading folders; undefined when there are fewer. */
export function stripped({ path, isWhole }: PatchedFile, folders: number): string | undefined {
  if (isWhole) return path
  const parts = path.split(/\/+/)
  return parts.length > folders ? parts.slice(folders).join('/') : undefined
}
