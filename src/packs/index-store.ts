/**
 * The indexes that a person uses, and what each said last. Kept in the state folder, proven by its key: an index that goes
 * back, or says something else about a version than before, is refused.
 */

import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isMac, mac, stateKey } from '../config/state-key.ts'
import { writeWhole } from '../config/write-whole.ts'
import { canonicalJson } from '../fast/digest.ts'
import type { PublicKey } from '../sign/keys.ts'
import { followRotations, type Rotation } from '../sign/rotation.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { type Got, get } from './http.ts'
import { INDEX_FILE, type Index, MOST_INDEX_BYTES, readIndex, type SignedIndex } from './index-file.ts'
import { latestOf, type PackRecord } from './record.ts'
import type { Surroundings } from './sources/source.ts'

export interface KnownIndex {
  name: string
  /** Of the folder that holds index.json; ends with a slash. */
  url: string
  /** Null: it is not signed, and a person has agreed to that. */
  key: PublicKey | null
  mirrors: string[]
  /** Name of the variable, or the file, that holds the token. Never the token itself. */
  token_env?: string
  token_file?: string
  ca?: string
  serial: number
  digest: string
  issued: string
  expires?: string
  fetched: string
  etag?: string
  revoked: NonNullable<Index['revoked']>
  /** SHA-256 of the table of this index: see `writeTables`. */
  table: string
  packs: number
}

export type AddIndex = Pick<KnownIndex, 'url' | 'mirrors'> &
  Partial<Pick<KnownIndex, 'token_env' | 'token_file' | 'ca'>> & {
    key?: PublicKey
    /** A person has agreed to an index that nobody signs. */
    unsigned?: boolean
  }

/** How old what an index said may be before it is asked again, in milliseconds. */
const FRESH = 60 * 60 * 1000

export interface IndexStore {
  list(): KnownIndex[]
  add(wanted: AddIndex): Promise<KnownIndex>
  remove(name: string): boolean
  /** Asks those that were not asked for an hour, or all. What cannot be reached is among the notes, and its cache counts. */
  refresh(options?: { force?: boolean; offline?: boolean }): Promise<string[]>
  search(words: readonly string[]): Found[]
  find(name: string): { index: KnownIndex; record: PackRecord }[]
}

export interface Found {
  index: string
  name: string
  version: string
  signed: boolean
  description: string
}

export function openIndexes(around: Surroundings): IndexStore {
  const folder = join(around.stateDir, 'indexes')
  const file = join(folder, 'list.json')
  const list = () => readList(file, around.stateDir)
  const write = (indexes: readonly KnownIndex[]) => writeList(file, around.stateDir, indexes)
  return {
    list,
    async add({ key, unsigned = false, ...wanted }) {
      const url = wanted.url.replace(new RegExp(`(?:/|/${INDEX_FILE})?$`), '/')
      const { got } = await fetchIndex({ ...wanted, url }, around)
      const read = readIndex(got.bytes)
      if (read.key === null && !unsigned)
        throw new CrosshookError('refused', `nobody has signed the index ${url}`, {
          fix: 'Whoever can change it, or what comes between, decides what is added. To use it all the same: --unsigned.',
        })
      if (key !== undefined && read.key !== key)
        throw new CrosshookError('refused', `the index ${url} is signed by another key than the one given`, {
          fix: 'Nothing was added. Ask whoever hosts it for its key.',
        })
      const others = list()
      const before = others.find(({ name }) => name === read.index.name)
      if (before && before.url !== url)
        throw new CrosshookError('exists', `there is an index "${before.name}" already: ${before.url}`, {
          fix: `Remove it first: crosshook index remove ${before.name}`,
        })
      if (before) checkNext(before, read, folder)
      const made = keep(folder, read, { ...wanted, url }, got, before)
      write([...others.filter(({ name }) => name !== made.name), made])
      tidy(folder, list())
      return made
    },
    remove(name) {
      const rest = list().filter((each) => each.name !== name)
      if (rest.length === list().length) return false
      write(rest)
      tidy(folder, rest)
      return true
    },
    async refresh({ force = false, offline = false } = {}) {
      const notes: string[] = []
      for (const known of list()) {
        const age = Date.now() - Date.parse(known.fetched)
        if (offline || (!force && age >= 0 && age < FRESH)) continue
        try {
          const { got } = await fetchIndex(known, around, known.etag)
          const fetched = new Date().toISOString()
          const next = got.status === 304 ? { ...known, fetched } : accept(folder, known, got)
          write(list().map((each) => (each.name === known.name ? next : each)))
          tidy(folder, list())
        } catch (error) {
          if (!(error instanceof CrosshookError)) throw error
          notes.push(
            `index ${known.name}: ${error.message}. What it said on ${known.issued.slice(0, 10)} is used.`,
          )
        }
      }
      for (const { name, expires } of list())
        if (expires !== undefined && Date.parse(expires) < Date.now())
          notes.push(
            `index ${name} has expired on ${expires.slice(0, 10)}: somebody may be holding newer ones back.`,
          )
      return notes
    },
    search: (words) => list().flatMap((known) => searchTable(folder, known, words)),
    find: (name) =>
      list().flatMap((index) => {
        const record = readRecord(folder, index, name)
        return record ? [{ index, record }] : []
      }),
  }
}

