/** The files that a patch names: in the form of diff, of git, and of agents' own patch tools. */

import type { ActEffect } from './program.ts'

export interface PatchedFile {
  does: Extract<ActEffect['does'], 'write' | 'delete'>
  /** As it is spelled in the patch, `a/` and `b/` kept. */
  path: string
  /** Without `a/` and `b/`, whatever else is taken away. */
  isWhole?: boolean
}

const MAX_LINE = 4096

export function filesOfPatch(patch: string): PatchedFile[] {
  const files: PatchedFile[] = []
  let before = ''
  // Most lines of a patch are content, and begin with none of these letters.
  for (const [line] of patch.matchAll(/^[*+\-dcr][*+\-iore][^\n]*$/gm)) {
    if (line.length > MAX_LINE) continue
    const found = fileOfLine(line.trimEnd(), before)
    if (found) files.push(found)
    before = line
  }
  return files
}

function fileOfLine(line: string, before: string): PatchedFile | undefined {
  const [, tool, whole] = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/.exec(line) ?? []
  if (whole !== undefined)
    return { does: tool === 'Delete File' ? 'delete' : 'write', path: whole, isWhole: true }
  const to = afterSign(line, '+++ ')
  if (to === '/dev/null') {
    const from = afterSign(before.trimEnd(), '--- ')
    return from === undefined ? undefined : { does: 'delete', path: from }
  }
  if (to !== undefined) return { does: 'write', path: to }
  // Git says no more than this of a mode that changes, a file that is empty, and one that is moved.
  const [, made] = /^diff --git .* ("b\/[^"]+"|b\/.+)$/.exec(line) ?? []
  if (made !== undefined) return { does: 'write', path: unquoted(made) }
  const [, how, moved] = /^(rename from|rename to|copy to) (.+)$/.exec(line) ?? []
  return moved === undefined
    ? undefined
    : { does: how === 'rename from' ? 'delete' : 'write', path: unquoted(moved), isWhole: true }
}

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
