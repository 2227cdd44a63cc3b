/** Fingerprint of the files behind a hook's answer: a cached answer of edited code is not used. */

import { readdirSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fingerprint } from '../../config/fingerprint.ts'
import type { Hook, Run } from '../../spec/hook.ts'

const MAX_FILES = 2000
const MAX_DEPTH = 8

/** Path → fingerprint of every file in the hook's folder and of those in its command. */
export function codeFingerprint(hook: Hook, workDir: string): Record<string, string> {
  const { dir, file } = hook.origin
  const found: Record<string, string> = { [file]: fingerprint(file) }
  if (dir !== undefined) addFolder(dir, found, 0)
  const base = dir ?? dirname(file)
  for (const word of wordsOf(hook.run))
    for (const path of isAbsolute(word) ? [word] : [resolve(workDir, word), resolve(base, word)]) {
      const mark = fingerprint(path)
      if (mark !== '-') found[path] = mark
    }
  return found
}

function addFolder(folder: string, found: Record<string, string>, depth: number): void {
  if (depth > MAX_DEPTH) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (Object.keys(found).length > MAX_FILES)
      throw new Error(`${folder} holds more than ${MAX_FILES} files, so no answer of its hook can be kept`)
    const path = join(folder, entry.name)
    if (entry.isDirectory()) addFolder(path, found, depth + 1)
    else found[path] = fingerprint(path)
  }
}

/** Words of a command that could be paths, split at quotes and shell operators. */
function wordsOf(run: Run): string[] {
  if (run.type === 'module') return [run.file]
  if (run.type !== 'command' || 'entry' in run) return []
  const words = 'argv' in run ? [...run.argv] : run.command.split(/[\s'"`;|&<>()]+/)
  return words.filter((word) => word.includes('/') || word.includes('.'))
}
