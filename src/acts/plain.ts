/**
 * Calls that by their form alone change nothing and show no key: for these there is no need to load the table of programs
 * and the shell parser, which take a new process longer than everything else it does. The slow twin is `acts.ts`.
 */

import { realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'

/** Programs that write nothing and show no contents, with plain words: no quotes, expansion, redirection, second command. */
const LOOKS = /^(?:ls|pwd|echo|whoami|uname|id|true|which|stat|du|df|git status)(?: [\w./:=@%+ -]*)?$/
/** The names under which crosshook keeps keys: see config/self-protection.ts. */
const KEY = /\.(?:key|token)$/i
/** No `~`, variable, pattern or address, whatever reads it. */
const PLAIN_PATH = /^[\w./@+ -]+$/

export function isPlainCall(tool: unknown, input: Readonly<Record<string, unknown>>): boolean {
  const { command, path } = input
  // Of other tools `command` may be a field that is ignored, beside the path of a file that is written.
  if (tool === 'Shell') return typeof command === 'string' && LOOKS.test(command)
  return tool === 'ReadFile' && typeof path === 'string' && hasNoOtherTexts(input) && isNoKey(path)
}

/** Numbers of lines say nothing of files; texts and lists may name more of them. */
function hasNoOtherTexts(input: Readonly<Record<string, unknown>>): boolean {
  for (const field in input)
    if (field !== 'path' && typeof input[field] !== 'number' && typeof input[field] !== 'boolean')
      return false
  return true
}

/** By what it is called and by where its links lead. A missing file is left to the full analysis. */
function isNoKey(path: string): boolean {
  if (!isAbsolute(path) || !PLAIN_PATH.test(path) || KEY.test(path)) return false
  try {
    return !KEY.test(realpathSync.native(path))
  } catch {
    return false
  }
}
