/** The user that decides and the group for hooks' programs, created with the system's own commands. */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { MANAGED } from '../../config/managed.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'

export interface Accounts {
  uid: number
  gid: number
  hooksGid: number
}

/** Undefined when one of them is missing. */
export function readAccounts(): Accounts | undefined {
  const user = lineOf('/etc/passwd', MANAGED.user)
  const hooks = lineOf('/etc/group', MANAGED.hooksGroup)
  if (!user || !hooks) return undefined
  return { uid: Number(user[2]), gid: Number(user[3]), hooksGid: Number(hooks[2]) }
}

export function makeAccounts(): Accounts {
  if (!lineOf('/etc/group', MANAGED.hooksGroup)) ask('groupadd', '--system', MANAGED.hooksGroup)
  if (!lineOf('/etc/passwd', MANAGED.user))
    ask(
      'useradd',
      ...['--system', '--user-group', '--no-create-home', '--home-dir', MANAGED.state],
      ...['--shell', '/usr/sbin/nologin', MANAGED.user],
    )
  const made = readAccounts()
  if (!made || made.uid === 0 || made.gid === 0 || made.hooksGid === 0)
    throw new CrosshookError(
      'refused',
      `the user ${MANAGED.user} cannot be used: it is not there, or it is root`,
    )
  return made
}

/** How long the user's processes may take to end after its service was stopped. */
const END_MS = 20_000
const LOOK_MS = 50

/** `userdel` refuses while the user runs anything, and running processes write to folders that are being removed. */
export function waitForUser(limit = END_MS): void {
  const uid = lineOf('/etc/passwd', MANAGED.user)?.[2]
  if (uid === undefined) return
  const since = performance.now()
  let running = processesOf(Number(uid))
  while (running.length > 0 && performance.now() - since < limit) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS)
    running = processesOf(Number(uid))
  }
  if (running.length === 0) return
  throw new CrosshookError(
    'refused',
    `the user ${MANAGED.user} still runs ${running.map(({ pid, name }) => `${name} (${pid})`).join(', ')}`,
    { fix: 'End the gate, by whatever starts it here, and do this again.' },
  )
}

/** Processes of this user, by any of their ids. Zombies do not count. */
export function processesOf(uid: number): { pid: number; name: string }[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      let text: string
      try {
        text = readFileSync(`/proc/${pid}/status`, 'utf8')
      } catch {
        return [] // over by now
      }
      const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1] ?? ''
      const isOurs = field('Uid').split(/\s+/).includes(String(uid)) && !/^[ZX]/.test(field('State'))
      return isOurs ? [{ pid: Number(pid), name: field('Name') }] : []
    })
}

export function removeAccounts(): void {
  if (lineOf('/etc/passwd', MANAGED.user)) ask('userdel', MANAGED.user)
  for (const group of [MANAGED.user, MANAGED.hooksGroup])
    if (lineOf('/etc/group', group)) ask('groupdel', group)
}

/** A member of the hooks' group could pass for a hook's program. */
export function membersOfHooks(): string[] {
  return (lineOf('/etc/group', MANAGED.hooksGroup)?.[3] ?? '').split(',').filter((name) => name !== '')
}

function lineOf(file: string, name: string): string[] | undefined {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([first]) => first === name)
}

function ask(program: string, ...args: string[]): void {
  try {
    execFileSync(program, args, {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    throw new CrosshookError('refused', `${program} ${args.join(' ')} failed: ${messageOf(error)}`, {
      fix: 'It comes with the package shadow-utils or passwd of the system.',
      cause: error,
    })
  }
}
