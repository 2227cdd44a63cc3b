/**
 * Background hooks that are not yet recorded: one file each, written before the answer leaves, so that a later process
 * finds them if this one dies. The content of a file is executed, so it carries a MAC.
 */

import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMac, MAC_LENGTH, mac, readStateKey, stateKey } from '../../config/state-key.ts'
import { writeWhole } from '../../config/write-whole.ts'
import { within } from '../../fast/within.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { Hook } from '../../spec/hook.ts'
import { readText } from '../../spec/read-file.ts'
import type { Door } from '../context.ts'

export interface Promised {
  id: string
  /** Milliseconds since 1970. */
  at: number
  /** Number of starts so far. */
  starts: number
  /** Pid of the process that last handled it. */
  owner: number
  door: Door
  hook: Hook
  event: HookEvent
}

/** How a program ended, written by its supervisor. */
export interface End {
  attempts: number
  /** `timeout`: the time limit was reached. */
  exit: number | 'timeout'
  /** Milliseconds since 1970. */
  at: number
}

export function spoolFolder(stateDir: string): string {
  return within(stateDir, 'background/spool')
}

export function spool(stateDir: string) {
  const folder = spoolFolder(stateDir)
  const file = (id: string, kind: 'json' | 'end' | 'end.pid') => join(folder, `${id}.${kind}`)

  function put(promised: Promised): void {
    const body = JSON.stringify(promised)
    writeWhole(file(promised.id, 'json'), `${mac(stateKey(stateDir), 'background', body)}\n${body}`)
  }

  return {
    put,
    /** File in which the supervisor of a program writes how it ended. */
    endFile: (id: string) => file(id, 'end'),

    /** Throws when the folder cannot be read: then it is unknown which hooks wait. */
    ids(): string[] {
      // No background hook has run yet.
      if (!statSync(folder, { throwIfNoEntry: false })) return []
      const names = readdirSync(folder)
      for (const name of names) {
        if (name.endsWith('.taken')) giveBack(join(folder, name))
        else if (isLeftOver(name, names)) removeIfOld(join(folder, name))
      }
      return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
    },

    /** Undefined when it is gone or not authentic. */
    read(id: string): Promised | undefined {
      try {
        const text = readText(file(id, 'json'))
        const body = text.slice(MAC_LENGTH + 1)
        const key = readStateKey(stateDir)
        if (!key || !isMac(text.slice(0, MAC_LENGTH), key, 'background', body)) return undefined
        return JSON.parse(body) as Promised
      } catch {
        return undefined // another process has just handled it
      }
    },

    end(id: string): End | undefined {
      try {
        const [attempts, exit, at] = readText(file(id, 'end')).trim().split(' ')
        const code = exit === 'timeout' ? exit : Number(exit)
        return { attempts: Number(attempts), exit: code, at: Number(at) * 1000 }
      } catch {
        return undefined // still running
      }
    },

    supervisor(id: string): number | undefined {
      try {
        return Number(readText(file(id, 'end.pid')).trim()) || undefined
      } catch {
        return undefined // not started
      }
    },

    /** True for exactly one of several processes. */
    take(id: string): boolean {
      try {
        renameSync(file(id, 'json'), join(folder, `${id}.taken`))
        return true
      } catch {
        return false
      }
    },

    forget(id: string): void {
      for (const name of [`${id}.json`, `${id}.taken`, `${id}.end`, `${id}.end.pid`])
        rmSync(join(folder, name), { force: true })
    },
  }
}

/** What a supervisor wrote after its hook was recorded: a hook that was started twice ends twice. */
function isLeftOver(name: string, names: readonly string[]): boolean {
  const id = /^(.+)\.end(?:\.pid)?$/.exec(name)?.[1]
  return id !== undefined && !names.includes(`${id}.json`) && !names.includes(`${id}.taken`)
}

function removeIfOld(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found && Date.now() - found.ctimeMs > ABANDONED_MS) rmSync(path, { force: true })
}

/** For a file whose taker was killed before it was done. */
function giveBack(taken: string): void {
  try {
    if (Date.now() - statSync(taken).ctimeMs > ABANDONED_MS)
      renameSync(taken, taken.replace(/\.taken$/, '.json'))
  } catch {
    // Its taker has finished it.
  }
}

/** Recording takes milliseconds, so a file taken this long ago is abandoned. */
const ABANDONED_MS = 60_000

export type Spool = ReturnType<typeof spool>
