/**
 * Registrations that must hold (`failBehavior: block`) outlive the daemon: the next one blocks their events until their
 * programs are back, or somebody takes them away.
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
  /** Why what is kept is not what it should be; undefined when it is. */
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
      // It holds as long as this daemon runs; refusing it would leave its program without a guard now.
      say(`a registration that must hold would not outlive the daemon: ${file}: ${messageOf(error)}`)
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
      `hooks of programs that must hold are not known any more: ${file} cannot be read (${messageOf(error)}). It was put aside as ${aside}; start those programs again.`,
    )
    return []
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}
