/** What calls have in common: `rm -rf PATH`, whatever the path. Equal calls in this form are shown once. */

import { redactClipped, redactDeep } from '../redact/redact.ts'
import type { HookEvent } from '../spec/event.ts'

const MAX_CHARS = 120
/** Words of a command that are looked at. */
const MAX_WORDS = 40

export function likenessOf({ tool_name, tool_input }: HookEvent): string {
  const input = (tool_input ?? {}) as Record<string, unknown>
  const { command, path, url, pattern } = input
  const line = Array.isArray(command) ? command.join(' ') : command
  if (typeof line === 'string' && line !== '') return cut(likeLine(line))
  if (typeof path === 'string') return cut(`${tool_name} ${likeFile(path)}`)
  if (typeof url === 'string') return cut(`${tool_name} ${hostOf(url)}`)
  if (typeof pattern === 'string') return cut(`${tool_name} PATTERN`)
  return cut(`${tool_name} ${Object.keys(input).sort().slice(0, 8).join(', ')}`)
}

/** For display: a word cut out of a URL would no longer be recognised as a secret. */
export function shownLikeness(event: HookEvent): string {
  const { command, path, url, pattern, ...rest } = (event.tool_input ?? {}) as Record<string, unknown>
  const used = redactDeep({ command, path, url, pattern })
  const others = Object.fromEntries(Object.keys(rest).map((name) => [name, null]))
  const given = Object.entries({ ...used, ...others }).filter(([, value]) => value !== undefined)
  return redactClipped(likenessOf({ ...event, tool_input: Object.fromEntries(given) }), 150)
}

/** The words of the line; variable parts become the name of their kind. */
function likeLine(line: string): string {
  const text = line.slice(0, 4000).replace(/<<-?\s*['"]?(\w+)['"]?[\s\S]*/, '<< TEXT')
  const words =
    text.match(/"(?:[^"\\]|\\.)*"|'[^']*'|&&|\|\||[|;&<>]+|[^\s|;&<>"']+(?:"[^"]*"|'[^']*')*/g) ?? []
  let isProgram = true
  let bare = 0
  const out = words.slice(0, MAX_WORDS).map((word) => {
    if (/^[|;&]/.test(word)) {
      isProgram = true
      bare = 0
      return word
    }
    if (isProgram) {
      if (/^\w+=/.test(word)) return `${word.slice(0, word.indexOf('='))}=VALUE`
      isProgram = /^(?:sudo|env|nohup|time|exec)$/.test(word)
      return /^\w+:\/\//.test(word) ? 'URL' : word.slice(word.lastIndexOf('/') + 1)
    }
    return likeWord(word, () => ++bare <= 1)
  })
  return out.join(' ').replaceAll(/(\b[A-Z]+\b)(?: \1)+/g, '$1 …')
}

function likeWord(word: string, mayStay: () => boolean): string {
  if (/^[<>]/.test(word)) return word
  if (/^["']/.test(word)) return 'TEXT'
  if (word.startsWith('-')) return word.replace(/=.*/, '=VALUE').replace(/\d+/g, 'N')
  if (/^\w+:\/\//.test(word)) return 'URL'
  if (/[$`]/.test(word)) return 'VARIABLE'
  if (/[/~*]|^\.|\.\w{1,5}$/.test(word)) return dotFile(word) ?? 'PATH'
  if (/\d/.test(word)) return 'NAME'
  // The first plain word is usually a sub-command.
  return mayStay() ? word : 'NAME'
}

/** Names such as `.env` and `id_rsa` are what guards are about, so they stay. */
function dotFile(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /^\.\w+$|^id_\w+$|\.(?:pem|key|env)$/.test(name) ? name : undefined
}

function likeFile(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const known = dotFile(path)
  if (known !== undefined) return known
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `*${name.slice(dot)}` : 'PATH'
}

function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return 'URL'
  }
}

function cut(text: string): string {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text
}
