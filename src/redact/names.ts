/** Which names announce a secret. */

/** A quick check: can the text contain such a name at all? Without a pattern, which V8 would have to compile first. */
export function hints(text: string): boolean {
  const lower = text.toLowerCase()
  return HINTS.some((word) => lower.includes(word)) || (lower.includes('_pat') && /_pat(?![a-z])/.test(lower))
}

const HINTS =
  'token secret key pass pw auth cookie credential sig code jwt hmac connection value bearer session pin salt'.split(
    ' ',
  )

const SECRET =
  /token(?!iz)|secret|api[-_.]?key|passw(?:or)?d|pass[-_]?(?:phrase|code)|authorization|(?:private|access|account|shared|signing|encryption|session|master|auth|service[-_.]?role|license|licence|deploy|admin|webhook|client|app|server|root)[-_.]?key|connection[-_.]?string|(?:^|[-_.])(?:auth|pass|pat|pw|psw|creds?|credentials?|(?:set-)?cookie|bearer|jwt|hmac|dsn)$|[-_.]pwd$|(?:store|key|user|db|root|admin|sql|pg|my|ftp|smtp|redis|bind|proxy|http|mail)[-_]?(?:pass|pw|pwd)$/i
/** Names of keys that are not secrets: of tables, caches, keyboards, other people. */
const OPEN_KEY =
  /(?:^|[-_.])(?:primary|foreign|public|pub|cache|sort|partition|unique|hash|range|lookup|translation|i18n|index|composite|candidate|group|row|map|object|s3|bucket|json|dict|hot|short|shortcut|arrow|sequence|routing|message|idempotency|dedup|host|registry|field|config|setting|storage|state|store|query|react|item|entity|record|data|event|metric|label|tag|meta|node|parent|child|next|prev|last|first|start|end|min|max|any|enter|escape|tab|shift|alt|ctrl|meta|modifier|function|fn|answer|legend|map|music|piano|house|door|car|no|is|has|by|on|get|set|new|old|the|each|per|order|order[-_]by|sort[-_]by)[-_.]?key$/i
const SOME_KEY = /[A-Za-z0-9][-_.]key$|[a-z0-9]Key$|[A-Z0-9]KEY$/i
const NOT_THE_SECRET =
  /(?:csrf|xsrf|authenticity|anti[-_]?forgery)[-_]?token$|public|(?:[-_.]|(?<=[a-z]))(?<!secret[-_]?)(?:id)$|(?:[-_.]|(?<=[a-z]))(?:stdin|file|path|dir|name|type|url|uri|endpoint|length|size|count|limit|format|version|expiry|expires|ttl|policy|manager|store|provider|variable|var|env|prompt|field|label|arn|header|ref|engine|server|service|backend|class|regex|pattern|rotation|enabled|required|hint|help|error)s?$/i
const PARAMETER = /^(?:key|sig|signature|code|jwt|hmac|x-amz-signature|x-amz-credential|x-goog-signature)$/i
const COUNT = /tokens$|tokens?[-_]?(?:count|limit|usage|budget|total|used)$/i

/** `clientSecret`, `X-Api-Key`, `AWS_SECRET_ACCESS_KEY`, `auth`: the value is a secret whatever it looks like. */
export function isSecretKey(key: string): boolean {
  let known = judged.get(key)
  if (known === undefined) {
    known = mayBeSecret(key) && SECRET.test(key) && !NOT_THE_SECRET.test(key)
    if (judged.size >= MAX_CACHED) judged.clear()
    if (key.length < 64) judged.set(key, known)
  }
  return known
}

/**
 * Every name that `SECRET` matches contains one of the first or ends with one of the others, so most environment variables,
 * `PATH` among them, need no compiled pattern.
 */
const PARTS = 'token secret key passw phrase code authorization connection'.split(' ')
const ENDS = 'auth pass pat pw psw pwd cred creds credential credentials cookie bearer jwt hmac dsn'.split(
  ' ',
)

export function mayBeSecret(key: string): boolean {
  const lower = key.toLowerCase()
  return PARTS.some((part) => lower.includes(part)) || ENDS.some((end) => lower.endsWith(end))
}

/** For tests. */
export const SECRET_NAME = SECRET

/** `OPENWEATHER_KEY`, `X-Auth-Key`, `KEY`: a secret only if the value looks like one. */
export function isPerhapsSecretKey(key: string): boolean {
  const lower = key.toLowerCase()
  if (!lower.endsWith('key') && lower !== 'salt' && lower !== 'pin' && lower !== 'signature') return false
  return /^(?:KEY|SALT|PIN|SIGNATURE)$/.test(key) || (SOME_KEY.test(key) && !OPEN_KEY.test(key))
}

/** Cache. The names of a record's own fields and of most environments, which are no secrets, come in every process. */
const judged = new Map<string, boolean>()
for (const name of [
  ...['event', 'agent', 'session_id', 'work_dir', 'tool_name', 'subject', 'decision', 'reason', 'stop'],
  ...['duration_ms', 'hooks', 'input_digest', 'dropped', 'name', 'format', 'scope', 'status', 'exit_code'],
  ...['attempts', 'error', 'skipped', 'log', 'warnings', 'cached', 'invocation_digest', 'source', 'detail'],
  ...['PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'XAUTHORITY'],
  ...['confined', 'confines', 'derived'],
])
  judged.set(name, false)
const MAX_CACHED = 1024

/** Names that announce a secret only in a URL's query. */
export function isSecretParameter(key: string): boolean {
  return PARAMETER.test(key)
}

/** `max_tokens: 1024` is a number of tokens, not a token. */
export function isCount(key: string, value: unknown): boolean {
  return COUNT.test(key) && /^\d{1,9}$/.test(String(value))
}
