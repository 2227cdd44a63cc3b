/** Which names announce a secret. */

const PARTS = [
  'token',
  'secret',
  'apikey',
  'password',
  'passwd',
  'passphrase',
  'authorization',
  'privatekey',
  'accesskey',
  'accountkey',
  'sharedkey',
  'signingkey',
  'encryptionkey',
  'connectionstring',
]
const WHOLE = new Set(['auth', 'cookie', 'setcookie', 'credential', 'credentials', 'passcode', 'sessionkey'])
const QUERY = new Set(['key', 'sig', 'signature', 'code', 'jwt', 'hmac', 'xamzsignature', 'xamzcredential'])

/** `clientSecret`, `X-Api-Key`, `AWS_SECRET_ACCESS_KEY`, `auth`… */
export function isSecretKey(key: string): boolean {
  const plain = key.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
  if (plain.includes('tokeniz')) return false
  return (
    WHOLE.has(plain) || PARTS.some((part) => plain.includes(part)) || /(?:^|[_.-])(?:db)?pass$/i.test(key)
  )
}

/** Names that say a secret follows only in the query of an address. */
export function isSecretParameter(key: string): boolean {
  return QUERY.has(key.replace(/[^A-Za-z0-9]/g, '').toLowerCase())
}

/** `max_tokens: 1024` tells how many, not which. */
export function isCount(key: string, value: unknown): boolean {
  return (
    /tokens?(?:_?(?:count|limit|usage|budget|total|used))?$/i.test(key) &&
    /^\d{1,9}$/.test(String(value)) &&
    /tokens|count|limit|usage|budget|total|used/i.test(key)
  )
}

/** A quick look: can there be such a name in the text at all? */
export const HINT = /token|secret|key|pass|pwd|auth|cookie|credential|sig|code|jwt|hmac|connection/i
