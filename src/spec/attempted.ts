/** A hook printed something that its format did not understand. If it looks like an answer, the hook has failed. */

import type { RawResult } from './executor.ts'
import { parseJson } from './json.ts'
import type { Outcome } from './outcome.ts'

/** Fields that carry a decision in some agent's replies. */
const DECIDING_FIELD =
  /"(?:decision|permission(?:Decision)?|behavior|hookSpecificOutput|continue(?:_execution)?|cancel|action|block(?:ed)?|stop|(?:modified|updated|override)_?[iI]nput|modified(?:Args)?|ok)"\s*:/
const REFUSAL = '(?:deny|denied|ask|block(?:ed)?|reject(?:ed)?|refused?|forbid(?:den)?)'
const REFUSAL_ALONE = new RegExp(`^\\s*${REFUSAL}\\s*$`, 'i')
const QUOTED_REFUSAL = new RegExp(`["']${REFUSAL}\\b`, 'i')
/** A line that is a refusal on its own: `DENY`, `decision: deny`, `Blocked: not on prod`. */
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
 * Why an answer without an error has no effect although it seems to be meant as one; undefined when it is not.
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
  // The format has understood it and already warns that it has no effect.
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

/** A refusal as a value anywhere in the JSON. */
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

/** Not text: what it was meant to say cannot be determined. */
function isBinary(text: string): boolean {
  return text.includes('\0') || text.includes('\ufffd')
}
