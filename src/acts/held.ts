/** What lies below a folder that is taken as a whole (copied, archived, sent, printed): our keys, secrets of the home folder. */

import { keyFolders } from './guard-places.ts'
import { shellPattern } from './shell/shell-pattern.ts'
import type { World } from './world.ts'

export interface Taken {
  /** Absolute. */
  path: string
  /** The path is a pattern. */
  glob?: boolean
  dotglob?: boolean
  /** Only files of this name; a pattern. */
  name?: string
  /** Patterns of what is left out. */
  without?: readonly string[]
}

/** Files of ours that open the guards to whoever has read them; the first stands for all of them. */
const KEYS = ['state.key', 'daemon.token', 'approvals-webhook.key']

/** Below the home folder. Only what is there counts. */
const SECRETS = [
  ...[
    '.ssh',
    '.gnupg',
    '.aws',
    '.azure',
    '.kube',
    '.password-store',
    '.config/gcloud',
    '.config/gh/hosts.yml',
  ],
  ...[
    '.docker/config.json',
    '.netrc',
    '.git-credentials',
    '.npmrc',
    '.pypirc',
    '.pgpass',
    '.cargo/credentials.toml',
  ],
  ...['.local/share/keyrings', 'Library/Keychains'],
]

/** Their absolute paths. */
export function heldBelow(world: World, taken: Taken): string[] {
  const segments = parts(taken.path)
  const isThere = (file: string) => world.disk === null || world.disk.realpath(file) !== undefined
  const held: string[] = []
  const names = taken.name === undefined ? KEYS.slice(0, 1) : KEYS.filter(shellPattern(taken.name))
  for (const folder of names.length === 0 ? [] : keyFolders(world)) {
    const key = `${folder}/${names[0]}`
    const real = world.disk?.realpath(folder)
    if (isTaken(taken, segments, key)) held.push(key)
    else if (real !== undefined && isTaken(taken, segments, `${real}/${names[0]}`)) held.push(key)
  }
  // By its name a file of secrets is found without this.
  if (taken.name === undefined && world.disk)
    for (const secret of SECRETS) {
      const file = `${world.home}/${secret}`
      if (isTaken(taken, segments, file) && isThere(file)) held.push(file)
    }
  return held
}

function isTaken({ glob, dotglob, without }: Taken, segments: readonly string[], file: string): boolean {
  const names = parts(file)
  if (segments.length >= names.length + (glob ? 1 : 0)) return false
  const isInside = segments.every(
    (segment, at) =>
      segment === names[at] ||
      (glob === true &&
        /[*?[]/.test(segment) &&
        (dotglob || segment.startsWith('.') || !names[at]!.startsWith('.')) &&
        shellPattern(segment)(names[at]!)),
  )
  return isInside && !without?.some((pattern) => leavesOut(pattern, names, segments.length))
}

/** The names of a pattern, one after another, end somewhere below the folder that is taken. */
function leavesOut(pattern: string, names: readonly string[], depth: number): boolean {
  const tests = parts(
    pattern
      .replace(/^!/, '')
      .replace(/^(?:\.?\/|\*\*\/)+/, '')
      .replace(/(?:\/\**)+$/, ''),
  ).map((each) => shellPattern(each))
  if (tests.length === 0) return false
  for (let start = Math.max(0, depth - tests.length + 1); start + tests.length <= names.length; start++)
    if (tests.every((test, at) => test(names[start + at]!))) return true
  return false
}

function parts(path: string): string[] {
  return path.split('/').filter((name) => name !== '')
}

/** Of a list of files that is narrowed by a pattern: could it still name one of our keys? */
export function mayNameKey(pattern: string): boolean {
  const sample = `/.local/state/crosshook/${KEYS.join(' ')}`
  return (pattern.match(/[\w-]+/g) ?? []).every((part) => sample.includes(part))
}
