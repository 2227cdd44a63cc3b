/** What programs need from the system to start and run. Nothing here contains a secret. */

import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path'
import type { Start } from '../process.ts'

const FOLDERS = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/System',
  '/Library',
]

/** Not all of /etc: as root a program could read password hashes and host keys. */
const ETC = [
  ...[
    'ld.so.cache',
    'ld.so.conf',
    'ld.so.conf.d',
    'ld.so.preload',
    'alternatives',
    'nsswitch.conf',
    'passwd',
    'group',
  ],
  ...['hosts', 'host.conf', 'resolv.conf', 'gai.conf', 'services', 'protocols', 'localtime', 'timezone'],
  ...[
    'locale.alias',
    'locale.conf',
    'default/locale',
    'os-release',
    'debian_version',
    'mime.types',
    'terminfo',
  ],
  ...['ssl/openssl.cnf', 'ssl/certs', 'ca-certificates', 'pki/tls/certs', 'pki/ca-trust', 'crypto-policies'],
  ...['profile', 'bash.bashrc', 'inputrc', 'python3', 'python3.11', 'perl', 'gitconfig', 'environment'],
]

const SYSTEM_FILES: readonly string[] = [...FOLDERS, ...ETC.map((name) => join('/etc', name))]

export function systemFiles(): readonly string[] {
  return SYSTEM_FILES
}

/**
 * The programs that a start leads to (itself, its interpreter, what `env` looks up), with the folders they are
 * installed in.
 */
export function interpreterFolders(start: Start, off: readonly (string | undefined)[]): string[] {
  const found = new Set<string>()
  const take = (name: string, depth: number) => {
    const file = isAbsolute(name) ? name : onPath(name, start.env.PATH)
    if (file === undefined || !existsSync(file) || depth > 4) return
    const real = realpathSync(file)
    for (const path of [file, real]) {
      const beside = dirname(dirname(path))
      found.add(isAbove(beside, off) ? path : beside)
    }
    for (const next of shebang(real)) take(next, depth + 1)
  }
  take(start.file, 0)
  // `bash SCRIPT`: the script's own first line may name a further one.
  for (const argument of start.args)
    for (const next of isAbsolute(argument) ? shebang(argument) : []) take(next, 1)
  return [...found]
}

/** A folder that contains a home or a project is not an interpreter's. */
function isAbove(folder: string, off: readonly (string | undefined)[]): boolean {
  if (folder === '/') return true
  return off.some((path) => path !== undefined && (path === folder || path.startsWith(folder + sep)))
}

function shebang(file: string): string[] {
  let head: string
  try {
    head = firstBytes(file)
  } catch {
    // Unreadable: the program will fail to start and say so.
    return []
  }
  const words = /^#![ \t]*([^\n]*)/.exec(head)?.[1]?.trim().split(/\s+/) ?? []
  if (words[0]?.endsWith('/env'))
    return [
      words[0],
      ...words
        .slice(1)
        .filter((word) => !/^-|=/.test(word))
        .slice(0, 1),
    ]
  return words.slice(0, 1).filter(Boolean)
}

/** More than the kernel reads of a first line. */
const HEAD_BYTES = 256

/** Interpreters can have 100 MB, so only the beginning is read. */
function firstBytes(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(HEAD_BYTES)
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0))
  } finally {
    closeSync(descriptor)
  }
}

export function onPath(program: string, path = ''): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => isAbsolute(file) && existsSync(file))
}
