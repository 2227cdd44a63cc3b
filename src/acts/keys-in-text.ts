/** A key in the text of a call gets into a file, a command or a message. */

import { findSecrets } from '../redact/find.ts'
import type { Act } from '../spec/act.ts'

/** Tools that write nothing: a key in a pattern that is searched for is no leak. */
const READS = /^(?:ReadFile|Search|FindFiles|ListFolder|WebFetch|WebSearch|Todo)$/
/** Characters in all: 30 to 80 ms for a million. */
const MAX_CHARS = 16_000_000
const MIN_KEY_CHARS = 16

export function keysInText(call: {
  tool_name: string
  tool_input: Readonly<Record<string, unknown>>
}): Act[] {
  if (READS.test(call.tool_name)) return []
  const acts = new Map<string, Act>()
  let left = MAX_CHARS
  const waiting: unknown[] = [call.tool_input]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'string') {
      if (value.length < MIN_KEY_CHARS) continue
      left -= value.length
      if (left < 0) return [...acts.values(), TOO_LONG]
      const [secret] = findSecrets(value, { certain: true })
      if (secret) acts.set(secret.kind, revealed(secret.kind))
    } else if (typeof value === 'object' && value !== null)
      for (const each of Object.values(value)) if (each !== undefined) waiting.push(each)
  }
  return [...acts.values()]
}

const TOO_LONG: Act = {
  does: 'unknown',
  certain: false,
  incomplete: true,
  why: `the text is longer than ${MAX_CHARS} characters`,
}

function revealed(kind: string): Act {
  return {
    does: 'reveal_secret',
    certain: true,
    places: ['text'],
    why: `the text holds a secret (${kind})`,
  }
}
