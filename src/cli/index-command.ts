/** `crosshook index list|add|remove|refresh|build|sign|serve`: indexes of packs, one's own and others'. */

import { existsSync, mkdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { paths } from '../config/paths.ts'
import { writeWhole } from '../config/write-whole.ts'
import { buildIndex } from '../packs/build-index.ts'
import { INDEX_FILE, readIndex, signIndex, writeIndex } from '../packs/index-file.ts'
import { type KnownIndex, openIndexes } from '../packs/index-store.ts'
import { siteOf } from '../packs/site.ts'
import { DEFAULT_KEY, loadKey, type OwnKey } from '../sign/key-files.ts'
import { isPublicKey, keyId } from '../sign/keys.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { readBytes } from '../spec/read-file.ts'
import { rotationsOf } from './key.ts'
import type { Arguments } from './options.ts'
import { surroundings } from './pack-places.ts'
import { painter } from './paint.ts'
import { plural, print, printJson, warn } from './print.ts'
import { shortPath } from './problem-words.ts'
import { columns } from './table.ts'

const ACTIONS: Readonly<Record<string, (args: Arguments) => Promise<number>>> = {
  list,
  add,
  remove,
  refresh,
  build,
  sign,
  serve,
}

export async function run(args: Arguments): Promise<number> {
  const [action = 'list'] = args.words
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (act) return act(args)
  throw new CrosshookError(
    'usage',
    `\`crosshook index\` cannot ${action}.${didYouMean(action, Object.keys(ACTIONS))}`,
    {
      fix: `Use one of: ${Object.keys(ACTIONS).join(', ')}.`,
    },
  )
}

async function list(args: Arguments): Promise<number> {
  const { around } = surroundings(args)
  const known = openIndexes(around).list()
  if (args.flag('json')) printJson([{ name: 'gallery', url: null, built_in: true }, ...known.map(shown)])
  else
    print(
      columns([
        ['gallery', 'built in', '', 'comes with crosshook'],
        ...known.map(({ name, url, key, packs, issued }) => [
          name,
          key === null ? painter(1).yellow('UNSIGNED') : keyId(key),
          plural(packs, 'pack'),
          `${url} (${issued.slice(0, 10)})`,
        ]),
      ]),
    )
  return 0
}

async function add(args: Arguments): Promise<number> {
  const url = given(args, 'URL')
  const key = args.value('key')
  if (key !== undefined && !isPublicKey(key))
    throw new CrosshookError('usage', '--key is no public key of crosshook', {
      fix: 'It is written ed25519:…',
    })
  const { around, done } = surroundings(args)
  const text = (name: string) => args.value(name)
  try {
    const made = await openIndexes(around).add({
      url,
      mirrors: args.values('mirror').map((each) => (each.endsWith('/') ? each : `${each}/`)),
      ...(key === undefined ? {} : { key }),
      ...(args.flag('unsigned') ? { unsigned: true } : {}),
      ...(text('token-env') === undefined ? {} : { token_env: text('token-env')! }),
      ...(text('token-file') === undefined ? {} : { token_file: resolve(text('token-file')!) }),
      ...(text('ca') === undefined ? {} : { ca: resolve(text('ca')!) }),
    })
    done()
    if (args.flag('json')) printJson(shown(made))
    else
      print(
        `${painter(1).green('added')} index ${made.name}: ${plural(made.packs, 'pack')}, ${made.key === null ? painter(1).yellow('UNSIGNED') : `signed by ${keyId(made.key)}${key === undefined ? ', from now on only by this key' : ''}`}\n`,
      )
  } finally {
    done()
  }
  return 0
}

async function remove(args: Arguments): Promise<number> {
  const name = given(args, 'NAME')
  const { around } = surroundings(args)
  const indexes = openIndexes(around)
  if (!indexes.remove(name))
    throw new CrosshookError(
      'not_found',
      `there is no index "${name}".${didYouMean(
        name,
        indexes.list().map((each) => each.name),
      )}`,
    )
  if (args.flag('json')) printJson({ name, removed: true })
  else print(`${painter(1).green('removed')} index ${name}; what was added from it stays\n`)
  return 0
}

async function refresh(args: Arguments): Promise<number> {
  const { around, done } = surroundings(args)
  const indexes = openIndexes(around)
  const notes = await indexes.refresh({ force: true })
  done()
  if (args.flag('json')) printJson({ notes, indexes: indexes.list().map(shown) })
  else {
    for (const note of notes) warn(note)
    print(`${plural(indexes.list().length, 'index', 'indexes')} asked\n`)
  }
  return notes.length > 0 ? 1 : 0
}

/** Builds index.json and a site from a folder of archives. */
async function build(args: Arguments): Promise<number> {
  const folder = resolve(given(args, 'FOLDER'))
  const file = join(folder, INDEX_FILE)
  const before = existsSync(file) ? readIndex(readBytes(file)) : undefined
  const name = args.value('name') ?? before?.index.name
  if (name === undefined)
    throw new CrosshookError('usage', 'what is the index called?', {
      fix: 'For example: crosshook index build FOLDER --name acme',
    })
  const key = args.flag('unsigned') ? undefined : ownKey(args)
  const { done } = surroundings(args)
  const description = args.value('description')
  const index = await buildIndex(folder, {
    name,
    ...(description === undefined ? {} : { description }),
    mirrors: args.values('mirror'),
    ...(key ? { rotations: rotationsOf(paths(args.env).state, key.name) } : {}),
    yank: args.values('yank').map(yanked),
    revoke: args.values('revoke').map((text) => {
      const [revokedKey, reason] = split(text)
      return { key: revokedKey, reason }
    }),
  })
  done()
  const pages = siteOf(index)
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeWhole(join(folder, path), text, 0o644)
  }
  writeWhole(file, writeIndex(index, key), 0o644)
  const count = Object.keys(index.packs).length
  if (args.flag('json'))
    printJson({ file, name, serial: index.serial, packs: count, key: key?.public ?? null })
  else
    print(
      `${painter(1).green('made')} ${shortPath(file)}: ${plural(count, 'pack')}, number ${index.serial}, ${key ? `signed by ${keyId(key.public)}` : painter(1).yellow('UNSIGNED')}; and ${plural(pages.size, 'page')}\n`,
    )
  return 0
}

