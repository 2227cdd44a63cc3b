/**
 * Registrations with `failBehavior: block` outlive the daemon: the next one blocks their events until their programs
 * are back, or somebody removes them.
 */

import { existsSync } from 'node:fs'
import { makeFolder } from '../../config/make-folder.ts'
import { writeDurably } from '../../journal/write-durably.ts'
import { messageOf } from '../../spec/errors.ts'
import { readText } from '../../spec/read-file.ts'
import type { Log } from '../log.ts'
import { putAside } from '../put-aside.ts'

export interface Registration {
  id: string
  client: string
  event: string
  matcher: unknown
  config: unknown
}

export interface KeptRegistrations {
  all(): readonly Registration[]
  add(registration: Registration): void
  remove(id: string): void
  /** Why the stored registrations cannot be used; undefined when they can. */
  readonly trouble: string | undefined
}

export function openRegistrations(stateDir: string, log: Log): KeptRegistrations {
  const file = `${stateDir}/registrations.json`
  let trouble: string | undefined
  const say = (sentence: string) => {
    trouble = sentence
    log.error(sentence)
  }
  let kept = read(file, say)
  const write = () => {
    try {
      makeFolder(stateDir)
      writeDurably(file, `${JSON.stringify({ registrations: kept })}\n`)
      trouble = undefined
    } catch (error) {
      // It is valid while this daemon runs; refusing it would leave its program without a guard now.
      say(
        `a registration with failBehavior block will not survive a restart of the daemon: ${file}: ${messageOf(error)}`,
      )
    }
  }
  return {
    all: () => kept,
    add(registration) {
      kept = [...kept, registration]
      write()
    },
    remove(id) {
      const left = kept.filter((other) => other.id !== id)
      if (left.length === kept.length) return
      kept = left
      write()
    },
    get trouble() {
      return trouble
    },
  }
}

function read(file: string, say: (sentence: string) => void): readonly Registration[] {
  if (!existsSync(file)) return []
  try {
    const { registrations } = JSON.parse(readText(file)) as { registrations: Registration[] }
    if (registrations.every(({ id, client, event }) => [id, client, event].every(isText)))
      return registrations
    throw new Error('a registration lacks its id, client or event')
  } catch (error) {
    const aside = putAside(file)
    say(
      `registrations with failBehavior block are lost: ${file} cannot be read (${messageOf(error)}). It was renamed to ${aside}; start those programs again.`,
    )
    return []
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}
