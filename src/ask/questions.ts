/**
 * The questions of a state folder, as files in `asks/`: waiting, asking and answering may be in different processes,
 * and any of them may be killed. `ID.question` exists before anybody waits; `ID.answer` is written once, by the first
 * who answers.
 */

import { type FSWatcher, readdirSync, rmSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../config/make-folder.ts'
import { stateKey } from '../config/state-key.ts'
import { writeWhole } from '../config/write-whole.ts'
import { sha256Hex } from '../fast/digest.ts'
import { readText } from '../spec/read-file.ts'
import type { Answer, Question } from './question.ts'
import { createSealed, readSealed, replaceSealed } from './sealed-file.ts'

export interface Questions {
  readonly folder: string
  put(question: Question): void
  /** A later deadline, or another process that waits. */
  change(question: Question): void
  get(id: string): Question | undefined
  /** Every question that is kept, oldest first. */
  list(): Question[]
  /** Unanswered questions. */
  open(): Question[]
  answerOf(id: string): Answer | undefined
  /** False when somebody else was quicker. */
  answer(answer: Answer): boolean
  /** A yes after the deadline. False when there was one. */
  answerLate(answer: Answer): boolean
  /** One yes of several. False when this person has already voted. */
  vote(answer: Answer): boolean
  votes(id: string): Answer[]
  /** Stored to show the person that its session asks too much; nobody waits for it. */
  flood(question: Question): void
  /** The newest question about the same thing: see `equalKey`. */
  equal(key: string): Question | undefined
  remember(key: string, id: string): void
  /** True for the first process that carries the answer out. */
  take(id: string): boolean
  isTaken(id: string): boolean
  /** Resolves with an answer, at the deadline, or when aborted. */
  wait(id: string, until: number, signal?: AbortSignal): Promise<Answer | undefined>
  /** Calls back with the name of each new file, until the returned function is called. */
  follow(changed: (name: string) => void): () => void
  /** Removes questions that ended more than this many milliseconds ago. */
  forget(age: number): void
  close(): void
}

/** How often to poll where the system reports no changes. */
const LOOK_EVERY_MS = 500

/** Two questions are equal for the same input, agent and session. */
export function equalKey({ agent, session_id, digest }: Pick<Question, 'agent' | 'session_id' | 'digest'>) {
  return sha256Hex(`${agent}\0${session_id}\0${digest}`)
}

/** Extension of a vote's file: a person with another key by now may vote again. */
export function voteKind({ by, proof }: Pick<Answer, 'by' | 'proof'>): string {
  return `vote-${sha256Hex(proof === undefined ? by : `${by}\0${proof}`).slice(0, 16)}`
}

const ID = /^[a-z0-9]{4,32}$/

export function isId(id: string): boolean {
  return ID.test(id)
}

export function openQuestions(stateDir: string): Questions {
  const folder = join(stateDir, 'asks')
  makeFolder(join(folder, 'equal'))
  const sealing = { key: stateKey(stateDir) }
  const file = (id: string, kind: string) => {
    if (!isId(id)) throw new Error(`"${id}" is no id of a question`)
    return join(folder, `${id}.${kind}`)
  }
  const read = <T>(path: string): T | undefined => {
    const found = readSealed<T>(path, sealing)
    return found === 'forged' ? undefined : found
  }
  const waiters = new Map<string, Set<() => void>>()
  const followers = new Set<(name: string) => void>()
  let watcher: FSWatcher | undefined
  let look: NodeJS.Timeout | undefined

  /** One watcher for all who wait in this process. */
  function begin(): void {
    if (watcher || look) return
    try {
      watcher = watch(folder, (_, name) => name !== null && seen(name))
      watcher.on('error', () => end()) // polling finds what it misses
    } catch {
      // No watches left: the timer finds new files.
    }
    look = setInterval(lookAgain, LOOK_EVERY_MS)
    look.unref()
  }

  function lookAgain(): void {
    let found: string[]
    try {
      found = names()
    } catch {
      return // the state folder is gone or replaced: waiting calls are refused at the deadline
    }
    for (const name of found) if (name.endsWith('.answer')) wake(name)
    if (!watcher) for (const name of found) for (const each of followers) each(name)
  }

  function end(): void {
    watcher?.close()
    watcher = undefined
  }

  function endUnused(): void {
    if (waiters.size > 0 || followers.size > 0) return
    end()
    clearInterval(look)
    look = undefined
  }

  function seen(name: string): void {
    wake(name)
    for (const each of followers) each(name)
  }

  function wake(name: string): void {
    if (!name.endsWith('.answer')) return
    for (const call of waiters.get(name.slice(0, -'.answer'.length)) ?? []) call()
  }

  function names(): string[] {
    try {
      return readdirSync(folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  const questions: Questions = {
    folder,
    put(question) {
      if (!createSealed(file(question.id, 'question'), question, sealing))
        throw new Error(`there is a question ${question.id} already`)
    },
    change: (question) => replaceSealed(file(question.id, 'question'), question, sealing),
    get: (id) => (isId(id) ? read<Question>(file(id, 'question')) : undefined),
    list: () =>
      names()
        .filter((name) => name.endsWith('.question'))
        .flatMap((name) => read<Question>(join(folder, name)) ?? [])
        .sort((a, b) => a.at.localeCompare(b.at)),
    open() {
      const all = new Set(names())
      return [...all]
        .filter((name) => name.endsWith('.question') && !all.has(name.replace('.question', '.answer')))
        .flatMap((name) => read<Question>(join(folder, name)) ?? [])
        .sort((a, b) => a.at.localeCompare(b.at))
    },
    answerOf: (id) => (isId(id) ? read<Answer>(file(id, 'answer')) : undefined),
    answer(answer) {
      const path = file(answer.id, 'answer')
      // A file without our seal is not an answer and must not block one.
      if (readSealed(path, sealing) === 'forged') rmSync(path, { force: true })
      const isFirst = createSealed(path, answer, sealing)
      if (isFirst) seen(`${answer.id}.answer`)
      return isFirst
    },
    answerLate: (answer) => createSealed(file(answer.id, 'late'), answer, sealing),
    vote: (answer) => createSealed(file(answer.id, voteKind(answer)), answer, sealing),
    votes: (id) =>
      names()
        .filter((name) => name.startsWith(`${id}.vote-`) && !name.endsWith('.tmp'))
        .flatMap((name) => read<Answer>(join(folder, name)) ?? [])
        // Two may be of one millisecond.
        .sort((a, b) => a.at.localeCompare(b.at) || a.by.localeCompare(b.by)),
    flood(question) {
      questions.put(question)
      createSealed(file(question.id, 'flood'), { id: question.id }, sealing)
    },
    equal(key) {
      try {
        const id = readText(join(folder, 'equal', key))
        const found = questions.get(id)
        // The pointer is not sealed, so its target must match.
        return found && equalKey(found) === key ? found : undefined
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    remember: (key, id) => writeWhole(join(folder, 'equal', key), id),
    take: (id) => createSealed(file(id, 'taken'), { id, pid: process.pid }, sealing),
    isTaken: (id) => read(file(id, 'taken')) !== undefined,
    async wait(id, until, signal) {
      begin()
      const found = await new Promise<Answer | undefined>((resolve) => {
        const check = () => {
          const answer = questions.answerOf(id)
          if (answer) done(answer)
        }
        const done = (answer: Answer | undefined) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', stop)
          const others = waiters.get(id)
          others?.delete(check)
          if (others?.size === 0) waiters.delete(id)
          resolve(answer)
        }
        const stop = () => done(questions.answerOf(id))
        const timer = setTimeout(stop, Math.max(0, until - Date.now()))
        signal?.addEventListener('abort', stop)
        const others = waiters.get(id) ?? new Set()
        waiters.set(id, others.add(check))
        if (signal?.aborted) stop()
        else check()
      })
      endUnused()
      return found
    },
    follow(changed) {
      followers.add(changed)
      begin()
      return () => {
        followers.delete(changed)
        endUnused()
      }
    },
    forget(age) {
      const before = Date.now() - age
      for (const name of [...names(), ...equalNames(folder)]) {
        const path = join(folder, name)
        const found = statSync(path, { throwIfNoEntry: false })
        if (found?.isFile() && found.mtimeMs < before) rmSync(path, { force: true })
      }
    },
    close() {
      waiters.clear()
      followers.clear()
      endUnused()
    },
  }
  return questions
}

function equalNames(folder: string): string[] {
  try {
    return readdirSync(join(folder, 'equal')).map((name) => join('equal', name))
  } catch {
    return []
  }
}
