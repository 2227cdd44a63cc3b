/** The archive of a policy: files in JSON, compressed. No path in it can leave the folder that it is unpacked into. */

import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import * as z from 'zod'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import { readBytes } from '../../spec/read-file.ts'

const MAX_FILES = 2000
/** In bytes, unpacked. */
const MAX_BYTES = 32 * 1024 * 1024
export const MAX_ARCHIVE_BYTES = 8 * 1024 * 1024

const schema = z.strictObject({
  version: z.literal(1),
  files: z
    .array(
      z.strictObject({
        path: z.string().refine(isSafe, 'leads out of the archive'),
        executable: z.boolean(),
        base64: z.string(),
      }),
    )
    .max(MAX_FILES)
    .refine((files) => twinIn(files.map(({ path }) => path)) === undefined, {
      error: ({ input }) => {
        const twin = twinIn((input as { path: string }[]).map(({ path }) => path))
        return `some systems take ${JSON.stringify(twin)} for another file or folder of it`
      },
    }),
})

/** Deterministic: the same files give the same bytes. */
export function pack(folder: string): Buffer {
  const files = filesBelow(folder, '').map((path) => {
    const file = join(folder, path)
    return {
      path,
      executable: (lstatSync(file).mode & 0o100) !== 0,
      base64: readBytes(file).toString('base64'),
    }
  })
  const twin = twinIn(files.map(({ path }) => path))
  if (twin !== undefined)
    throw new CrosshookError('bad_source', `${join(folder, twin)} cannot be part of a policy`, {
      fix: 'On some systems it is the same file or folder as another of this policy: rename one of them.',
    })
  const bytes = zstdCompressSync(JSON.stringify({ version: 1, files }))
  if (files.length > MAX_FILES || bytes.length > MAX_ARCHIVE_BYTES)
    throw new CrosshookError(
      'limit',
      `${folder} is too large for a policy: ${files.length} files, ${bytes.length} bytes packed`,
      {
        fix: `A policy has at most ${MAX_FILES} files and ${MAX_ARCHIVE_BYTES} bytes.`,
      },
    )
  return bytes
}

/** Into a folder that is empty or new. */
export function unpack(bytes: Uint8Array, folder: string): void {
  const files = filesIn(bytes)
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  for (const { path, executable, base64 } of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
    const mode = executable ? 0o755 : 0o644
    writeFileSync(file, Buffer.from(base64, 'base64'), { mode, flag: 'wx', flush: true })
    chmodSync(file, mode)
  }
}

/** Number of files of the folder that differ from the archive, are missing, or are extra. */
export function differences(bytes: Uint8Array, folder: string): number {
  const files = filesIn(bytes)
  const wrong = files.filter(({ path, executable, base64 }) => {
    try {
      const file = join(folder, path)
      const stat = lstatSync(file)
      if (!stat.isFile() || ((stat.mode & 0o100) !== 0) !== executable) return true
      return !readBytes(file).equals(Buffer.from(base64, 'base64'))
    } catch {
      return true // missing or unreadable
    }
  })
  const known = new Set(files.map(({ path }) => path))
  const others = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory() && !known.has(relative(folder, join(entry.parentPath, entry.name))),
  )
  return wrong.length + others.length
}

function filesIn(bytes: Uint8Array): z.infer<typeof schema>['files'] {
  try {
    if (bytes.length > MAX_ARCHIVE_BYTES) throw new Error(`it has more than ${MAX_ARCHIVE_BYTES} bytes`)
    const { buffer: text, engine } = zstdDecompressSync(bytes, {
      maxOutputLength: MAX_BYTES,
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    if (engine.bytesWritten !== bytes.length) throw new Error('something follows its end')
    return schema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text))).files
  } catch (error) {
    throw new CrosshookError(
      'bad_input',
      `The archive of a policy cannot be read: ${messageOf(error).slice(0, 300)}`,
      {
        cause: error,
      },
    )
  }
}

function isSafe(path: string): boolean {
  return (
    path.length > 0 &&
    path.length < 512 &&
    path === path.normalize('NFC') &&
    !/[\\\0-\x1f\x7f-\x9f:\ud800-\udfff\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u.test(path) &&
    path.split('/').every((part) => !/^\.{0,2}$|[. ]$/.test(part))
  )
}

/** A path that occurs twice, differs from another only by case or form, or is both a file and a folder. */
function twinIn(paths: readonly string[]): string | undefined {
  const files = new Set<string>()
  const folders = new Map<string, string>()
  for (const path of paths) {
    const parts = path.split('/')
    for (let end = 1; end < parts.length; end++) {
      const folder = parts.slice(0, end).join('/')
      if ((folders.get(folded(folder)) ?? folder) !== folder) return path
      folders.set(folded(folder), folder)
    }
    if (files.has(folded(path))) return path
    files.add(folded(path))
  }
  return [...files].find((path) => folders.has(path))
}

/** A name as seen by file systems that ignore case or the form of accents. */
function folded(path: string): string {
  return path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

function filesBelow(root: string, below: string): string[] {
  return readdirSync(join(root, below), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) return entry.name === '.git' ? [] : filesBelow(root, path)
      if (!entry.isFile() || !isSafe(path))
        throw new CrosshookError('bad_source', `${join(root, path)} cannot be part of a policy`, {
          fix: 'A policy holds plain files and folders only: replace links by what they lead to.',
        })
      return [path]
    })
}
