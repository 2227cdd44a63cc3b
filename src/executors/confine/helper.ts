/** The native program that confines others (relay/confine.c): its path, and its arguments for a policy. Linux. */

import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Policy } from './policy.ts'

const NAME = 'crosshook-confine'

/** Undefined when there is none for this platform. Never searched by `PATH`, which may come from a project. */
export function findHelper(): string | undefined {
  if (known === undefined || !existsSync(known)) known = lookForHelper()
  return known
}

let known: string | undefined

/** For a bench of another build. */
export function useHelper(file: string): void {
  known = file
}

function lookForHelper(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const here = fileURLToPath(import.meta.url)
  const built = ['../relay', '../../relay', '../../../dist/relay']
    .map((way) => join(dirname(here), way, NAME))
    .find((file) => existsSync(file))
  if (built !== undefined) return built
  try {
    const manifest = createRequire(here).resolve(`@crosshook/relay-linux-${process.arch}/package.json`)
    const file = join(dirname(manifest), 'bin', NAME)
    return existsSync(file) ? file : undefined
  } catch {
    return undefined // the package of this platform is not installed
  }
}

/** The arguments between the helper and the program. */
export function helperArguments(policy: Policy): string[] {
  return [
    ...visible(policy.read, policy.hide).flatMap((path) => ['-r', path]),
    ...visible(policy.write, policy.hide).flatMap((path) => ['-w', path]),
    ...(policy.network ? ['-n'] : []),
    ...(policy.sockets.length > 0 ? ['-u'] : []),
    ...(policy.stays_in_group ? ['-g'] : []),
    ...(policy.memory_mb > 0 ? ['-m', String(policy.memory_mb)] : []),
    '--',
  ]
}

const MAX_ENTRIES = 5000

/** Landlock can only allow. A folder with something hidden below it becomes all of its entries except the way there. */
export function visible(paths: readonly string[], hidden: readonly string[]): string[] {
  // The helper resolves links itself.
  if (hidden.length === 0) return [...new Set(paths)]
  const off = hidden.map(real)
  return [...new Set(paths.map(real))].flatMap((path) => entries(path, off))
}

function entries(path: string, off: readonly string[]): string[] {
  if (off.some((one) => one === path || path.startsWith(one + sep))) return []
  const prefix = path === sep ? sep : path + sep
  const below = off.filter((one) => one.startsWith(prefix))
  if (below.length === 0) return [path]
  let names: string[]
  try {
    names = readdirSync(path)
  } catch {
    return [] // cannot be listed: nothing in it is allowed
  }
  if (names.length > MAX_ENTRIES) return []
  return names.flatMap((name) => entries(prefix + name, off))
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // missing or not accessible: the helper ignores it
  }
}
