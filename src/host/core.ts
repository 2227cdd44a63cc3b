/** Shared by every door of the daemon: one runtime, one queue, one list of registered hooks. */

import { isAbsolute } from 'node:path'
import { paths } from '../config/paths.ts'
import { registeredSettingsFile } from '../config/registered-settings.ts'
import type { AgentCall } from '../pipeline/context.ts'
import type { Observer } from '../pipeline/run/observe.ts'
import type { Reply } from '../spec/dialect.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { type Lazy, lazy } from '../spec/lazy.ts'
import type { FireResult } from '../spec/outcome.ts'
import type { Tokens } from './access-tokens.ts'
import { type Admission, createAdmission } from './admission.ts'
import type { FrontDesk } from './front-desk.ts'
import { createRegistry, type Registry } from './grpc/registry.ts'
import { createStreams, type Streams } from './grpc/streams.ts'
import { createHookSettings, type HookSettings } from './hook-settings.ts'
import { createResident, type Resident } from './host.ts'
import { createKeeper } from './keeper.ts'
import type { Log } from './log.ts'
import type { DaemonOptions } from './options.ts'
import type { Page } from './page/handler.ts'
import { createPeople, type People } from './people.ts'
import { plainEnvironment } from './relay/start.ts'
import { createSessions, type Sessions } from './session-folders.ts'
import { createTally, type Tally } from './tally.ts'
import type { Telemetry } from './telemetry.ts'
import { type Trace, withTrace } from './trace.ts'

export interface Core extends Resident {
  readonly options: DaemonOptions
  readonly tokens: Tokens
  /** Who has signed in on the page. */
  readonly people: People
  readonly frontDesk: Lazy<FrontDesk>
  /** Serves the page; loaded at the first request. */
  readonly page: Lazy<Page>
  readonly admission: Admission
  readonly registry: Registry
  readonly streams: Streams
  readonly sessions: Sessions
  readonly tally: Tally
  readonly hookSettings: HookSettings
  readonly log: Log
  readonly startedAt: number
  /** Why the last records could not be kept. */
  readonly keepTrouble: string | undefined
  /** Aborted when the doors close: ends streams that would not end by themselves. */
  readonly closing: AbortSignal
  /** True once the daemon was told to stop: running work is finished, nothing new begins. */
  stopping: boolean
  /** The environment of events whose sender's is unknown: what every program needs, nothing of the daemon's own. */
  readonly eventEnv: NodeJS.ProcessEnv
  fire(
    name: string,
    given: Record<string, unknown>,
    trace?: Trace,
    env?: NodeJS.ProcessEnv,
  ): Promise<FireResult>
  handle(call: AgentCall): Promise<Reply>
}

export interface CoreParts {
  options: DaemonOptions
  tokens: Tokens
  log: Log
  telemetry: Telemetry
  closing: AbortSignal
  /** Hooks of a program that embeds the daemon. */
  hooks?: readonly Hook[]
}

