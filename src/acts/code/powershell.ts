/** PowerShell and cmd: their commands by program and arguments, and what only these shells write so. */

import { atMost, cutShort } from '../cut.ts'
import type { Effect } from '../program.ts'
import { isSecretName } from '../programs/secrets.ts'
import type { Word } from '../word.ts'

const MAX_COMMANDS = 1_000
const MAX_WORDS = 20_000
/** Characters that variables may add to a script. */
const MAX_ADDED_CHARS = 1_000_000

export function scanPowershell(given: string): Effect[] {
  const code = withVariables(given)
  const inner = [...code.matchAll(/\(([^()]{3,2000})\)/g)].map(([, text]) => text!)
  return [
    ...[code, ...inner]
      .flatMap((text) => lines(text, /[;\n{}]|\|\||&&|\|(?!\|)/))
      .map((argv) => ({ argv: ofCmdlet(argv) })),
    ...pipedDeletes(code),
    ...methods(code),
    ...environment(code),
    ...sentFiles(code),
    ...ranAsCode(code),
    ...(/net\.sockets\.tcpclient/i.test(code) && /getstream|streamreader|\.connect\b/i.test(code)
      ? [{ does: 'run', place: 'remote', why: 'gives another machine a shell' } as const]
      : []),
  ]
}

/**
 * In which other shells a line is read as well: an agent on Windows gives its own lines, which a POSIX shell would read
 * otherwise (`C:\\ -Recurse` is one word there). Cmdlets have names of a verb and a noun, commands of cmd options with a slash.
 */
export function windowsShells(line: string): ('powershell' | 'cmd')[] {
  const hasDrive = line.includes(':\\') && DRIVE.test(line)
  return [
    ...(hasDrive || (isLikeCmdlet(line) && CMDLET.test(line)) ? (['powershell'] as const) : []),
    ...(hasDrive || (startsCmd(line) && CMD.test(line)) ? (['cmd'] as const) : []),
  ]
}

/** Every line that `CMD` matches: compiling that pattern takes a new process half a millisecond. */
export function startsCmd(line: string): boolean {
  // Cutting a long line takes longer than the pattern.
  if (line.length > 4096) return true
  return line.split(/[&|\n]/).some((part) => {
    const word = /^\s*(\w+)/.exec(part)?.[1]
    return word !== undefined && CMD_PROGRAMS.has(word.toLowerCase())
  })
}

/** Every line that `CMDLET` matches. */
export function isLikeCmdlet(line: string): boolean {
  if (line.length > 4096) return LIKE_CMDLET.test(line)
  const lower = line.toLowerCase()
  return (CMDLET_HINTS.some((hint) => lower.includes(hint)) || hasVerb(lower)) && LIKE_CMDLET.test(line)
}

/** These, or a verb and a noun, are in every line that `LIKE_CMDLET` matches: without them it is not compiled. */
const CMDLET_HINTS = ['[', 'env:', 'iex', 'iwr', 'irm', 'gc', 'ri']

function hasVerb(lower: string): boolean {
  const isLetter = (at: number) => lower[at]! >= 'a' && lower[at]! <= 'z'
  for (let at = lower.indexOf('-'); at >= 0; at = lower.indexOf('-', at + 1))
    if (isLetter(at - 1) && isLetter(at + 1) && isLetter(at + 2) && isLetter(at + 3)) return true
  return false
}

