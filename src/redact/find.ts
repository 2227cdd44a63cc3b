/** Finds the secrets in a text: one detector for guards, redaction and others. */

import { occurrences } from '../fast/occurrences.ts'
import { findCommands } from './find-commands.ts'
import { findKnown, secretValues } from './find-known.ts'
import { findNamed, isNamedKind } from './find-named.ts'
import { findShapes } from './find-shapes.ts'
import { findInUrls } from './find-urls.ts'
import { MARKS } from './mark.ts'

export interface Secret {
  /** Short name of its kind: `github-pat`, `password`, `url-login`, `environment`. */
  kind: string
  start: number
  end: number
  /**
   * It has the documented shape of a key, is a private key, is known from the environment, or has a secret name and
   * looks random. Otherwise only its place or name suggests it: enough to keep it out of a record, too little to block
   * work.
   */
  certain: boolean
}

export interface FindOptions {
  /** Values of variables with secret names are searched literally. */
  env?: Readonly<Record<string, string | undefined>>
  /** Such values, if already known. */
  known?: Iterable<string>
  /** Only by form and known values: for names, in which `secret:x[0]` is not a pair. */
  byLooks?: boolean
  /** Only certain ones, which is faster. */
  certain?: boolean
}

const ANNOUNCING = ['login', 'bearer', 'basic', 'identified']

/** Has it words before a secret, in any case? One look for all patterns with such a word: most texts have none. */
export function announces(text: string): boolean {
  const lower = text.toLowerCase()
  return ANNOUNCING.some((word) => lower.includes(word))
}

/** In order, not overlapping. Linear time, whatever the text. */
export function findSecrets(
  text: string,
  { env, known, byLooks = false, certain = false }: FindOptions = {},
): Secret[] {
  const found: Secret[] = []
  const add = (secret: Secret) => {
    if (secret.end > secret.start && (secret.certain || !certain)) found.push(secret)
  }
  if (known) findKnown(text, known, add)
  if (env) findKnown(text, secretValues(env), add)
  const spaced = withoutEscapes(withoutMarks(text))
  findShapes(spaced, add)
  if (!byLooks) {
    if (!certain) {
      const isAnnounced = announces(spaced)
      findInUrls(spaced, isAnnounced, add)
      findCommands(spaced, isAnnounced, add)
    }
    findNamed(spaced, found, add)
    findBeside(spaced, found, add)
  }
  return merged(spaced, found)
}

/** A redaction mark is not a secret. Keeps the length, so that positions stay valid. */
function withoutMarks(text: string): string {
  return text.includes('[REDACTED') ? text.replaceAll(MARKS, (mark) => NO_WORD.repeat(mark.length)) : text
}

/** A character outside every alphabet. */
const NO_WORD = '\ue000'
const ONLY_MARKS = /^\ue000*$/

/**
 * In JSON a line that begins with `auth=` reads `\nauth=`: such escapes must not join words. Keeps the length, so that
 * positions stay valid.
 */
function withoutEscapes(text: string): string {
  return ESCAPED.test(text) ? text.replaceAll(/(?<!\\)\\[nrt]/g, ' \u2028') : text
}

const ESCAPED = /\\[nrt]/

/** How far from an access key its secret may be. */
const NEAR_CHARS = 240
const AWS_SECRET = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g

/** A bare AWS secret has no shape, but stands beside its access key. */
function findBeside(text: string, found: readonly Secret[], add: (secret: Secret) => void): void {
  let done = 0
  for (const { kind, start, end } of found.filter((each) => each.kind.startsWith('aws-'))) {
    if (kind === 'aws-bedrock' || start < done) continue
    const from = Math.max(0, start - NEAR_CHARS)
    for (const { 0: word, index } of occurrences(AWS_SECRET, text.slice(from, end + NEAR_CHARS)))
      if (/\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word))
        add({ kind: 'aws-secret', start: from + index, end: from + index + 40, certain: true })
    done = end + NEAR_CHARS
  }
}

/** Overlapping ones are joined; redaction marks are skipped. */
function merged(text: string, found: Secret[]): Secret[] {
  if (found.length === 0) return found
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  const out: Secret[] = []
  for (const secret of found) {
    const last = out.at(-1)
    if (!last || secret.start >= last.end) {
      out.push({ ...secret })
      continue
    }
    last.end = Math.max(last.end, secret.end)
    if (secret.certain && (!last.certain || isNamedKind(last.kind))) last.kind = secret.kind
    last.certain ||= secret.certain
  }
  return out.filter(({ start, end }) => !ONLY_MARKS.test(text.slice(start, end)))
}
