/**
 * What installed entries call: a copy of the relay in the data folder. It stays when its package is moved, upgraded or
 * removed, so that the entries in agents' settings never change and can say what happened when crosshook is gone. A
 * program started from a package manager's temporary folder (`npx`) is copied whole.
 */

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { sha256Hex } from '../fast/digest.ts'
import { findRelay } from '../host/relay/hook-command.ts'
import { readBytes } from '../spec/read-file.ts'

/** Folders of npx, pnpm dlx, yarn dlx and bunx, which may be emptied at any time. */
const TEMPORARY = /[\\/](?:_npx|dlx|dlx-[^\\/]*|bunx-[^\\/]*)[\\/]/

/** Programs that are kept: the current one, and the previous one, which an engine may still run. */
const KEPT_PROGRAMS = 2

export function shimRelay(data: string): string {
  return join(data, 'bin', 'crosshook-relay')
}

export function isTemporary(main: string): boolean {
  return TEMPORARY.test(main)
}

/** Node, and a main file that stays where it is. */
export function lastingProgram(data: string, [node, main]: readonly [string, string]): [string, string] {
  return isTemporary(main) ? [node, join(copyFolder(data, main), 'dist/cli/main.cjs')] : [node, main]
}

/** Installs the relay, and the program if it would not stay. `main` is the running program. */
export function placeShim(data: string, main: string): void {
  if (isTemporary(main)) copyProgram(data, main)
  refreshRelay(data, main, true)
}

/** After an upgrade the engine declines the old relay, so each call would start Node. */
export function refreshRelay(data: string, main = realpathSync(process.argv[1] ?? ''), isNew = false): void {
  const own = findRelay(main)
  const place = shimRelay(data)
  if (own === undefined || process.platform === 'win32' || (!isNew && !existsSync(place))) return
  const bytes = readBytes(own)
  if (existsSync(place) && readBytes(place).equals(bytes)) return
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
  // Renamed, because the file that it replaces may be running.
  const next = `${place}.${process.pid}.tmp`
  writeFileSync(next, bytes, { mode: 0o700 })
  chmodSync(next, 0o700)
  renameSync(next, place)
}

/** Call when the last entry is gone. */
export function removeShim(data: string): void {
  for (const name of ['bin', 'program']) rmSync(join(data, name), { recursive: true, force: true })
  if (existsSync(data) && readdirSync(data).length === 0) rmSync(data, { recursive: true })
}

function copyFolder(data: string, main: string): string {
  // The launcher names the build, the manifest the version.
  const manifest = join(dirname(main), '../../package.json')
  const known = Buffer.concat([main, manifest].map((file) => readBytes(file)))
  return join(data, 'program', sha256Hex(known).slice(0, 16))
}

function copyProgram(data: string, main: string): void {
  const folder = copyFolder(data, main)
  if (!existsSync(folder)) {
    const root = join(dirname(main), '../..')
    const next = `${folder}.${process.pid}.tmp`
    rmSync(next, { recursive: true, force: true })
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
    cpSync(root, next, { recursive: true, filter: (path) => isOfProgram(relative(root, path)) })
    const relay = findRelay(main)
    if (relay !== undefined) cpSync(dirname(relay), join(next, 'dist/relay'), { recursive: true })
    rmSync(join(next, 'dist/relay/crosshook-relay.cold'), { force: true })
    renameSync(next, folder)
  }
  removeOld(dirname(folder), basename(folder))
}

/** Entries do not use the library. */
function isOfProgram(path: string): boolean {
  return !/^(?:node_modules|dist[\\/](?:lib|relay))(?:[\\/]|$)/.test(path)
}

function removeOld(all: string, present: string): void {
  const others = readdirSync(all)
    .filter((name) => name !== present)
    .map((name) => ({ name, at: statSync(join(all, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { name } of others.slice(KEPT_PROGRAMS - 1))
    rmSync(join(all, name), { recursive: true, force: true })
}