function accept(folder: string, known: KnownIndex, got: Got): KnownIndex {
  const read = readIndex(got.bytes)
  checkNext(known, read, folder)
  return keep(folder, read, known, got, known)
}

/** What an index may not do: change its name or key, go back, or change what it said about a version. */
function checkNext(before: KnownIndex, { index, key, digest }: SignedIndex, folder: string): void {
  const refuse = (why: string) => {
    throw new CrosshookError('refused', `the index ${before.name} is refused: ${why}`, {
      fix: `What was known before stays in use. Ask whoever hosts it; to begin anew: crosshook index remove ${before.name}`,
    })
  }
  if (index.name !== before.name) refuse(`it calls itself ${index.name} now`)
  const rotations = (index.rotations ?? []) as unknown as Rotation[]
  if (before.key !== null && (key === null || !followRotations(before.key, rotations, key)))
    refuse(
      key === null
        ? 'it is not signed any more'
        : 'it is signed by another key, which the old one has not signed',
    )
  if (index.serial < before.serial) refuse(`it went back from number ${before.serial} to ${index.serial}`)
  if (index.serial === before.serial && digest !== before.digest)
    refuse(`there are two different ones with the number ${index.serial}`)
  for (const { name, line } of readTable(folder, before)) {
    const young = index.packs[name]
    const old = young ? readLine(folder, before, line) : undefined
    for (const [version, { content }] of Object.entries(old?.versions ?? {})) {
      const now = young?.versions[version]
      if (now && now.content !== content) refuse(`${name} ${version} has other bytes than before`)
    }
  }
}

function keep(
  folder: string,
  { index, key, digest }: SignedIndex,
  wanted: Omit<AddIndex, 'key' | 'unsigned'>,
  got: Got,
  before: KnownIndex | undefined,
): KnownIndex {
  const { token_env, token_file, ca, url, mirrors } = wanted
  return {
    name: index.name,
    url,
    key,
    mirrors: [...new Set([...mirrors, ...(index.mirrors ?? [])])],
    ...(token_env === undefined ? {} : { token_env }),
    ...(token_file === undefined ? {} : { token_file }),
    ...(ca === undefined ? {} : { ca }),
    serial: index.serial,
    digest,
    issued: index.issued,
    ...(index.expires === undefined ? {} : { expires: index.expires }),
    fetched: new Date().toISOString(),
    ...(got.etag === undefined ? {} : { etag: got.etag }),
    // Who was revoked once stays so.
    revoked: [
      ...new Map(
        [...(before?.revoked ?? []), ...(index.revoked ?? [])].map((each) => [each.key, each]),
      ).values(),
    ],
    table: writeTables(folder, index),
    packs: Object.keys(index.packs).length,
  }
}

