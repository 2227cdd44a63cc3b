/**
 * What is stored about indexes in the state folder, authenticated by its key: the list, and a search table for each.
 */

import { createHash } from 'node:crypto'
import { closeSync, readdirSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isMac, mac, stateKey } from '../config/state-key.ts'
import { writeWhole } from '../config/write-whole.ts'
import { canonicalJson } from '../fast/digest.ts'
import type { PublicKey } from '../sign/keys.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { openPlain, readText } from '../spec/read-file.ts'
import type { PackRecord } from './description.ts'

export interface KnownIndex {
  name: string
  /** Of the folder that holds index.json; ends with a slash. */
  url: string
  /** Null: unsigned, accepted by a person. */
  key: PublicKey | null
  mirrors: string[]
  /** Name of the variable, or the file, with the token. Never the token itself. */
  token_env?: string
  token_file?: string
  ca?: string
  serial: number
  digest: string
  issued: string
  expires?: string
  fetched: string
  etag?: string
  revoked: { key: string; at: string; reason: string }[]
  /** SHA-256 of the table of this index: see `writeTables`. */
  table: string
  packs: number
}

export interface Found {
  index: string
  name: string
  version: string
  signed: boolean
  description: string
}

// Tables: `ID.packs` has one line of JSON for each pack, `ID.table` one line of text with all that a search needs and
// the place and digest of the pack's line. list.json, which has a MAC, holds the digest of the table.

const TAB = '\t'

export interface TableRow {
  name: string
  record: PackRecord
  version: string
  isSigned: boolean
  /** Beside its name and description. */
  words: readonly string[]
}

export function writeTables(folder: string, packs: readonly TableRow[]): string {
  const lines: string[] = []
  const rows: string[] = []
  let offset = 0
  for (const { name, record, version, isSigned, words } of packs) {
    const line = JSON.stringify(record)
    const length = Buffer.byteLength(line)
    const searched = flat([name, record.description, ...words].join(' ').toLowerCase())
    const signed = isSigned ? 'signed' : 'unsigned'
    rows.push(
      [searched, name, version, signed, offset, length, sha256(line), flat(record.description)].join(TAB),
    )
    lines.push(line)
    offset += length + 1
  }
  const table = `${rows.join('\n')}\n`
  const digest = sha256(table)
  writeWhole(join(folder, `${digest.slice(0, 32)}.packs`), `${lines.join('\n')}\n`)
  writeWhole(join(folder, `${digest.slice(0, 32)}.table`), table)
  return digest
}

function flat(text: string): string {
  return text.replace(/[\s\u0085\u2028\u2029]+/g, ' ')
}

function tableText(folder: string, { name, table }: KnownIndex): string {
  let text: string
  try {
    text = readText(join(folder, `${table.slice(0, 32)}.table`))
  } catch (error) {
    throw damaged(name, messageOf(error), error)
  }
  if (sha256(text) !== table) throw damaged(name, 'it was changed')
  return text
}

interface Line {
  offset: number
  length: number
  digest: string
}

export function* readTable(folder: string, known: KnownIndex): Generator<{ name: string; line: Line }> {
  for (const row of tableText(folder, known).split('\n')) {
    const [, name, , , offset, length, digest] = row.split(TAB)
    if (name !== undefined)
      yield { name, line: { offset: Number(offset), length: Number(length), digest: digest! } }
  }
}

/** Each word must occur; the text is searched for the longest one. */
export function searchTable(folder: string, known: KnownIndex, words: readonly string[]): Found[] {
  const text = tableText(folder, known)
  const wanted = words.map((word) => word.toLowerCase()).toSorted((a, b) => b.length - a.length)
  const [first = ''] = wanted
  const found: Found[] = []
  for (let at = text.indexOf(first); at >= 0 && at < text.length; at = text.indexOf(first, at)) {
    const start = text.lastIndexOf('\n', at - 1) + 1
    const end = text.indexOf('\n', at)
    if (end < 0) break
    const [words_, name, version, signed, , , , description] = text.slice(start, end).split(TAB)
    if (name !== undefined && wanted.every((word) => words_!.includes(word)))
      found.push({
        index: known.name,
        name,
        version: version!,
        signed: signed === 'signed',
        description: description!,
      })
    at = end + 1
  }
  return found
}

export function readRecord(folder: string, known: KnownIndex, name: string): PackRecord | undefined {
  const text = tableText(folder, known)
  const at = text.indexOf(`${TAB}${name}${TAB}`)
  if (at < 0) return undefined
  const row = text.slice(text.lastIndexOf('\n', at) + 1, text.indexOf('\n', at)).split(TAB)
  if (row[1] !== name) return undefined
  return readLine(folder, known, { offset: Number(row[4]), length: Number(row[5]), digest: row[6]! })
}

export function readLine(
  folder: string,
  { name, table }: KnownIndex,
  { offset, length, digest }: Line,
): PackRecord {
  const descriptor = openPlain(join(folder, `${table.slice(0, 32)}.packs`))
  try {
    const bytes = Buffer.alloc(length)
    readSync(descriptor, bytes, 0, length, offset)
    const line = bytes.toString('utf8')
    if (sha256(line) !== digest) throw damaged(name, 'it was changed')
    return JSON.parse(line) as PackRecord
  } finally {
    closeSync(descriptor)
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Removes tables of earlier indexes. */
export function tidy(folder: string, indexes: readonly KnownIndex[]): void {
  const used = new Set(indexes.map(({ table }) => table.slice(0, 32)))
  for (const name of readdirSync(folder))
    if (/\.(?:packs|table)$/.test(name) && !used.has(name.replace(/\.\w+$/, '')))
      rmSync(join(folder, name), { force: true })
}

export function readList(file: string, stateDir: string): KnownIndex[] {
  let text: string
  try {
    text = readText(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw unusable(file, messageOf(error), error)
  }
  let found: { indexes?: KnownIndex[]; mac?: unknown }
  try {
    found = JSON.parse(text) as typeof found
  } catch (error) {
    throw unusable(file, 'it is not JSON', error)
  }
  if (!Array.isArray(found?.indexes)) throw unusable(file, 'it is damaged')
  if (!isMac(found.mac, stateKey(stateDir), 'packs', canonicalJson(found.indexes)))
    throw unusable(
      file,
      'somebody else than crosshook has written it, or the key of the state folder is gone',
    )
  return found.indexes
}

export function writeList(file: string, stateDir: string, indexes: readonly KnownIndex[]): void {
  const proof = mac(stateKey(stateDir), 'packs', canonicalJson(indexes))
  writeWhole(file, `${JSON.stringify({ version: 1, indexes, mac: proof }, null, 2)}\n`)
}

function unusable(file: string, why: string, cause?: unknown): CrosshookError {
  return new CrosshookError('store', `the list of indexes ${file} cannot be used: ${why}`, {
    fix: 'Restore it, or remove it and add your indexes again.',
    cause,
  })
}

function damaged(name: string, why: string, cause?: unknown): CrosshookError {
  return new CrosshookError('store', `what is kept of the index ${name} cannot be used: ${why}`, {
    fix: `Fetch it again: crosshook index remove ${name}, then crosshook index add.`,
    cause,
  })
}