/** `acme/guards@1.2.0=reason` */
function yanked(text: string): { name: string; version: string; reason: string } {
  const [what, reason] = split(text)
  const [name, version] = what.split('@')
  if (!name || !version)
    throw new CrosshookError('usage', `--yank ${text}: OWNER/NAME@VERSION=REASON is expected`)
  return { name, version, reason }
}

function split(text: string): [string, string] {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new CrosshookError('usage', `${text}: WHAT=REASON is expected`)
  return [text.slice(0, at), text.slice(at + 1)]
}

async function sign(args: Arguments): Promise<number> {
  const path = resolve(given(args, 'FILE'))
  const file = statSync(path).isDirectory() ? join(path, INDEX_FILE) : path
  const key = ownKey(args)
  const bytes = signIndex(readBytes(file), key)
  const { index } = readIndex(bytes)
  writeWhole(file, bytes, 0o644)
  if (args.flag('json')) printJson({ file, name: index.name, serial: index.serial, key: key.public })
  else print(`${painter(1).green('signed')} ${shortPath(file)} with ${keyId(key.public)}\n`)
  return 0
}

function ownKey(args: Arguments): OwnKey {
  const name = args.value('with') ?? DEFAULT_KEY
  const key = loadKey(paths(args.env).state, name)
  if (key) return key
  throw new CrosshookError('not_found', `you have no key "${name}" to sign with`, {
    fix: 'Make one with `crosshook key new`, or leave the index unsigned: --unsigned.',
  })
}

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  tar: 'application/x-tar',
  tgz: 'application/gzip',
}

/** For trying it out on this machine; in production any web server will do. */
async function serve(args: Arguments): Promise<number> {
  const folder = resolve(given(args, 'FOLDER'))
  const port = Number(args.value('port') ?? 0)
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new CrosshookError('usage', '--port is no port')
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = decodePath(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    const file = path === undefined ? undefined : join(folder, path)
    if (
      file === undefined ||
      (request.method !== 'GET' && request.method !== 'HEAD') ||
      !statSync(file, { throwIfNoEntry: false })?.isFile()
    )
      return void response.writeHead(404).end()
    const type = TYPES[/\.(\w+)$/.exec(file)?.[1] ?? ''] ?? 'application/octet-stream'
    response
      .writeHead(200, { 'content-type': type, 'x-content-type-options': 'nosniff' })
      .end(readBytes(file))
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  if (args.flag('json')) printJson({ url, folder })
  else print(`serving ${shortPath(folder)} at ${url}\n`)
  await new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done())
  })
  server.close()
  server.closeAllConnections()
  return 0
}

/** Only files below the folder, and no hidden ones. */
function decodePath(pathname: string): string | undefined {
  try {
    const parts = decodeURIComponent(pathname)
      .split('/')
      .filter((part) => part !== '')
    return parts.some((part) => part.startsWith('.') || part.includes('\0') || part.includes('\\'))
      ? undefined
      : parts.join('/')
  } catch {
    return undefined // not a well-formed URL
  }
}

function given(args: Arguments, what: string): string {
  const [action, word] = args.words
  if (word !== undefined) return word
  throw new CrosshookError('usage', `\`crosshook index ${action}\` needs a ${what}`, {
    fix: `For example: crosshook index ${action} ${what}`,
  })
}

function shown({ table: _, digest, ...index }: KnownIndex): object {
  return { ...index, digest }
}
