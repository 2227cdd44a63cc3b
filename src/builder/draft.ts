/** A hook being written: its fields, its problems, and its place among the others. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inside } from '../cases/fill.ts'
import { hookEditor } from '../config/edit-hook.ts'
import { readSource } from '../config/load.ts'
import { FOLDER_FORMAT } from '../dialects/list.ts'
import { activate } from '../pipeline/select/active.ts'
import type { FieldEdit } from '../spec/dialect.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook, Problem } from '../spec/hook.ts'
import { matcherWords } from '../spec/matcher.ts'
import { type Need, needsOf } from './shelf.ts'

export interface DraftGiven {
  text: string
  /** Applied to the text before it is checked. */
  edits?: readonly FieldEdit[]
  /** Other files of its folder. */
  files?: readonly { path: string; text: string }[]
  /** The hooks that it would be placed among. */
  among?: readonly Hook[]
  /** The file of the hook that it replaces. */
  replaces?: string
  allowedHosts?: readonly string[]
}

export interface DraftProblem extends Pick<Problem, 'level' | 'message' | 'fix'> {
  line: number
  field: string | null
}

export interface Draft {
  text: string
  /** Null when the frontmatter is unreadable: see `problems`. */
  fields: Record<string, unknown> | null
  problems: DraftProblem[]
  /** Null when it does not load. */
  hook: { name: string; event: string; runs: Hook['run']['type']; matches: string; needs: Need[] } | null
  /** The hooks of its event in run order. */
  order: OrderRow[]
}

export interface OrderRow {
  name: string
  scope: string
  priority: number
  mode: Hook['mode']
  after: readonly string[]
  runs: Hook['run']['type']
  matches: string
  is_draft: boolean
}

export async function lookAtDraft(given: DraftGiven): Promise<{ draft: Draft; hook: Hook | undefined }> {
  const { edits = [], files = [], among = [], replaces, allowedHosts = [] } = given
  const editor = await hookEditor()
  const text = edits.length > 0 ? editor.editFields(given.text, edits) : given.text
  const { hook, problems } = await loadDraft(text, files, allowedHosts)
  return {
    hook,
    draft: {
      text,
      fields: fieldsOf(text, editor.readFields),
      problems,
      hook: hook
        ? {
            name: hook.name,
            event: hook.events[0]!,
            runs: hook.run.type,
            matches: matcherWords(hook.matcher),
            needs: needsOf(hook),
          }
        : null,
      order: hook ? orderOf(hook, among, replaces) : [],
    },
  }
}

function fieldsOf(text: string, read: (text: string) => Record<string, unknown>): Draft['fields'] {
  try {
    return read(text)
  } catch (error) {
    if (error instanceof CrosshookError) return null
    throw error
  }
}

/** Loaded from a folder of its own, exactly as from its final place. Nothing of it is run. */
export async function loadDraft(
  text: string,
  files: readonly { path: string; text: string }[],
  allowedHosts: readonly string[] = [],
): Promise<{ hook: Hook | undefined; problems: DraftProblem[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-draft-'))
  try {
    for (const each of files) {
      const file = inside(folder, each.path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, each.text)
    }
    writeFileSync(join(folder, 'HOOK.md'), text)
    const source = { path: join(folder, 'HOOK.md'), format: FOLDER_FORMAT }
    const { hooks, problems } = await readSource(source, 'source', allowedHosts)
    return {
      hook: hooks[0],
      problems: problems
        // `order` already shows whether another hook exists.
        .filter(({ field, level }) => field !== 'after' || level === 'error')
        .map(({ level, message, fix, line = 1, field = null }) => ({ level, message, fix, line, field })),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function orderOf(hook: Hook, among: readonly Hook[], replaces: string | undefined): OrderRow[] {
  const others = among.filter(({ origin, name }) => origin.file !== replaces && name !== hook.name)
  const { all } = activate([...others, hook], { trust: undefined, settings: { disabled: [] } })
  return all(hook.events[0]!).map(({ hook: each }) => ({
    name: each.name,
    scope: each === hook ? 'draft' : each.scope,
    priority: 100 - each.order,
    mode: each.mode,
    after: each.after ?? [],
    runs: each.run.type,
    matches: matcherWords(each.matcher),
    is_draft: each === hook,
  }))
}
