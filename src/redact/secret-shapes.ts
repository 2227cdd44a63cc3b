/** Secrets that are known by their looks, wherever they stand. */

export function redactShapes(text: string, mark: string): string {
  let out = text
  if (out.includes('PRIVATE KEY')) out = redactKeyBlocks(out, mark)
  if (out.includes('://')) {
    out = out.replace(URL_LOGIN, `$1${mark}@`)
    out = out.replace(WEBHOOK, `$1${mark}`)
  }
  out = out.replace(PREFIXED, mark)
  out = out.replace(MIXED, (word) => (/\d/.test(word) || /[A-Z]/.test(word) ? mark : word))
  if (out.includes('eyJ')) out = out.replace(JWT, mark)
  return out.replace(SCHEME, (all, scheme: string, value: string) =>
    looksLikeCredential(scheme, value) ? all.slice(0, -value.length) + mark : all,
  )
}

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?=\s|\\[rn])/g
const END = /-----END [A-Z0-9 ]{0,60}-----/g

/** A block without its end, as in a text that was cut, goes on to the end of the text. */
function redactKeyBlocks(text: string, mark: string): string {
  let out = ''
  let done = 0
  for (const { index } of text.matchAll(BEGIN)) {
    if (index < done) continue
    END.lastIndex = index
    out += text.slice(done, index) + mark
    done = END.exec(text) ? END.lastIndex : text.length
  }
  return out + text.slice(done)
}

const URL_LOGIN = /(?<![\w+.-])([A-Za-z][\w+.-]{1,30}:\/\/[^\s/@:"'<>]*:)[^\s/@"'<>]+@/g
const WEBHOOK =
  /(https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/webhooks)\/)[\w/-]+/g

/** Prefix → what follows. None can fail after a long run, so that reading stays linear. */
const PREFIXED = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    'gh[opusr]_[A-Za-z0-9]{16,}',
    'github_pat_\\w{16,}',
    'gl(?:pat|dt|rt|ptt|ft|soat|cbt|agent|imt|oas|ffct)-[\\w.-]{16,}',
    'xox[abceoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,}',
    'xapp-[A-Za-z0-9-]{10,}',
    '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}',
    'AIza[\\w-]{30,}',
    'ya29\\.[\\w.-]{16,}',
    'GOCSPX-[\\w-]{16,}',
    '1//0[\\w-]{20,}',
    'npm_[A-Za-z0-9]{30,}',
    'hf_[A-Za-z0-9]{20,}',
    'SG\\.[\\w-]{16,64}\\.[\\w-]{16,}',
    '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}',
    'whsec_[A-Za-z0-9+/=]{16,}',
    'gsk_[A-Za-z0-9]{20,}',
    'r8_[A-Za-z0-9]{20,}',
    'dckr_pat_[\\w-]{16,}',
    'do[opr]_v1_[a-f0-9]{32,}',
    'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{16,}',
    'lin_api_[A-Za-z0-9]{20,}',
    'hv[sb]\\.[\\w-]{20,}',
    'sntrys_[\\w+/=]{20,}',
    'AGE-SECRET-KEY-1[A-Z0-9]{20,}',
    'rubygems_[a-f0-9]{32,}',
    'PMAK-[A-Fa-f0-9-]{30,}',
    '\\d{8,10}:AA[\\w-]{30,}',
  ].join('|')})`,
  'g',
)

/** Prefixes that also begin ordinary names (`sk-learn`): a secret has a digit or a capital letter. */
const MIXED =
  /(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{8,}|pypi-[A-Za-z0-9_-]{16,}|xai-[A-Za-z0-9_-]{20,}|pplx-[A-Za-z0-9_-]{20,}|nvapi-[A-Za-z0-9_-]{20,}|tvly-[A-Za-z0-9_-]{16,}|tskey-[A-Za-z0-9_-]{16,})/g
const JWT = /(?<![\w-])eyJ[\w-]{6,}(?:\.[\w-]*){1,4}/g
const SCHEME = /(?<![A-Za-z0-9])(Bearer|Basic)(?:\s{1,4}|%20)([A-Za-z0-9._~+/=-]{6,})/gi

/** Not `bearer authentication` or `basic understanding`. */
function looksLikeCredential(scheme: string, value: string): boolean {
  if (scheme.toLowerCase() === 'bearer') return /\d|[a-z][A-Z]/.test(value) || value.length >= 24
  const decoded = Buffer.from(value, 'base64').toString('latin1')
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(decoded)
}
