/** Secrets recognised by their form, anywhere in a text. */

import { occurrences } from '../fast/occurrences.ts'
import type { Secret } from './find.ts'
import { entropy, isMade, isPlaceholder } from './placeholders.ts'
import { isWordCode, prefixAt } from './prefixes.ts'
import { type Shape, shapes } from './shapes.ts'

export function findShapes(text: string, add: (found: Secret) => void): void {
  if (text.includes('PRIVATE KEY')) findKeyBlocks(text, add)
  findPrefixed(text, add)
  for (const other of (others ??= OTHERS())) {
    if (!text.includes(other[1])) continue // checked before it is destructured, which costs more
    const [kind, , pattern, certain, least] = other
    for (const { 0: all, index, indices } of occurrences(pattern, text)) {
      const [start, end] = indices?.[1] ?? [index, index + all.length]
      const value = text.slice(start, end)
      if (isPlaceholder(value) || entropy(value) < least) continue
      add({ kind, start, end, certain: certain && !isMade(value) })
    }
  }
}

/** The rows of `shapes.ts`: one search for all prefixes, then the part after the one that was found. */
function findPrefixed(text: string, add: (found: Secret) => void): void {
  let done = 0
  /** Up to here a text without the exact shape was judged: repeating it from each part would take long. */
  let judged = 0
  let isInWord = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const isStart = !isInWord
    isInWord = isWordCode(code)
    if (!isStart || index < done) continue
    const prefix = prefixAt(text, index)
    if (prefix === undefined) continue
    const own = rowsOf(prefix)
    const exact = own.find((row) => row.isSecret(text, index))
    const kind = exact?.kind ?? own[0]!.kind
    if (exact) {
      done = exact.end()
      add({ kind, start: index, end: done, certain: true })
    } else if (index >= judged && isLoose(prefix)) {
      const body = bodyAt(text, index + prefix.length)
      const end = index + prefix.length + body.length
      if (hasSecret(body)) add({ kind, start: index, end, certain: false })
      judged = end
    }
  }
}

interface Row {
  kind: string
  isSecret(text: string, start: number): boolean
  /** Its end; call after `isSecret`. */
  end(): number
}

/** By prefix; made when the prefix is first seen in a text. */
const rows = new Map<string, Row[]>()

/** The rows of the prefix, then those of shorter ones, which the text may also match. */
function rowsOf(prefix: string): Row[] {
  let own = rows.get(prefix)
  if (!own) {
    const fitting = shapes().filter(([, each]) => prefix.startsWith(each))
    own = fitting.sort((a, b) => b[1].length - a[1].length).map(toRow)
    rows.set(prefix, own)
  }
  return own
}

function toRow([kind, prefix, body, least = 2.5]: Shape): Row {
  const pattern = new RegExp(`${escaped(prefix)}(?:${body})(?![A-Za-z0-9])`, 'y')
  // By chance a key has letters only: behind such a prefix, at the length of a key, they are no word.
  const isOwn = LOOSE.has(prefix) || (prefix.length >= 4 && !ORDINARY.test(prefix))
  const isOneRun = (rest: string) => isOwn && /^(?:live_|test_|prod_)?[A-Za-z]{16,}$/.test(rest)
  return {
    kind,
    isSecret(text, start) {
      pattern.lastIndex = start
      const found = pattern.exec(text)?.[0]
      if (found === undefined) return false
      const rest = found.slice(prefix.length)
      return (
        least === 0 || (!isMade(rest) && entropy(rest) >= least && !(WORDS.test(rest) && !isOneRun(rest)))
      )
    },
    end: () => pattern.lastIndex,
  }
}

/** Not exactly the documented shape, as in truncated text or a new kind: enough to keep it out of a record. */
function hasSecret(body: string): boolean {
  if (body.length < MIN_BODY_CHARS || isPlaceholder(body) || WORDS.test(body) || /example$/i.test(body))
    return false
  const isMixed = /\d/.test(body) && /[A-Za-z]/.test(body)
  return isMixed || (/[a-z][A-Z]/.test(body) && entropy(body) > 3.5)
}

/** False when the prefix also begins ordinary names. */
function isLoose(prefix: string): boolean {
  return LOOSE.has(prefix) || (prefix.length >= 4 && /[_.-]$/.test(prefix) && !ORDINARY.test(prefix))
}

const ORDINARY =
  /^(?:api|key|pubkey|test|live|web|ext|auth|pat|sat|sdk|mob|secret|access|sandbox|production|act|hawk|persona|customer|organizations|rnd|inc|mka|exp|dsp|API)[-_.]$/

function bodyAt(text: string, start: number): string {
  BODY.lastIndex = start
  return BODY.exec(text)![0]
}

const BODY = /[\w.~+/=-]{0,1024}/y
const MIN_BODY_CHARS = 12
/** Short prefixes for which the loose form counts anyway. */
const LOOSE = new Set([
  'sk-',
  'sk_',
  'pk_',
  'rk_',
  'hf_',
  'r8_',
  'SG.',
  'AKIA',
  'ASIA',
  'AIza',
  '1//0',
  'AGE-SECRET-KEY-1',
  'ATATT3',
  'GR1348941',
])
/** `sk-learn-contrib-0.3`, `test_that_v2_works`: words with short numbers between them. */
const WORDS = /^(?:[-_./]*(?:[A-Za-z]{1,24}|\d{1,4}|v\d{1,3}|[A-Za-z]{1,12}\d{1,2})(?![A-Za-z0-9]))*[-_./]*$/

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

