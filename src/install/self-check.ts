/** crosshook's own house: where it keeps things, its hooks, and what failed. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openGuards } from '../config/open-guards.ts'
import { confinementLevel, type Level } from '../executors/confine/level.ts'
import type { Assembly } from '../host/assemble.ts'
import { deadLetters } from '../journal/dead-letters.ts'
import type { EntryProblem } from '../spec/dialect.ts'
import { messageOf } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { readAccepted } from './accepted.ts'
import { foreignEntries } from './foreign.ts'
import type { Maker } from './genuine.ts'

export interface SelfCheck {
  problems: EntryProblem[]
  hooks: number
  /** How hook programs can be confined here, or why not. */
  confinement: string
  foreign: number
}

export async function checkSelf(
  runtime: Assembly,
  maker: Maker,
  { env, workDir }: { env: NodeJS.ProcessEnv; workDir: string },
): Promise<SelfCheck> {
  const { state } = runtime.paths
  const { hooks, problems } = await runtime.hookSet(workDir)
  const waiting = hooks.filter((hook) => hook.scope === 'project' && runtime.trust.state(hook) !== 'trusted')
  const accepted = new Set(readAccepted(state).map(({ fingerprint }) => fingerprint))
  const { entries } = await foreignEntries(env, workDir, maker)
  const fresh = entries.filter(({ fingerprint }) => !accepted.has(fingerprint)).length
  const level = confinementLevel()
  return {
    hooks: hooks.length,
    confinement: level.words,
    foreign: fresh,
    problems: [
      ...stateProblems(state),
      ...confinementProblems(hooks, level),
      ...problems.map(({ level, file, line, message, fix }) => ({
        level,
        message: `${file}${line === undefined ? '' : `:${line}`}: ${message}`,
        fix,
      })),
      ...waiting.map(
        ({ name }): EntryProblem => ({
          level: 'warning',
          message: `project hook "${name}" does not run: it is not trusted`,
          fix: `Look at it, then run \`crosshook trust ${name}\`.`,
        }),
      ),
      ...(await openGuards(hooks)).map(
        ({ name, write }): EntryProblem => ({
          level: 'warning',
          message: `hook "${name}" can block, but lets everything pass when it fails`,
          fix: `If it is a guard, let it say \`${write}\`.`,
        }),
      ),
      ...letterProblems(state),
      ...(fresh === 0
        ? []
        : [
            {
              level: 'warning' as const,
              message: `${fresh} hook ${fresh === 1 ? 'entry' : 'entries'} in agents' settings that crosshook did not write and you have not accepted`,
              fix: 'Look at them with `crosshook verify`.',
            },
          ]),
    ],
  }
}

function confinementProblems(hooks: readonly Hook[], level: Level): EntryProblem[] {
  const asking = hooks.filter(({ sandbox, run }) => sandbox && run.type === 'command')
  if (level.confines || asking.length === 0) return []
  return [
    {
      level: 'error',
      message: `hooks that ask to be confined are not run (${asking.map(({ name }) => name).join(', ')}): ${level.words}`,
      fix: 'They fail, each by its `on_failure`. Install crosshook with its package for this platform, or use a newer kernel.',
    },
  ]
}

function stateProblems(state: string): EntryProblem[] {
  const file = join(state, `.write-test-${process.pid}`)
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    // An empty file fits on a full disk.
    writeFileSync(file, ' '.repeat(4096))
    return []
  } catch (error) {
    return [
      {
        level: 'error',
        message: `the state folder ${state} cannot be written: ${messageOf(error)}`,
        fix: 'Nothing is journaled and no trust can be kept until it can.',
      },
    ]
  } finally {
    rmSync(file, { force: true })
  }
}

function letterProblems(state: string): EntryProblem[] {
  const { unresolved_count: count, read_error: error } = deadLetters(state).summary()
  const problems: EntryProblem[] = []
  if (error !== undefined)
    problems.push({ level: 'warning', message: error, fix: 'Look at the files of that folder.' })
  if (count > 0)
    problems.push({
      level: 'warning',
      message: `${count} ${count === 1 ? 'failure of a hook is' : 'failures of hooks are'} unresolved`,
      fix: 'Look at them with `crosshook dead-letter list`.',
    })
  return problems
}
