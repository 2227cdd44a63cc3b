/** Which names announce a secret. */

/** A quick look: can there be such a name in the text at all? */
export const HINT = /token|secret|key|pass|pwd|auth|cookie|credential|sig|code|jwt|hmac|connection|value/i

const SECRET =
  /token(?!iz)|secret|api[-_.]?key|passw(?:or)?d|pass[-_]?(?:phrase|code)|authorization|(?:private|access|account|shared|signing|encryption|session)[-_.]?key|connection[-_.]?string|(?:^|[-_.])(?:auth|pass|credentials?|(?:set-)?cookie)$/i
const PARAMETER = /^(?:key|sig|signature|code|jwt|hmac|x-amz-signature|x-amz-credential|x-goog-signature)$/i
const COUNT = /tokens$|tokens?[-_]?(?:count|limit|usage|budget|total|used)$/i

/** `clientSecret`, `X-Api-Key`, `AWS_SECRET_ACCESS_KEY`, `auth`… */
export function isSecretKey(key: string): boolean {
  let known = judged.get(key)
  if (known === undefined) {
    known = SECRET.test(key)
    if (judged.size >= MOST) judged.clear()
    if (key.length < 64) judged.set(key, known)
  }
  return known
}

/** The same names come again and again; those of a record's own fields, which are no secrets, in every process. */
const judged = new Map<string, boolean>()
for (const name of [
  ...[
    'event',
    'agent',
    'session_id',
    'work_dir',
    'tool_name',
    'subject',
    'decision',
    'reason',
    'stop',
    'source',
  ],
  ...['duration_ms', 'hooks', 'input_digest', 'dropped', 'name', 'format', 'scope', 'status', 'exit_code'],
  ...['attempts', 'error', 'skipped', 'log', 'warnings', 'cached', 'invocation_digest'],
])
  judged.set(name, false)
const MOST = 1024

/** Names that say a secret follows only in the query of an address. */
export function isSecretParameter(key: string): boolean {
  return PARAMETER.test(key)
}

/** `max_tokens: 1024` tells how many, not which. */
export function isCount(key: string, value: unknown): boolean {
  return COUNT.test(key) && /^\d{1,9}$/.test(String(value))
}
