/** Secrets recognised only by their place in a command, a statement or a password file. */

import { occurrences } from '../fast/occurrences.ts'
import type { Secret } from './find.ts'
import { isPlaceholder } from './placeholders.ts'

type Add = (found: Secret) => void

/** `isAnnounced`: one of the words that announce a secret is in the text. */
export function findCommands(text: string, isAnnounced: boolean, add: Add): void {
  findProgramFlags(text, add)
  for (const { pattern, hint, also, isFalse } of (places ??= PLACES())) {
    // Before the pattern is used, which a new process would have to compile.
    if (hint === ANNOUNCED_ONLY ? !isAnnounced : !text.includes(hint)) continue
    if (also && !also.some((each) => text.includes(each))) continue
    for (const { indices } of occurrences(pattern, text)) {
      const [start, end] = indices![1]!
      const value = text.slice(start, end)
      if (!isPlaceholder(value) && !isFalse?.test(value))
        add({ kind: 'password', start, end, certain: false })
    }
  }
}

/** Flags of programs that take a password; `+` after a flag: also without a space. */
const FLAGS = (): Readonly<Record<string, readonly string[]>> => ({
  docker: ['-p'],
  podman: ['-p'],
  nerdctl: ['-p'],
  buildah: ['-p'],
  skopeo: ['-p'],
  crane: ['-p'],
  oras: ['-p'],
  az: ['-p'],
  twine: ['-p+'],
  zip: ['-P+'],
  unzip: ['-P+'],
  '7z': ['-p+'],
  '7za': ['-p+'],
  rar: ['-p+', '-hp+'],
  unrar: ['-p+'],
  mysql: ['-p+'],
  mysqldump: ['-p+'],
  mysqladmin: ['-p+'],
  mysqlimport: ['-p+'],
  mariadb: ['-p+'],
  'mariadb-dump': ['-p+'],
  mongo: ['-p'],
  mongosh: ['-p'],
  mongodump: ['-p'],
  mongorestore: ['-p'],
  cqlsh: ['-p'],
  sqlcmd: ['-P+'],
  bcp: ['-P+'],
  isql: ['-P+'],
  'redis-cli': ['-a'],
  ldapsearch: ['-w'],
  ldapadd: ['-w'],
  ldapmodify: ['-w'],
  ldappasswd: ['-w', '-s'],
  sshpass: ['-p+'],
  mosquitto_pub: ['-P'],
  mosquitto_sub: ['-P'],
  rdesktop: ['-p'],
  xfreerdp: ['/p:+'],
  ipmitool: ['-P'],
  snmpwalk: ['-A', '-X'],
  snmpget: ['-A', '-X'],
  useradd: ['-p'],
  usermod: ['-p'],
  influx: ['-p'],
  neo4j: ['-p'],
  'cypher-shell': ['-p'],
  openssl: ['-k', '-K', '-passout', '-passin'],
  keytool: ['-storepass', '-keypass', '-srcstorepass', '-deststorepass', '-new'],
  jarsigner: ['-storepass', '-keypass'],
  signtool: ['/p'],
  pscp: ['-pw'],
  plink: ['-pw'],
  psftp: ['-pw'],
})
let allFlags: ReturnType<typeof FLAGS> | undefined
const PROGRAM = /(?<![\w.-])[A-Za-z0-9_][\w-]{1,24}(?=\s)/g
const COMMAND_END = /[\n\u2028;|]|&&/
/** How far after a program its flags are searched. */
const REACH_CHARS = 400

function findProgramFlags(text: string, add: Add): void {
  if (!/ [-/][A-Za-z]/.test(text)) return
  let open: { flags: readonly string[]; from: number } | undefined
  const close = (end: number) => {
    if (open) findFlags(text, open.from, Math.min(end, open.from + REACH_CHARS), open.flags, add)
  }
  allFlags ??= FLAGS()
  for (const { 0: word, index } of occurrences(PROGRAM, text)) {
    const flags = Object.hasOwn(allFlags, word) ? allFlags[word]! : undefined
    if (!flags) continue
    close(index)
    open = { flags, from: index + word.length }
  }
  close(text.length)
}

function findFlags(text: string, from: number, to: number, flags: readonly string[], add: Add): void {
  const rest = text.slice(from, to)
  const command = rest.slice(0, COMMAND_END.exec(rest)?.index ?? rest.length)
  for (const flag of flags) {
    const pattern = patternOf(flag)
    for (const { indices } of occurrences(pattern, command)) {
      const [start, end] = (indices![1] ?? indices![2] ?? indices![3])!
      const value = command.slice(start, end)
      // `docker run -p 8080:80`, `ssh -p 22`
      if (/^[\d.:/-]+(?:\/(?:tcp|udp))?$/.test(value) || isPlaceholder(value)) continue
      add({ kind: 'password', start: from + start, end: from + end, certain: false })
    }
  }
}

const patterns = new Map<string, RegExp>()

function patternOf(flag: string): RegExp {
  let pattern = patterns.get(flag)
  if (!pattern) {
    const name = flag.replace(/\+$/, '')
    const joined = flag.endsWith('+') ? `|(?=\\\\{0,4}["']?[^\\s"'\\\\-])` : ''
    pattern = new RegExp(
      `\\s${name}(?:[ =]{1,4}${joined})\\\\{0,4}(?:"([^"\\\\]+)|'([^'\\\\]+)|([^\\s"'\\\\-][^\\s"'\\\\]*))`,
      'dg',
    )
    patterns.set(flag, pattern)
  }
  return pattern
}

