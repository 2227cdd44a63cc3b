/** What the new version would have decided about the calls of recent weeks, compared with the old one. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paths } from '../config/paths.ts'
import { createJudge } from '../history/judge-call.ts'
import { readHistory } from '../history/read.ts'
import { type Change, replay } from '../history/replay.ts'
import type { PackFile } from '../packs/files.ts'
import { writePlain } from '../packs/pack.ts'
import { journalOf } from '../pipeline/journal.ts'
import { messageOf } from '../spec/errors.ts'
import type { Plan } from './update-plan.ts'

export type Behaviour =
  | { days: number; calls: number; replayed: number; partial: number; changed: Change[] }
  /** The comparison was not possible. */
  | { why: string }

const DAYS = 30

export async function behaviourOf({ before, after }: Plan, env: NodeJS.ProcessEnv): Promise<Behaviour> {
  const scratch = mkdtempSync(join(tmpdir(), 'crosshook-replay-'))
  try {
    const folder = (name: string, hooks: Record<string, PackFile[]>) => {
      const path = join(scratch, name)
      for (const [hook, files] of Object.entries(hooks)) writePlain(join(path, hook), files)
      return path
    }
    const judgeOf = (path: string) => createJudge({ env, sources: [{ path }] })
    const journal = await journalOf(paths(env))
    try {
      const history = readHistory({ env, journal, since: new Date(Date.now() - DAYS * 24 * 60 * 60 * 1000) })
      const { coverage, changed } = await replay(history, {
        judge: judgeOf(folder('after', after)),
        before: judgeOf(folder('before', before)),
      })
      return {
        days: DAYS,
        calls: coverage.calls,
        replayed: coverage.replayed,
        partial: coverage.partial,
        changed,
      }
    } finally {
      journal.close()
    }
  } catch (error) {
    return { why: messageOf(error) }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
