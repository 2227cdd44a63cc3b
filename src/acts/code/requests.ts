/** Requests whose answer nobody looks at. */

import { hostOf, isNearHost } from '../hosts.ts'
import type { Effect } from '../program.ts'
import { REQUESTS } from './calls.ts'
import type { Scan } from './expression.ts'
import type { Token } from './tokens.ts'

/** A statement that is a request and nothing else: `urlopen("https://…")`, `s.connect((host, 80))`. */
export function isOnlyRequest(scan: Scan, start: number): boolean {
  const { tokens } = scan
  const isEnd = (token: Token | undefined) =>
    token === undefined || token.kind === 'line' || (token.kind === 'sign' && token.sign === ';')
  const before = tokens[start - 1]
  const isAwaited = before?.kind === 'name' && before.name === 'await'
  if (!isEnd(isAwaited ? tokens[start - 2] : before) || !isEnd(tokens[scan.at])) return false
  let at = start
  let name = ''
  for (let token = tokens[at]; token?.kind === 'name'; token = tokens[at]) {
    name += at === start ? (scan.names.get(token.name) ?? token.name) : `.${token.name}`
    at++
    const next = tokens[at]
    if (next?.kind !== 'sign' || next.sign !== '.') break
    at++
  }
  return (REQUESTS.test(name) || /\.connect(?:_ex)?$/.test(name)) && closesAt(tokens, at) === scan.at
}

/** Where the call ends whose bracket opens here. */
function closesAt(tokens: readonly Token[], from: number): number {
  let open = 0
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.kind !== 'sign') continue
    if (token.sign === '(') open++
    else if (token.sign === ')' && --open === 0) return at + 1
  }
  return -1
}

/** A request whose answer nobody looks at tells the other machine something, and does nothing else. */
export function unheard(scan: Scan, from: number): Effect[] {
  return scan.effects.slice(from).flatMap((effect): Effect[] => {
    if (!('does' in effect) || effect.does !== 'connect' || effect.host === undefined) return []
    const text = typeof effect.host === 'string' ? effect.host : effect.host.text
    const host = hostOf(text)
    return host === undefined || isNearHost(host)
      ? []
      : [{ does: 'send', host: text, place: 'remote', why: `calls ${host} and does not look at the answer` }]
  })
}
