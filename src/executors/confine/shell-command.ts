/** Turns an agent's shell command into one that runs confined: the effect `confine`. */

import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../../fast/digest.ts'
import { KEYS } from '../../spec/effects.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { confinedArgv } from './confined-start.ts'
import { helperArguments } from './helper.ts'
import { connections, type Folders, type Policy, pathsOf } from './policy.ts'
import { SECRET_PLACES } from './secret-places.ts'

export interface ShellCall {
  /** A line for a shell, or a program and its arguments. */
  command: string | readonly string[]
  /** Where it runs. */
  work: string
  /** The working folder and the root of its repository. */
  project: readonly string[]
  home: string | undefined
  /** The state folder: stores policies, and is hidden from the command. */
  state: string
  /** The command runs as another user, who must be able to read its policy. */
  isShared?: boolean
  /** Where crosshook listens. */
  own: readonly string[]
}

/** Not TMPDIR, which a project may set: its value would be writable. */
const TEMPORARY = process.platform === 'linux' ? ['/tmp', '/var/tmp'] : ['/tmp', tmpdir()]

/** The command to run instead, or why there is none. */
export function confinedCommand(
  wish: NonNullable<Outcome['confine']>,
  { command, work, project, home, state, own, isShared = false }: ShellCall,
): { command: string | string[] } | string {
  const folders: Folders = { work, project, home, temp: TEMPORARY, own }
  const reach = connections(wish.connect, folders)
  if (typeof reach === 'string') return reach
  const policy: Policy = {
    ...reach,
    read: wish.read ? pathsOf(wish.read, folders) : ['/'],
    write: pathsOf(wish.write, folders),
    hide: [
      ...pathsOf(
        (wish.hide ?? [KEYS]).flatMap((text) => (text === KEYS ? SECRET_PLACES : text)),
        folders,
      ),
      state,
      ...own,
    ],
    memory_mb: 0,
    stays_in_group: false,
  }
  const argv = confinedArgv(policy, work)
  if (typeof argv === 'string') return argv
  const start =
    process.platform === 'linux' && reach.sockets.length === 0
      ? shortened(argv, policy, state, isShared)
      : argv
  if (typeof command !== 'string') return { command: [...start, ...command] }
  const line = [...start, shellOf(), '-c', command].map(quoted).join(' ')
  const words = `crosshook: this command ran confined (${policyWords(wish)}). If it needs more, ask the person.`
  return { command: `${line} || { s=$?; printf '%s\\n' ${quoted(words)} >&2; (exit $s); }` }
}

/** Hundreds of paths would hide what is run from people and models, so they go to a file named by its content. */
function shortened([helper]: readonly string[], policy: Policy, state: string, isShared: boolean): string[] {
  const words = helperArguments(policy).slice(0, -1)
  const text = words.map((word) => `${word}\0`).join('')
  const folder = join(state, 'confine')
  const file = join(folder, `${sha256Hex(text).slice(0, 32)}.policy`)
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const beside = `${file}.${process.pid}`
    writeFileSync(beside, text, { mode: 0o600 })
    if (isShared) chmodSync(beside, 0o644)
    renameSync(beside, file)
  }
  return [helper!, '-p', file, '--']
}

export function policyWords({ write = [], read, connect = [] }: NonNullable<Outcome['confine']>): string {
  return [
    write.length > 0 ? `writes only to ${write.join(', ')}` : 'writes nothing',
    read ? `reads only ${read.join(', ')}` : 'keys and credentials are hidden',
    connect.includes('*') ? 'with the network' : 'no network',
  ].join('; ')
}

function shellOf(): string {
  return existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
}

function quoted(word: string): string {
  return /^[\w./@:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
