/** A permission that outlives its question: bound to the digest of exactly what was asked, with a scope and an end. */

import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../config/make-folder.ts'
import { stateKey } from '../config/state-key.ts'
import { uniqueHex } from '../journal/unique.ts'
import type { GrantScope, Question } from './question.ts'
import { createSealed, readSealed } from './sealed-file.ts'
import { type Required, satisfies } from './who.ts'

export interface Grant {
  id: string
  digest: string
  scope: GrantScope
  agent: string
  session_id: string
  project: string
  /** ISO. */
  until: string
  at: string
  /** Everybody whose yes it is based on. */
  by: readonly string[]
  via: string
  question: string
  tool_name: string
  summary: string
}

export interface Grants {
  give(grant: Omit<Grant, 'id'>): Grant
  /** Those still valid, oldest first. */
  list(): Grant[]
  /** The grant that answers this question; a grant for a single call is used up. */
  use(asked: Asked, required: Required, now?: number): Grant | undefined
  /** False when there is none of that id. */
  revoke(id: string): boolean
}

export type Asked = Pick<Question, 'digest' | 'agent' | 'session_id' | 'project'>

const FILE = /^([0-9a-f]{8})\.grant$/

export function openGrants(stateDir: string): Grants {
  const folder = join(stateDir, 'grants')
  const sealing = () => ({ key: stateKey(stateDir) })
  const file = (id: string) => join(folder, `${id}.grant`)

  function all(): Grant[] {
    let names: string[]
    try {
      names = readdirSync(folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
    const seal = names.length > 0 ? sealing() : undefined
    return names
      .filter((name) => FILE.test(name))
      .flatMap((name) => {
        const found = readSealed<Grant>(join(folder, name), seal!)
        return found === undefined || found === 'forged' ? [] : [found]
      })
      .sort((a, b) => a.at.localeCompare(b.at))
  }

  function current(now: number): Grant[] {
    return all().filter((grant) => {
      if (Date.parse(grant.until) > now) return true
      rmSync(file(grant.id), { force: true })
      return false
    })
  }

  return {
    give(given) {
      makeFolder(folder)
      const grant = { ...given, id: uniqueHex(8) }
      if (!createSealed(file(grant.id), grant, sealing())) throw new Error(`grant ${grant.id} exists already`)
      return grant
    },
    list: () => current(Date.now()),
    use(asked, required, now = Date.now()) {
      return current(now).find(
        (grant) => reaches(grant, asked) && satisfies(grant.by, required) && isOurs(grant),
      )
    },
    revoke(id) {
      if (!FILE.test(`${id}.grant`) || !all().some((grant) => grant.id === id)) return false
      rmSync(file(id), { force: true })
      return true
    },
  }

  /** Of several concurrent calls, one gets a grant for a single call. */
  function isOurs({ id, scope }: Grant): boolean {
    if (scope !== 'once') return true
    try {
      renameSync(file(id), join(folder, `${id}.used`))
      rmSync(join(folder, `${id}.used`), { force: true })
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  }
}

function reaches(grant: Grant, { digest, agent, session_id, project }: Asked): boolean {
  if (grant.digest !== digest || grant.agent !== agent) return false
  return grant.scope === 'project' ? grant.project === project : grant.session_id === session_id
}