type Other = readonly [kind: string, anchor: string, pattern: RegExp, certain: boolean, entropy: number]

let others: readonly Other[] | undefined

/** Shapes without a fixed prefix; `anchor` must be in the text. The first group, if any, is the secret. */
const OTHERS = (): readonly Other[] => [
  ['azure-client', 'Q~', /(?<![^"'`\s=:,;(<>\\])[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w~-])/dg, true, 3],
  ['maxmind', '_mmk', /(?<![A-Za-z0-9_])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?!\w)/dg, true, 3],
  [
    'terraform-cloud',
    '.atlasv1.',
    /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}(?![\w-])/dg,
    true,
    3,
  ],
  ['telegram-bot', ':A', /(?<![A-Za-z0-9])\d{5,16}:A[\w-]{34}(?![\w-])/dg, true, 3],
  ['telegram-bot', ':AA', /(?<![A-Za-z0-9])\d{6,12}:AA[\w-]{20,60}(?![\w-])/dg, false, 3],
  ['discord-bot', '.', /(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6,7}\.[\w-]{27,40}(?![\w-])/dg, true, 3.5],
  ['facebook-app', '|', /(?<!\d)\d{15,16}(?:\||%7C)[\w-]{27,40}(?![\w-])/dg, true, 3],
  ['jwt', 'eyJ', /(?<![\w-])eyJ[\w-]{14,4096}\.eyJ[\w-]{14,8192}\.[\w-]{0,8192}/dg, true, 3],
  ['jwt', 'eyJ', /(?<![\w-])eyJ[\w-]{6,8192}(?:\.[\w-]{0,8192}){1,4}/dg, false, 2.5],
  [
    'jwt-base64',
    'ZXlK',
    /(?<![\w+/-])ZXlK(?:aGJHY2lPaU|[A-Za-z0-9+/]{4,12})[A-Za-z0-9+/]{60,8192}={0,2}/dg,
    true,
    3,
  ],
  [
    'slack-webhook',
    'hooks.slack.com',
    /hooks\.slack\.com\/((?:services|workflows|triggers)\/[A-Za-z0-9+/]{43,56})/dg,
    true,
    3,
  ],
  [
    'slack-webhook',
    'hooks.slack.com',
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w+/-]{8,200})/dg,
    false,
    2,
  ],
  [
    'discord-webhook',
    '/api/webhooks/',
    /discord(?:app)?\.com\/api\/webhooks\/(\d{16,20}\/[\w-]{40,80})/dg,
    true,
    3,
  ],
  [
    'teams-webhook',
    '.webhook.office.com',
    /\.webhook\.office\.com\/(webhookb2\/[a-z0-9-]{36}@[a-z0-9-]{36}\/IncomingWebhook\/[a-z0-9]{32}\/[a-z0-9-]{36})/dgi,
    true,
    3,
  ],
  ['zapier-webhook', 'hooks.zapier.com', /hooks\.zapier\.com\/hooks\/catch\/([\w/]{8,60})/dg, true, 2],
  ['bot-path', '/bot', /\/bot(\d{5,16}:[\w-]{20,64})/dg, false, 3],
  ['mailchimp', '-us', /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![\w-])/dg, false, 3],
  [
    'rapidapi',
    'msh',
    /(?<![A-Za-z0-9])[0-9a-f]{8,12}msh[0-9a-f]{13,20}p1[0-9a-f]{5,8}jsn[0-9a-f]{10,14}(?![A-Za-z0-9])/dg,
    true,
    3,
  ],
  ['ethereum-key', '0x', /(?<![A-Za-z0-9])0x[0-9a-fA-F]{64}(?![A-Za-z0-9])/dg, false, 3],
  [
    'sidekiq',
    'contribsys.com',
    /https?:\/\/([0-9a-f]{8}:[0-9a-f]{8})@(?:gems|enterprise)\.contribsys\.com/dg,
    true,
    2,
  ],
  ['azure-storage', 'AccountKey=', /AccountKey=([A-Za-z0-9+/]{86}==)/dg, true, 4],
  ['azure-sas', 'sig=', /[?&]sig=([A-Za-z0-9%+/]{40,120}(?:=|%3D))(?![A-Za-z0-9%])/dg, true, 3],
]

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?=\s|\\[rn])/g
const END = /-----END [A-Z0-9 ]{0,60}-----/g

/** A block without its end, as in truncated text, extends to the end of the text. */
function findKeyBlocks(text: string, add: (found: Secret) => void): void {
  let done = 0
  for (const { index } of occurrences(BEGIN, text)) {
    if (index < done) continue
    END.lastIndex = index
    done = END.exec(text) ? END.lastIndex : text.length
    add({ kind: 'private-key', start: index, end: done, certain: true })
  }
}
