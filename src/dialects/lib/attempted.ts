/** A text that cannot be read as an answer: was it meant to be one? Then it failed to say what its hook decided. Light. */

/** Fields that carry a decision in some agent's replies. */
const DECIDING_FIELD =
  /"(?:decision|permission(?:Decision)?|behavior|hookSpecificOutput|continue(?:_execution)?|cancel|action|block(?:ed)?|stop|(?:modified|updated|override)_?[iI]nput|modified(?:Args)?|ok)"\s*:/
const REFUSAL = '(?:deny|denied|ask|block(?:ed)?|reject(?:ed)?|refused?|forbid(?:den)?)'
const QUOTED_REFUSAL = new RegExp(`["']${REFUSAL}\\b`, 'i')
/** A line that is a refusal by itself: `DENY`, `decision: deny`, `Blocked: not on prod`. */
const REFUSING_LINE = new RegExp(
  `^\\s*(?:decision\\s*[:=]\\s*)?["']?${REFUSAL}["']?\\s*(?:[:.!,;-].*)?$`,
  'im',
)

export function looksLikeAnswer(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed === '') return false
  if (trimmed.startsWith('{') || isJson(trimmed) || isBinary(trimmed)) return true
  if (/^["[]/.test(trimmed) && QUOTED_REFUSAL.test(trimmed)) return true
  return DECIDING_FIELD.test(trimmed) || REFUSING_LINE.test(trimmed)
}

/** Bytes that were no text: nobody can tell what they were meant to say. */
function isBinary(text: string): boolean {
  return text.includes('\0') || text.includes('\ufffd')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // plain text
  }
}
