/** Where the secrets of a text are: one detector for guards, for redaction and for whoever else asks. */

import { occurrences } from '../fast/occurrences.ts'
import { findCommands } from './find-commands.ts'
import { findKnown, secretValues } from './find-known.ts'
import { findNamed, isNamedKind } from './find-named.ts'
import { findShapes } from './find-shapes.ts'
import { findInUrls } from './find-urls.ts'
import { MARKS } from './mark.ts'

export interface Secret {
  /** What it is, in a few letters: `github-pat`, `password`, `url-login`, `environment`. */
  kind: string
  start: number
  end: number
  /**
   * It has the documented shape of a key, is a private key, is known from the environment, or its name says that it is
   * a secret and it was drawn at random. Otherwise only its place or its name says so: enough to keep it out of a
   * record, too little to block a person's work.
   */
  certain: boolean
}

export interface FindOptions {
  /** Values of variables whose names say that they are secret are looked for as they are. */
  env?: Readonly<Record<string, string | undefined>>
  /** Such values, where they are known already. */
  known?: Iterable<string>
  /** Only by looks and by known values: for names, in which `secret:x[0]` is no pair. */
  byLooks?: boolean
  /** Only those that are certain, which is quicker. */
  certain?: boolean
}

/** From left to right, none within another. Time grows with the length of the text only, whatever is in it. */
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
      findInUrls(spaced, add)
      findCommands(spaced, add)
    }
    findNamed(spaced, found, add)
    findBeside(spaced, found, add)
  }
  return merged(spaced, found)
}

/** A mark is no secret, whatever words are in it. As long as before, so that places stay what they are. */
function withoutMarks(text: string): string {
  return text.includes('[REDACTED') ? text.replaceAll(MARKS, (mark) => NO_WORD.repeat(mark.length)) : text
}

/** A character of no alphabet. */
const NO_WORD = '\ue000'
const ONLY_MARKS = /^\ue000*$/

/**
 * In JSON a line that begins with `auth=` reads `\nauth=`: such ends of lines must not join its words. As long as
 * before, so that places stay what they are.
 */
function withoutEscapes(text: string): string {
  return ESCAPED.test(text) ? text.replaceAll(/(?<!\\)\\[nrt]/g, ' \u2028') : text
}

const ESCAPED = /\\[nrt]/

/** How far from an access key its secret may stand, in characters. */
const NEAR = 240
const AWS_SECRET = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g

/** A bare AWS secret has no shape of its own, but stands beside its access key. */
function findBeside(text: string, found: readonly Secret[], add: (secret: Secret) => void): void {
  let done = 0
  for (const { kind, start, end } of found.filter((each) => each.kind.startsWith('aws-'))) {
    if (kind === 'aws-bedrock' || start < done) continue
    const from = Math.max(0, start - NEAR)
    for (const { 0: word, index } of occurrences(AWS_SECRET, text.slice(from, end + NEAR)))
      if (/\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word))
        add({ kind: 'aws-secret', start: from + index, end: from + index + 40, certain: true })
    done = end + NEAR
  }
}

/** Overlapping ones become one; what is already a mark is none. */
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
