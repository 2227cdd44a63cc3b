/** The hook that is being written. Only its text is stored: form and canvas send edits of the text, and show what the host parsed from it. */

import { batch, signal } from '@preact/signals'
import { type Problem, post } from '../api.ts'
import { problemOf } from '../load.ts'

export type Path = readonly (string | number)[]

export interface Edit {
  path: Path
  value?: unknown
}

export interface DraftProblem {
  level: 'error' | 'warning'
  line: number
  field: string | null
  message: string
  fix: string
}

export interface OrderRow {
  name: string
  scope: string
  priority: number
  mode: string
  after: string[]
  runs: string
  matches: string
  is_draft: boolean
}

export interface Need {
  text: string
  risk: boolean
}

export interface DraftView {
  text: string
  fields: Record<string, unknown> | null
  problems: DraftProblem[]
  hook: { name: string; event: string; runs: string; matches: string; needs: Need[] } | null
  order: OrderRow[]
}

export interface Change {
  at: string
  tool: string
  summary: string
  before: string
  after: string
  reason: string | null
}

export interface History {
  events: number
  applies: number
  says: Record<'allow' | 'ask' | 'deny' | 'confine' | 'rewrite', number>
  not_run: number
  partial: number
  changed: Change[]
  changes: number
  compared_with: 'before' | null
  took_ms: number
}

export interface Tried {
  history: History | null
  cases: {
    name: string
    passed: boolean | null
    differences: { field: string; expected: unknown; got: unknown }[]
  }[]
  cases_problem: string | null
}

export interface HookFile {
  path: string
  text: string
  executable?: boolean
}

/** Where the hook that is changed lies; undefined for a new one. */
export interface Opened {
  name: string
  scope: string
  file: string
  digest: string
  work_dir: string
}

export type Builder = ReturnType<typeof createBuilder>

/** How long after the last key the host checks the text, and tries it on the journal. */
const CHECK_DELAY_MS = 200
const TRY_DELAY_MS = 350

export function createBuilder(given: { text: string; files: HookFile[]; opened?: Opened; workDir: string }) {
  const text = signal(given.text)
  /** Incremented when something other than the editor changed the text. */
  const version = signal(0)
  const view = signal<DraftView | undefined>(undefined)
  const files = signal<HookFile[]>(given.files)
  const tried = signal<Tried | undefined>(undefined)
  const isTrying = signal(false)
  const problem = signal<Problem | undefined>(undefined)
  const savedText = signal(given.opened ? given.text : undefined)
  const savedFiles = signal(given.files)
  let queue: Promise<unknown> = Promise.resolve()
  let lookTimer: ReturnType<typeof setTimeout> | undefined
  let tryTimer: ReturnType<typeof setTimeout> | undefined
  let trying = 0
  /** Edits that are not in the text yet: the host did not answer, or the text changed during the request. */
  let unsent: readonly Edit[] = []

  const body = () => ({
    text: text.value,
    files: files.value,
    work_dir: given.workDir,
    ...(given.opened ? { replaces: { name: given.opened.name, scope: given.opened.scope } } : {}),
  })

  async function look(given: readonly Edit[]): Promise<void> {
    const before = text.value
    const edits = [...unsent, ...given]
    try {
      const found = await post<DraftView>('/v1/builder/draft', {
        ...body(),
        ...(edits.length > 0 ? { edits } : {}),
      })
      batch(() => {
        problem.value = undefined
        // The text has changed since: the next check will show its result.
        unsent = text.value === before ? [] : edits
        if (text.value === before && found.text !== before) {
          text.value = found.text
          version.value++
        }
        view.value = found
      })
      tryLater()
    } catch (error) {
      problem.value = problemOf(error)
      unsent = problem.value.code === 'lost' ? edits : []
    }
  }

  function tryLater(): void {
    clearTimeout(tryTimer)
    tryTimer = setTimeout(() => void tryNow(), TRY_DELAY_MS)
  }

  async function tryNow(): Promise<void> {
    const round = ++trying
    isTrying.value = true
    try {
      const found = await post<Tried>('/v1/builder/try', body())
      if (round === trying) tried.value = found
    } catch (error) {
      if (round === trying) problem.value = problemOf(error)
    } finally {
      if (round === trying) isTrying.value = false
    }
  }

  return {
    ...given,
    text,
    version,
    view,
    files,
    tried,
    isTrying,
    problem,
    savedText,
    savedFiles,
    /** One after another: each edit applies to the text that the previous one produced. */
    edit(...edits: Edit[]): Promise<void> {
      clearTimeout(lookTimer)
      const done = queue.then(() => look(edits))
      queue = done
      return done
    },
    type(typed: string): void {
      if (typed === text.value) return
      text.value = typed
      clearTimeout(lookTimer)
      lookTimer = setTimeout(() => {
        queue = queue.then(() => look([]))
      }, CHECK_DELAY_MS)
    },
    setFile(path: string, content: string, executable = false): void {
      const others = files.value.filter((file) => file.path !== path)
      files.value = [...others, { path, text: content, executable }].sort((a, b) =>
        a.path < b.path ? -1 : 1,
      )
      clearTimeout(lookTimer)
      lookTimer = setTimeout(() => {
        queue = queue.then(() => look([]))
      }, CHECK_DELAY_MS)
    },
    async save(scope: string, workDir: string) {
      await queue
      const saved = await post<{ name: string; file: string; digest: string; trust: string | null }>(
        '/v1/builder/save',
        {
          ...body(),
          scope,
          work_dir: workDir,
          ...(given.opened ? { opened: given.opened.digest } : {}),
        },
      )
      savedText.value = text.value
      savedFiles.value = files.value
      if (given.opened) given.opened.digest = saved.digest
      return saved
    },
  }
}

/** The value at a path, if there is one. */
export function valueAt(fields: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (from, step) =>
      typeof from === 'object' && from !== null
        ? (from as Record<string | number, unknown>)[step]
        : undefined,
    fields,
  )
}