export function createCore({ options, tokens, log, telemetry, closing, hooks = [] }: CoreParts): Core {
  let hookSettings: HookSettings | undefined
  const tally = createTally()
  const sessions = createSessions()
  const registry: Registry = createRegistry({
    stateDir: paths(options.env).state,
    settingsFile: registeredSettingsFile(paths(options.env)),
    log,
    keep(subject, line) {
      const { error } = runtime.journal().append({
        event: 'hook_audit',
        session_id: '',
        work_dir: '',
        subject,
        decision: 'allow',
        reason: line,
        stop: null,
        duration_ms: 0,
        source: 'daemon',
        hooks: [],
      })
      if (error) log.warn(error.message)
    },
  })
  const streams = createStreams({
    modified: (hook, fields) =>
      registry.audit([{ kind: 'modified', hook, event: eventOf(hook), detail: fields.join(', ') }]),
  })
  const keeper = createKeeper()
  const admission = createAdmission(options.limits)
  const resident = createResident({
    env: options.env,
    source: 'daemon',
    registered: combined(hooks, registry),
    remote: streams.executor,
    keeper: keeper.keep,
    busy: true,
    async whileAsking({ door }, wait) {
      // Events of the relay do not take part in admission.
      if (door !== 'daemon') return wait()
      admission.leave()
      try {
        return await wait()
      } finally {
        admission.resume()
      }
    },
    observe: together([sessions.observer, tally.observer, registry.observer, telemetry.observer]),
    onStuckModule: (sentence) => log.error(sentence),
    trouble: (sentence) => log.warn(sentence),
  })
  const { runtime } = resident
  const stopTakingIn = keeper.takeInWhenIdle(runtime.journal(), (sentence) => log.warn(sentence))
  const frontDesk = lazy(async () => {
    const { openFrontDesk } = await import('./front-desk.ts')
    return openFrontDesk({ runtime, trouble: (sentence) => log.warn(sentence) })
  })
  const eventEnv = Object.freeze(plainEnvironment(options.env, options.passEnv))

  const core: Core = {
    ...resident,
    options,
    tokens,
    frontDesk,
    people: createPeople(runtime.paths.state, { secure: options.tls !== undefined }),
    page: lazy(async () => (await import('./page/handler.ts')).createPage(core)),
    admission,
    registry,
    streams,
    sessions,
    tally,
    log,
    startedAt: Date.now(),
    eventEnv,
    closing,
    get keepTrouble() {
      return keeper.trouble
    },
    get hookSettings() {
      return (hookSettings ??= createHookSettings(core))
    },
    stopping: false,
    async close() {
      ;(await frontDesk.started())?.close()
      stopTakingIn()
      await resident.close()
    },
    fire(name, given, trace, env = eventEnv) {
      const { work_dir } = given
      if (typeof work_dir === 'string' && work_dir !== '' && !isAbsolute(work_dir)) throw relative(work_dir)
      return admitted(() => runtime.fire(name, withTrace(given, trace), { env, cwd: runtime.paths.home }))
    },
    handle(call) {
      if (!isAbsolute(call.cwd)) throw relative(call.cwd)
      return admitted(() => runtime.handle(call))
    },
  }
  return core

  async function admitted<T>(work: () => Promise<T>): Promise<T> {
    const entered = admission.enter()
    if (entered !== true && !(await entered)) throw overloaded(options)
    try {
      return await work()
    } finally {
      admission.leave()
    }
  }

  function eventOf(hookId: string): string {
    return registry.hooks().find(({ name }) => name === hookId)?.native_event ?? ''
  }
}

function relative(workDir: string): CrosshookError {
  return new CrosshookError(
    'bad_input',
    `work_dir "${workDir}" is relative: the daemon does not know to which folder.`,
    {
      fix: 'Give an absolute path.',
    },
  )
}

function overloaded({ limits }: DaemonOptions): CrosshookError {
  return new CrosshookError(
    'limit',
    `The daemon is busy: ${limits.concurrent} events run and ${limits.waiting} wait.`,
    { fix: 'Try again in a second, or raise daemon.max_concurrent and daemon.max_waiting in config.toml.' },
  )
}

/** Keeps returning the same list until it changes, so that the runtime can compare by identity. */
function combined(own: readonly Hook[], registry: Registry): () => readonly Hook[] {
  if (own.length === 0) return registry.hooks
  let seen: readonly Hook[] | undefined
  let all: readonly Hook[] = own
  return () => {
    const registered = registry.hooks()
    if (registered !== seen) {
      seen = registered
      all = [...own, ...registered]
    }
    return all
  }
}

/** Calls only the observers that implement a method. */
function together(observers: readonly Observer[]): Observer {
  const events = observers.flatMap(({ event }) => event ?? [])
  const overs = observers.flatMap(({ over }) => over ?? [])
  const starts = observers.flatMap(({ started }) => started ?? [])
  const ends = observers.flatMap(({ ended }) => ended ?? [])
  return {
    event(event) {
      for (const begin of events) begin(event)
    },
    over(event, result, duration) {
      for (const end of overs) end(event, result, duration)
    },
    started(hook, event) {
      for (const start of starts) start(hook, event)
    },
    ended(hook, entry, event) {
      for (const end of ends) end(hook, entry, event)
    },
  }
}
