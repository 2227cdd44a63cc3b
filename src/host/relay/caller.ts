/**
 * Who calls a managed resident. The gate (relay/gate.c) puts the kernel's information about the caller in front of each
 * connection; of the caller's own environment only a few variables count.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { RESIDENT_ENV } from '../../config/managed.ts'
import { CALLERS } from '../../dialects/list.ts'

export interface Caller {
  /** The gate's number for the connection. */
  connection: number
  uid: number
  gid: number
  pid: number
}

/** What a listener behind the gate needs to know about its callers. */
export interface Gate {
  reader: typeof callerReader
  environment: typeof callerEnvironment
}

const HEAD = 20
const MARK = 'XHGT'

/** Takes the first bytes of a connection and returns what follows them. */
export function callerReader(): { add(chunk: Buffer): Buffer; caller(): Caller } {
  let head = Buffer.alloc(0)
  return {
    add(chunk) {
      const missing = HEAD - head.length
      if (missing > 0) head = Buffer.concat([head, chunk.subarray(0, missing)])
      return chunk.subarray(Math.max(missing, 0))
    },
    caller() {
      if (head.length < HEAD || head.toString('latin1', 0, 4) !== MARK)
        throw new Error('it did not come through the gate')
      const [connection, uid, gid, pid] = [4, 8, 12, 16].map((at) => head.readUInt32LE(at))
      return { connection: connection!, uid: uid!, gid: gid!, pid: pid! }
    },
  }
}

/** Variables that are passed on: how texts are displayed, and how an agent is recognised. */
const KEPT = new Set([
  ...['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'TZ', 'TERM', 'NO_COLOR', 'CROSSHOOK_DEPTH'],
  ...Object.values(CALLERS).flatMap(({ marks }) => marks),
])

/** Name and home folder come from the system's user database: a variable could make `~` mean something else. */
export function callerEnvironment(caller: Caller, sent: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(sent).filter(([name]) => KEPT.has(name))
  const { name, home, shell } = accountOf(caller.uid)
  return {
    ...Object.fromEntries(kept),
    PATH: RESIDENT_ENV.PATH,
    HOME: home,
    USER: name,
    LOGNAME: name,
    SHELL: shell,
  }
}

interface Account {
  name: string
  home: string
  shell: string
}

const known = new Map<number, { account: Account; until: number }>()
const KNOWN_MS = 60_000

function accountOf(uid: number): Account {
  const found = known.get(uid)
  if (found && Date.now() < found.until) return found.account
  const account = readAccount(uid)
  known.set(uid, { account, until: Date.now() + KNOWN_MS })
  return account
}

/** A user without an entry has no home: paths that begin with `~` lead nowhere. */
function readAccount(uid: number): Account {
  const line = lineOf(readFileSync('/etc/passwd', 'utf8'), uid) ?? lineOf(askSystem(uid), uid)
  const [name = String(uid), , , , , home = '/nonexistent', shell = '/bin/sh'] = line?.split(':') ?? []
  return { name, home: home.startsWith('/') ? home : '/nonexistent', shell }
}

function lineOf(text: string, uid: number): string | undefined {
  return text.split('\n').find((line) => line.split(':')[2] === String(uid))
}

/** Users known to a directory service. */
function askSystem(uid: number): string {
  try {
    return execFileSync('/usr/bin/getent', ['passwd', String(uid)], {
      encoding: 'utf8',
      env: {},
      timeout: 2000,
    })
  } catch {
    return '' // no such user, or no directory service
  }
}
