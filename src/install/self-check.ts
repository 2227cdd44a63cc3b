/** Checks crosshook itself: its folders, its hooks, and what failed. */

import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadHookSet } from '../config/load.ts'
import { openGuards } from '../config/open-guards.ts'
import { firstUnsafe } from '../config/ownership.ts'
import type { TrustStore } from '../config/trust.ts'
import { confinementLevel, type Level } from '../executors/confine/level.ts'
import { digest } from '../fast/digest.ts'
import type { Assembly } from '../host/assemble.ts'
import { deadLetters } from '../journal/dead-letters.ts'
import { messageOf } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import type { EntryProblem } from '../spec/installer.ts'
import { readAccepted } from './accepted.ts'
import { foreignEntries } from './foreign.ts'
import type { Maker } from './genuine.ts'
import { hookHostProblems } from './hook-hosts.ts'

export interface SelfCheck {
  problems: EntryProblem[]
  hooks: number
  /** How hook programs can be confined here, or why not. */
  confinement: string
  foreign: number
  /** The project's folders that were checked. */
  projects: readonly string[]
}

export async function checkSelf(
  runtime: Assembly,
  maker: Maker,
  { env, workDir }: { env: NodeJS.ProcessEnv; workDir: string },
): Promise<SelfCheck> {
  const { state, home } = runtime.paths
  const cached = await runtime.hookSet(workDir)
  const { hooks, problems, settings } = await loadHookSet({ env, workDir, fresh: true })
  const waiting = hooks.filter((hook) => hook.scope === 'project' && runtime.trust.state(hook) !== 'trusted')
  const accepted = new Set(readAccepted(state).map(({ fingerprint }) => fingerprint))
  const { entries } = await foreignEntries(env, workDir, maker)
  const fresh = entries.filter(({ fingerprint }) => !accepted.has(fingerprint)).length
  const level = confinementLevel()
  return {
    hooks: hooks.length,
    confinement: level.words,
    foreign: fresh,
    projects: cached.projects,
    problems: [
      ...stateProblems(state),
      ...planProblems(cached.hooks, hooks),
      ...trustProblems(runtime.trust),
      ...programProblems(home),
      ...confinementProblems(hooks, level),
      ...problems.map(({ level, file, line, message, fix }) => ({
        level,
        ...(level === 'error' ? { also: 'hooks' as const } : {}),
        message: `${file}${line === undefined ? '' : `:${line}`}: ${message}`,
        fix,
      })),
      ...waiting.map(
        ({ name }): EntryProblem => ({
          level: 'error',
          also: 'hooks',
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
      // Hosts in untrusted hooks are not looked up: their author would notice the lookup.
      ...(await hookHostProblems(
        hooks.filter((hook) => !waiting.includes(hook)),
        { allowedHosts: settings.allowed_hosts },
      )),
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

/** Reads everything again without a cache: what runs must be what is there. */
function planProblems(cached: readonly Hook[], derived: readonly Hook[]): EntryProblem[] {
  if (digest(cached) === digest(derived)) return []
  return [
    {
      level: 'error',
      message:
        'the hooks that run are not those that their files say: a cached plan differs from what is there',
      fix: 'Remove the folder `plans` in the cache folder of crosshook, and look who wrote to it; then run doctor again.',
    },
  ]
}

function trustProblems({ wrong }: TrustStore): EntryProblem[] {
  const message = wrong()
  if (message === undefined) return []
  return [{ level: 'error', message, fix: 'Look at the hooks of your projects again: `crosshook trust`.' }]
}

function programProblems(home: string): EntryProblem[] {
  const main = process.argv[1]
  const found =
    main === undefined ? undefined : firstUnsafe([dirname(realpathSync(main)), realpathSync(main)], home)
  return found ? [{ level: 'error', message: found.message, fix: found.fix }] : []
}

function stateProblems(state: string): EntryProblem[] {
  const file = join(state, `.write-test-${process.pid}`)
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    // Not empty: an empty file fits on a full disk.
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
      also: 'dead_letters',
      message: `${count} ${count === 1 ? 'failure of a hook is' : 'failures of hooks are'} unresolved`,
      fix: 'Look at them with `crosshook dead-letter list`.',
    })
  return problems
}
