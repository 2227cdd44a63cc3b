/** Secrets of the environment in what a command sends, under a name that does not announce one. */

import { isSecretKey } from '../redact/names.ts'
import type { Effect } from './program.ts'
import { isSecretName } from './programs/secrets.ts'
import type { Word } from './word.ts'

export const LEAKED: Effect = {
  does: 'send',
  place: 'environment',
  why: 'a secret of the environment leaves',
}

/** `name=$VARIABLE`, `"name": "${VARIABLE}"`, `$VARIABLE`. */
const VARIABLE = /(?:([\w.[\]-]+)\\?["']?\s*[=:]\s*\\?["']?(?:bearer )?)?\$\{?(\w+)/gi

/** A service is sent its key as `token=` or `api_key=`; as `k=` or by itself it is sent to somebody else. */
export function leaksVariable({ text, unknown }: Word): boolean {
  if (!unknown || !text.includes('$')) return false
  return [...text.matchAll(VARIABLE)].some(
    ([, field = '', name]) => isSecretName(name!) && !isSecretKey(field) && !/^(?:api|app)?key$/i.test(field),
  )
}

/** Of an address only what is asked for: keys in its path and before its `@` are how many services are called. */
export function leaksInQuery(word: Word): boolean {
  const at = word.text.indexOf('?')
  return at !== -1 && leaksVariable({ ...word, text: word.text.slice(at + 1) })
}