/** Matches every line that `CMDLET` matches, and is compiled in a tenth of its time. */
const LIKE_CMDLET = /[a-z]-[a-z]{3}|\b(?:i(?:ex|wr|rm)|gc|ri)\b|\[|\benv:/i
const CMD_PROGRAMS = new Set(
  'del erase rd rmdir type more copy xcopy robocopy move ren format icacls cacls takeown reg certutil bitsadmin net for cipher attrib'.split(
    ' ',
  ),
)
const DRIVE = /(?:^|[\s"'=])[A-Za-z]:\\/
const CMDLET =
  /(?:^|[;|&({=\n])\s*(?:(?:add|clear|copy|disable|enable|expand|export|format|get|import|initialize|install|invoke|move|new|out|register|remove|rename|reset|resolve|restart|set|start|stop|uninstall|unregister|write)-[a-z]{3,}|iex|iwr|irm|gc|ri)(?=\s|$)(?!-)|\[(?:system\.)?(?:io|net|convert|environment)\b|\$env:\w|(?:^|[;|&({=\n])\s*(?:gci|gi|dir|ls)\s+(?:-path\s+)?['"]?env:/i
const CMD =
  /(?:^|[&|\n])\s*(?:del|erase|rd|rmdir|type|more|copy|xcopy|robocopy|move|ren|format|icacls|cacls|takeown|reg|certutil|bitsadmin|net|for|cipher|attrib)(?:\.exe)?\s[^\n]*(?:\s\/[a-z]{1,8}\b|[a-z]:\\|\\[\w.])/i
/** For tests. */
export const WINDOWS_LINES = { CMDLET, CMD }

export function scanCmd(code: string): Effect[] {
  const plain = code.replace(/\^([^\n])/g, '$1').replace(/%(?:systemroot|windir)%/gi, 'C:/Windows')
  return lines(plain, /\n|&{1,2}|\|{1,2}/).flatMap((argv): Effect[] => {
    const at = argv[0]?.text === 'for' ? argv.findIndex(({ text }) => /^do$/i.test(text)) : -1
    const folder = at === -1 ? -1 : argv.findIndex(({ text }) => /^\/[rd]$/i.test(text))
    // for /r C:\ %f in (*) do del %f
    const rest = at === -1 ? argv : argv.slice(at + 1)
    const start = folder === -1 ? undefined : argv[folder + 1]
    const [first, ...words] = rest.map((word) => (start && /^%%?\w$/.test(word.text) ? start : word))
    if (!first) return []
    const isShown =
      (first.text === 'set' && words.length === 0) ||
      (first.text === 'echo' &&
        words.some(({ text }) => [...text.matchAll(/%(\w+)%/g)].some(([, name]) => isSecretName(name!))))
    if (isShown) return [{ does: 'read', place: 'environment', why: 'prints secrets of the environment' }]
    const name = CMD_NAMES[first.text] ?? first.text
    return [{ argv: [{ ...first, text: name }, ...words] }]
  })
}

/** Names that mean something else outside of cmd. */
const CMD_NAMES: Readonly<Record<string, string>> = { type: 'cat', rmdir: 'rd', more: 'cat' }

/** `$x = 'text'; iex $x`. */
function withVariables(code: string): string {
  const values = new Map<string, string>()
  for (const [, name, text] of code.matchAll(/\$(\w+)\s*=\s*'([^']*)'/g))
    values.set(name!.toLowerCase(), text!)
  if (values.size === 0) return code
  let added = 0
  return code.replace(/\$(\w+)\b(?!\s*=)/g, (whole, name: string) => {
    const text = values.get(name.toLowerCase())
    if (text === undefined) return whole
    added += text.length
    if (added <= MAX_ADDED_CHARS) return text
    cutShort('variables make the script too long')
    return whole
  })
}

/** Parameters of cmdlets are written as people like; of other programs as they are. */
function ofCmdlet(argv: Word[]): Word[] {
  if (!/^[a-z]+-[a-z]+$|^(?:iwr|irm|saps|ri|gc|sc|ac|ni|gci|spps|sp)$/.test(argv[0]?.text ?? '')) return argv
  return argv.map((word) =>
    /^-[A-Za-z]+$/.test(word.text) ? { ...word, text: word.text.toLowerCase() } : word,
  )
}

/** `[IO.File]::ReadAllText('x')`, `[System.IO.Directory]::Delete('x', $true)`. */
function methods(code: string): Effect[] {
  return [...code.matchAll(/\[(?:system\.)?io\.(?:file|directory)\]::(\w+)\(\s*['"]([^'"]+)['"]/gi)].map(
    ([, name, path]): Effect => ({
      does: /^delete|^move/i.test(name!)
        ? 'delete'
        : /^(?:write|append|create)/i.test(name!)
          ? 'write'
          : 'read',
      path: { text: path! },
      ...(/^delete/i.test(name!) && { recursive: true }),
    }),
  )
}

/** `-InFile .env`, `-Body (Get-Content .env)`. */
function sentFiles(code: string): Effect[] {
  const uploads = [
    ...code.matchAll(
      /\.upload(?:file|data|string)\w*\(\s*[^,()]{1,300},\s*(?:['"](?:POST|PUT)['"]\s*,\s*)?['"]([^'"]+)['"]/gi,
    ),
  ]
  const saved = [...code.matchAll(/\.downloadfile\w*\(\s*[^,()]{1,300},\s*['"]([^'"]+)['"]/gi)]
  const byClient = [
    ...uploads.flatMap(([, text]): Effect[] => [
      { does: 'read', path: { text: text! } },
      { does: 'send', path: { text: text! } },
    ]),
    ...saved.map(([, text]): Effect => ({ does: 'write', path: { text: text! } })),
  ]
  if (!/\b(?:invoke-(?:restmethod|webrequest)|irm|iwr)\b/i.test(code)) return byClient
  return byClient.concat(
    [...code.matchAll(/(?:-infile\s+|-body\s+\(?\s*(?:get-content|gc)\s+)['"]?([^\s'")]+)/gi)].flatMap(
      ([, text]): Effect[] => [
        { does: 'read', path: text! },
        { does: 'send', path: text! },
      ],
    ),
  )
}

/** `dir env:`, `$env:API_KEY` by itself or printed. */
function environment(code: string): Effect[] {
  const isWhole =
    /\b(?:get-childitem|gci|dir|ls|get-item|gi|get-content)\s+(?:-path\s+)?['"]?env:[\\/]?\*?['"]?\s*(?:$|[|;)\n])/i
  const one = /(?:^|[;\n]|\b(?:echo|write-host|write-output|write))\s*\(?["']?\$env:(\w+)(?!\s*=|\w)/gi
  const called = /\[(?:system\.)?environment\]::getenvironmentvariable(?:s\s*\(|\s*\(\s*['"](\w+))/gi
  const isShown =
    isWhole.test(code) ||
    [...code.matchAll(one)].some(([, name]) => isSecretName(name!)) ||
    [...code.matchAll(called)].some(([, name]) => name === undefined || isSecretName(name))
  return isShown ? [{ does: 'read', place: 'environment', why: 'prints secrets of the environment' }] : []
}

/** `Get-ChildItem C:\ -Recurse | Remove-Item`: what is listed is deleted. */
function pipedDeletes(code: string): Effect[] {
  const effects: Effect[] = []
  for (const statement of code.split(/[;\n]/)) {
    const [from = '', ...to] = statement.split('|')
    const deletes = /^\s*(?:(?:foreach-object|foreach|%)\s*\{\s*)?(?:remove-item|ri|rm|del|rd|erase)\b/i
    if (!to.some((each) => deletes.test(each))) continue
    if (to.some((each) => /^\s*(?:where(?:-object)?|\?|select\w*)\b/i.test(each))) continue
    const listing = /^\s*(?:get-childitem|gci|dir|ls|get-item|gi)\b(.*)$/is.exec(from)
    if (!listing || /-(?:filter|include|exclude)\b/i.test(listing[1]!)) continue
    const path = /(?:^|\s)(?!-)("[^"]+"|'[^']+'|[^\s"']+)/.exec(
      listing[1]!.replace(/-(?:path|literalpath)\b/gi, ''),
    )
    if (path) effects.push({ does: 'delete', path: { text: path[1]!.replace(/["']/g, '') }, recursive: true })
  }
  return effects
}

/** `iex (iwr …)`, `iex $client.DownloadString(…)`, `iex (… FromBase64String …)`. */
function ranAsCode(code: string): Effect[] {
  if (!/\b(?:iex|invoke-expression)\b|\[scriptblock\]::create|\.invokescript\(/i.test(code)) return []
  if (/\b(?:iwr|irm|curl|wget|invoke-(?:webrequest|restmethod)|downloadstring|downloaddata)\b/i.test(code))
    return [{ does: 'run', place: 'remote', why: 'runs what it fetches' }]
  return /frombase64string|-join\s|\[char\]|decompress/i.test(code)
    ? [{ does: 'run', place: 'decoded', why: 'runs what it decodes' }]
    : []
}

/** The commands of a line by program and arguments; the program's name in lower case, as these shells take it. */
function lines(code: string, separator: RegExp): Word[][] {
  return atMost(pieces(code, separator), MAX_COMMANDS, 'commands in a script')
    .map((line) => {
      const words = line.match(/"(?:`.|[^"])*"|'[^']*'|[^\s"'(){}]+/g) ?? []
      const argv = atMost(words, MAX_WORDS, 'words of a command').map((text) => {
        const bare = (/^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text).replace(
          /^(?:\$HOME|\$env:(?:HOME|USERPROFILE)|%USERPROFILE%)(?=[\\/]|$)/i,
          '~',
        )
        return { text: bare, ...(/[$%]\w/.test(bare) && !text.startsWith("'") && { unknown: true }) }
      })
      if (argv[0]?.text === '&' || argv[0]?.text === '.') argv.shift()
      return argv.map((word, at) => (at === 0 ? { ...word, text: word.text.toLowerCase() } : word))
    })
    .filter((argv) => argv.length > 0)
}

/** Cut where the separator stands outside of quotes. */
function pieces(code: string, separator: RegExp): string[] {
  const found: string[] = []
  let start = 0
  const quoteOrSeparator = new RegExp(`"(?:\`.|[^"])*"|'[^']*'|(${separator.source})`, 'g')
  for (const match of code.matchAll(quoteOrSeparator)) {
    if (match[1] === undefined) continue
    found.push(code.slice(start, match.index))
    start = match.index + match[0].length
  }
  found.push(code.slice(start))
  return found
}
