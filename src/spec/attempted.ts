/** A hook printed something of which nothing was understood: was it meant to be an answer? Then the hook has failed. */

import type { RawResult } from './executor.ts'
import { parseJson } from './json.ts'
import type { Outcome } from './outcome.ts'

/** Fields that carry a decision in some agent's replies. */
const DECIDING_FIELD =
  /"(?:decision|permission(?:Decision)?|behavior|hookSpecificOutput|continue(?:_execution)?|cancel|action|block(?:ed)?|stop|(?:modified|updated|override)_?[iI]nput|modified(?:Args)?|ok)"\s*:/
const REFUSAL = '(?:deny|denied|ask|block(?:ed)?|reject(?:ed)?|refused?|forbid(?:den)?)'
const REFUSAL_ALONE = new RegExp(`^\\s*${REFUSAL}\\s*$`, 'i')
const QUOTED_REFUSAL = new RegExp(`["']${REFUSAL}\\b`, 'i')
/** A line that is a refusal by itself: `DENY`, `decision: deny`, `Blocked: not on prod`. */
const REFUSING_LINE = new RegExp(
  `^\\s*(?:decision\\s*[:=]\\s*)?["']?${REFUSAL}["']?\\s*(?:[:.!,;-].*)?$`,
  'im',
)

export function looksLikeAnswer(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed === '') return false
  if (trimmed.startsWith('{') || parsed(trimmed) !== undefined || isBinary(trimmed)) return true
  if (/^["[]/.test(trimmed) && QUOTED_REFUSAL.test(trimmed)) return true
  return DECIDING_FIELD.test(trimmed) || REFUSING_LINE.test(trimmed)
}

/**
 * Why an answer that came without an error says nothing all the same; undefined where that is what it says.
 * For formats that let a hook print plain text beside its exit code.
 */
export function unheard(
  raw: RawResult,
  { outcome, warnings }: { outcome: Outcome; warnings?: readonly string[] },
): string | undefined {
  const text = (raw.stdout ?? '').trim()
  if (text === '' || !saysNothing(outcome, text)) return undefined
  const json = parsed(text)
  if (json === undefined)
    return looksLikeAnswer(text)
      ? 'it printed something that looks like an answer and is not JSON'
      : undefined
  // Its format has understood it, and says that it counts for nothing here.
  if (warnings?.length) return undefined
  const word = refusalIn(json)
  return word === undefined ? undefined : `it answered with \`${word}\` where no decision is read`
}

function saysNothing(
  { log: _, user_message: __, additional_context: texts, ...effects }: Outcome,
  text: string,
): boolean {
  if (Object.keys(effects).length > 0) return false
  return texts === undefined || (texts.length === 1 && texts[0]!.trim() === text)
}

/** A value that is a refusal and nothing else, anywhere in it. */
function refusalIn(json: unknown): string | undefined {
  const open = [json]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string' && REFUSAL_ALONE.test(value)) return value.trim()
    if (typeof value === 'object' && value !== null) open.push(...Object.values(value))
  }
  return undefined
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined // plain text
  }
}

/** Bytes that were no text: nobody can tell what they were meant to say. */
function isBinary(text: string): boolean {
  return text.includes('\0') || text.includes('\ufffd')
}