interface Place {
  /** A text without it is skipped; ANNOUNCED_ONLY: a text without an announcing word. */
  hint: string
  /** A text without one of them is skipped too. */
  also?: readonly string[]
  /** The first group is the secret. Bounded where a later part may be missing, so that the time stays linear. */
  pattern: RegExp
  isFalse?: RegExp
}

const ANNOUNCED_ONLY = ''

let places: readonly Place[] | undefined

/** Made when the first text is searched: most calls record only plain texts. */
const PLACES = (): readonly Place[] => [
  // curl -u bob:x, http -a bob:x
  {
    hint: '-',
    also: [':'],
    pattern: /(?<![\w-])(?:-u|-a|--user|--proxy-user|--auth)[ =]{1,4}["']?[^\s:"']{1,256}:([^\s"']+)/dg,
    isFalse: /^(?:\d+$|\/\/)/,
  },
  // smbclient -U bob%x
  { hint: '%', pattern: /(?<![\w-])(?:-U|--user)[ =]{1,4}["']?[^\s%"']{1,128}%([^\s"']+)/dg },
  // lftp -u bob,x
  { hint: 'lftp', pattern: /(?<![\w-])lftp\s[^\n]{0,120}?-u\s{0,2}[^\s,]{1,64},([^\s"']+)/dg },
  {
    hint: 'htpasswd',
    pattern:
      /(?<![\w-])htpasswd[ \t]{1,4}(?:-\w{1,8}[ \t]{1,4}){0,6}-\w{0,8}b\w{0,8}[ \t]{1,4}(?:-\w{1,8}[ \t]{1,4}){0,4}(?:[^\s-]\S{0,256}[ \t]{1,4}){1,2}["']?([^\s"']+)/dg,
  },
  { hint: 'pass:', pattern: /(?<![\w-])pass:["']?([^\s"']+)/dg },
  {
    hint: 'vault',
    pattern:
      /(?<![\w-])vault\s{1,4}(?:kv\s{1,4})?(?:put|write|patch)\s[^\n|;&]{0,160}?\s["']?[\w.-]{1,64}=["']?([^\s"']+)/dg,
    isFalse: /^@/,
  },
  {
    hint: 'add_user',
    pattern: /(?<![\w-])rabbitmqctl\s[^\n]{0,40}add_user\s{1,4}\S{1,64}\s{1,4}["']?([^\s"']+)/dg,
  },
  {
    hint: 'change_password',
    pattern: /(?<![\w-])rabbitmqctl\s[^\n]{0,40}change_password\s{1,4}\S{1,64}\s{1,4}["']?([^\s"']+)/dg,
  },
  {
    hint: 'vault login',
    pattern:
      /(?<![\w-])vault login\s{1,4}(?:-\S{1,80}\s{1,4}){0,6}\\{0,4}["']?([^\s"'=\\-][^\s"'=\\]{7,})(?=["'\s\\]|$)/dg,
  },
  // gh secret set NAME --body x
  {
    hint: 'secret set',
    pattern: /\bsecret set\s[^\n|;&]{0,120}?(?:--body|-b)[ =]{1,4}\\{0,4}["']?([^\s"'\\]+)/dg,
  },
  // npm config set //host/:_authToken x, doppler secrets set API_TOKEN x
  {
    hint: ' set ',
    pattern:
      /\b(?:config|secrets?|env|variable) set\s{1,4}["']?[\w./:@-]{0,160}(?:token|secret|passw(?:or)?d|api_?key|_auth)[\w-]{0,40}["']?\s{1,4}\\{0,4}["']?([^\s"'=\\-][^\s"'\\]*)/dgi,
  },
  // user.set_password("x")
  {
    hint: 'assw',
    pattern: /(?:set|change|reset|with|hash)_?passw(?:or)?d\(\s{0,2}\\?["']([^"'\s\\]{6,})/dgi,
  },
  {
    hint: '/user:',
    pattern: /\bnet\s{1,4}use\s{1,4}\S{1,80}\s{1,4}\\\S{1,200}\s{1,4}([^\s/*]\S*)\s{1,4}\/user:/dgi,
  },
  // What is piped into a program that reads a password.
  {
    hint: '|',
    also: ['-stdin', 'with-token', 'chpasswd', 'sudo'],
    pattern:
      /(?<![\w-])(?:echo|printf)\s{1,4}(?:-n\s{1,4})?["']?([^\s|"']{1,200})["']?\s{0,4}\|[^|\n]{0,120}(?:-stdin|with-token|chpasswd|sudo\s{1,4}-S)/dg,
  },
  {
    hint: '<<<',
    pattern: /(?:-stdin|with-token|chpasswd|sudo\s{1,4}-S)[^|\n]{0,60}<<<\s{0,4}["']?([^\s"']+)/dg,
  },
  // bob:x@tcp(db:3306)/shop
  { hint: '@', pattern: /(?<![\w.-])[\w.-]{1,64}:([^\s@:/"']{1,128})@(?:tcp|unix)\(/dg },
  {
    hint: 'password',
    pattern: /(?<![A-Za-z])(?:login|account|machine)\s{1,4}\S{1,64}\s{1,4}password\s{1,4}(\S+)/dg,
  },
  {
    hint: ANNOUNCED_ONLY,
    pattern: /identified\s{1,4}(?:with\s{1,4}\w{1,40}\s{1,4})?by\s{1,4}["']([^"'\n]+)/dgi,
  },
  // host:port:database:user:x, as in .pgpass
  {
    hint: ':',
    pattern:
      /(?<![^\s"'`])(?:[\w.*-]{1,128}|\[[0-9a-fA-F:]{2,40}\]):(?:\d{1,5}|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:([^\s"'`:][^\s"'`]{3,128})/dg,
  },
]