/** From the address itself, else from its mirrors: what they say is checked all the same. */
async function fetchIndex(
  { url, mirrors, token_env, token_file, ca }: Omit<AddIndex, 'key' | 'unsigned'>,
  around: Surroundings,
  etag?: string,
): Promise<{ got: Got }> {
  const token = tokenOf({ token_env, token_file }, around.env)
  let first: unknown
  for (const [at, base] of [url, ...mirrors].entries())
    try {
      around.progress?.(`asking ${base}`)
      const got = await get(new URL(INDEX_FILE, base.endsWith('/') ? base : `${base}/`).href, {
        most: MOST_INDEX_BYTES,
        env: around.env,
        // A token is for the host that it was given for.
        ...(at === 0 ? { token } : {}),
        ca,
        ...(at === 0 ? { etag } : {}),
      })
      if (at > 0 && got.status === 200) readIndex(got.bytes)
      return { got }
    } catch (error) {
      first ??= error
    }
  throw first
}

export function tokenOf(
  { token_env, token_file }: { token_env?: string | undefined; token_file?: string | undefined },
  env: NodeJS.ProcessEnv,
): string | undefined {
  const value =
    token_env !== undefined
      ? env[token_env]
      : token_file !== undefined
        ? readFileSync(token_file, 'utf8').trim()
        : undefined
  if (token_env !== undefined && (value === undefined || value === ''))
    throw new CrosshookError('bad_settings', `the variable ${token_env}, which holds the token, is not set`, {
      fix: `Set ${token_env}, or add the index again with another --token-env.`,
    })
  if (value !== undefined && !/^[\u0021-\u007e]+$/.test(value))
    throw new CrosshookError('bad_settings', 'the token holds characters that no token has')
  return value
}

// Tables: `ID.packs` has one line of JSON for each pack, `ID.table` one line of text with all that a search needs and
// the place and digest of the pack's line. list.json, which has a MAC, holds the digest of the table.

const TAB = '\t'

function writeTables(folder: string, { packs }: Index): string {
  const lines: string[] = []
  const rows: string[] = []
  let offset = 0
  for (const [name, record] of Object.entries(packs)) {
    const line = JSON.stringify(record)
    const length = Buffer.byteLength(line)
    const version = latestOf(record) ?? ''
    const signed = record.versions[version]?.signers.length ? 'signed' : 'unsigned'
    const acts = record.versions[version]?.acts ?? []
    const words = [name, record.description, ...(record.keywords ?? []), ...acts].join(' ').toLowerCase()
    rows.push(
      [flat(words), name, version, signed, offset, length, sha256(line), flat(record.description)].join(TAB),
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
    text = readFileSync(join(folder, `${table.slice(0, 32)}.table`), 'utf8')
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

function* readTable(folder: string, known: KnownIndex): Generator<{ name: string; line: Line }> {
  for (const row of tableText(folder, known).split('\n')) {
    const [, name, , , offset, length, digest] = row.split(TAB)
    if (name !== undefined)
      yield { name, line: { offset: Number(offset), length: Number(length), digest: digest! } }
  }
}

/** Each word must occur; the text is walked from hit to hit of the longest one. */
function searchTable(folder: string, known: KnownIndex, words: readonly string[]): Found[] {
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

function readRecord(folder: string, known: KnownIndex, name: string): PackRecord | undefined {
  const text = tableText(folder, known)
  const at = text.indexOf(`${TAB}${name}${TAB}`)
  if (at < 0) return undefined
  const row = text.slice(text.lastIndexOf('\n', at) + 1, text.indexOf('\n', at)).split(TAB)
  if (row[1] !== name) return undefined
  return readLine(folder, known, { offset: Number(row[4]), length: Number(row[5]), digest: row[6]! })
}

function readLine(folder: string, { name, table }: KnownIndex, { offset, length, digest }: Line): PackRecord {
  const descriptor = openSync(join(folder, `${table.slice(0, 32)}.packs`), 'r')
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
function tidy(folder: string, indexes: readonly KnownIndex[]): void {
  const used = new Set(indexes.map(({ table }) => table.slice(0, 32)))
  for (const name of readdirSync(folder))
    if (/\.(?:packs|table)$/.test(name) && !used.has(name.replace(/\.\w+$/, '')))
      rmSync(join(folder, name), { force: true })
}

function readList(file: string, stateDir: string): KnownIndex[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
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

function writeList(file: string, stateDir: string, indexes: readonly KnownIndex[]): void {
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
