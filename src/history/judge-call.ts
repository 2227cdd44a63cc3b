/** What a set of hooks says to a past call. Without `scripts` only hooks that start nothing are asked. */

import { loadHookSet } from '../config/load.ts'
import { paths } from '../config/paths.ts'
import { selfProtection } from '../config/self-protection.ts'
import type { SourceSetting } from '../config/settings.ts'
import { openTrust } from '../config/trust.ts'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import type { Answer } from '../engine/attempt.ts'
import { toResult } from '../engine/merge.ts'
import { type Planned, plan } from '../engine/plan.ts'
import { type Ran, run as runHooks } from '../engine/run.ts'
import { rememberEnvironment } from '../fast/event-environment.ts'
import { type Active, activate } from '../pipeline/select/active.ts'
import { runsItself } from '../pipeline/select.ts'
import type { Dialect } from '../spec/dialect.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { Decision, FireResult, HookReport } from '../spec/outcome.ts'
import type { PastCall } from './call.ts'
import type { Scripts } from './scripts.ts'

export interface Verdict {
  decision: Decision
  reason: string | null
  /** The hook that decided; null when none did. */
  hook: string | null
  /** Hooks that apply but were not asked, with the reason. */
  unasked: readonly Unasked[]
  /** How each hook that applies ended. */
  hooks: readonly HookReport[]
  /** All that the hooks that were asked answered together. */
  result: FireResult
}

export interface Unasked {
  hook: string
  why: string
}

export interface Judge {
  judge(call: PastCall): Promise<Verdict>
  /** All hooks that were loaded, by name, including those that never applied. */
  hooks(): Iterable<Hook>
}

export interface JudgeOptions {
  env: NodeJS.ProcessEnv
  /** Only the hooks of these files and folders, whatever is installed. */
  sources?: readonly SourceSetting[]
  /** Only these hooks. */
  hooks?: readonly Hook[]
  /** Runs hooks that are programs; without it they are not asked. */
  scripts?: Scripts
}

interface Ready {
  active: Active
  projects: readonly string[]
}

/** Most folders whose hooks are cached. */
const MAX_FOLDERS = 500

export function createJudge({ env, sources, hooks, scripts }: JudgeOptions): Judge {
  const where = paths(env)
  const trust = openTrust(where.state, env.CROSSHOOK_TRUST === 'all')
  const byFolder = new Map<string, Promise<Ready>>()
  const agents = new Map<string, Promise<Dialect | undefined>>()
  const seen = new Map<string, Hook>()

  async function load(workDir: string): Promise<Ready> {
    if (hooks) return ready(hooks, [])
    const set = await loadHookSet({ env, workDir, ...(sources ? { sources } : {}) })
    const builtIn = sources || !set.settings.self_protection ? [] : selfProtection(where)
    return ready([...set.hooks, ...set.broken, ...builtIn], set.projects, set.settings)
  }

  function ready(
    all: readonly Hook[],
    projects: readonly string[],
    settings = { disabled: [] as string[] },
  ): Ready {
    for (const hook of all) seen.set(hook.name, hook)
    return { active: activate(all, { trust, settings }, fixedAnswer), projects }
  }

  function readyFor(workDir: string): Promise<Ready> {
    // Given sources are the same for every folder.
    const folder = hooks ? '' : workDir
    let found = byFolder.get(folder)
    if (!found) {
      if (byFolder.size >= MAX_FOLDERS) byFolder.clear()
      byFolder.set(folder, (found = load(workDir)))
    }
    return found
  }

  function agentOf(id: string | undefined): Promise<Dialect | undefined> | undefined {
    // The journal may name an agent that this version does not know.
    if (id === undefined || !Object.hasOwn(DIALECTS, id)) return undefined
    let found = agents.get(id)
    if (!found) agents.set(id, (found = loadDialect(id).catch(() => undefined)))
    return found
  }

  async function stepsFor(event: HookEvent) {
    const { active, projects } = await readyFor(event.work_dir)
    const candidates = await active.candidates(event)
    const agent = await agentOf(event.agent)
    if (!agent) return plan(candidates)
    const isItsOwn = runsItself(agent, { home: where.home, projects })
    return candidates.some(({ hook }) => isItsOwn(hook))
      ? plan(candidates.filter(({ hook }) => !isItsOwn(hook)))
      : plan(candidates)
  }

  return {
    async judge({ event }) {
      rememberEnvironment(event, env)
      const steps = await stepsFor(event)
      const unasked: Unasked[] = []
      const ran = await runHooks(steps, event, {
        execute: (planned, given, call) => {
          const why = scripts ? scripts.refuses(planned.hook) : whyUnasked(planned.hook)
          if (why === undefined) return scripts!.run(planned, given, call)
          unasked.push({ hook: planned.hook.name, why })
          return NO_ANSWER
        },
        background: ({ hook }) => {
          unasked.push({ hook: hook.name, why: 'it runs in the background and decides nothing' })
        },
      })
      return verdictOf(event, ran, unasked)
    },
    hooks: () => seen.values(),
  }
}

/** A fixed answer needs nothing to be started. */
function fixedAnswer({ run }: Hook): Planned['direct'] {
  return run.type === 'outcome' ? () => run.outcome : undefined
}

const NO_ANSWER: Promise<Answer> = Promise.resolve({ outcome: {} })

function whyUnasked({ run }: Hook): string {
  return run.type === 'command'
    ? 'it is a program: --run runs it'
    : `hooks of type ${run.type} are never replayed`
}

function verdictOf(event: HookEvent, { outcome, reports }: Ran, unasked: Unasked[]): Verdict {
  const result = toResult(event, { outcome, reports })
  const { decision, reason } = result
  for (const { name, skipped } of reports)
    if (skipped === 'untrusted')
      unasked.push({ hook: name, why: 'the project that it belongs to is not trusted' })
  const decider =
    decision === 'deny'
      ? (reports.find(({ status }) => status === 'blocked') ??
        reports.find(({ reason: why }) => why !== null))
      : decision === 'ask'
        ? reports.find(({ asked }) => asked)
        : undefined
  return { decision, reason, hook: decider?.name ?? null, unasked, hooks: reports, result }
}
