/**
 * A small agent on crosshook's library: it fires the whole life cycle and obeys every effect of the outcome. Take what
 * you need; the order of the events and what each answer means is the part to keep.
 */

import { randomUUID } from 'node:crypto'
import type { Hooks } from '../../index.ts'
import { compact } from './compaction.ts'
import type { Model } from './scripted-model.ts'
import { addContext, fire, reasonOf, type Session } from './session.ts'
import { TOOLS, type Tool } from './tools.ts'
import { type Turn, takeTurn } from './turn.ts'
import { watch } from './watch.ts'

export interface AgentOptions {
  hooks: Hooks
  model: Model
  /** The folder in which its tools work. */
  workDir: string
  tools?: Readonly<Record<string, Tool>>
  subagentModel?: Session['subagentModel']
  /** Called when a hook, or a tool that changes something, needs the person's consent. Default: no. */
  ask?: Session['ask']
  report?: Session['report']
  limits?: Partial<Session['limits']>
  /** Rules of the person, such as `{ pattern: 'Shell', behavior: 'allow' }`. */
  rules?: Session['rules']
}

export interface Agent {
  readonly session: Session
  /** A hook may refuse the session, or provide the first prompt, whose turn is then in the result. */
  start(): Promise<{ started: true; first?: Turn } | { started: false; reason: string }>
  prompt(text: string): Promise<Turn>
  compact(): Promise<boolean>
  end(reason?: string): Promise<void>
}

export function createAgent(options: AgentOptions): Agent {
  const session: Session = {
    id: randomUUID(),
    workDir: options.workDir,
    hooks: options.hooks,
    model: options.model,
    tools: options.tools ?? TOOLS,
    ...(options.subagentModel ? { subagentModel: options.subagentModel } : {}),
    ask: options.ask ?? (() => false),
    report: options.report ?? (() => {}),
    limits: { steps: 25, tokens: 100_000, ...options.limits },
    rules: [...(options.rules ?? [])],
    messages: [],
    steps: 0,
    started: performance.now(),
    watched: new Map(),
  }
  return {
    session,
    async start() {
      const result = await fire(session, 'session_start', {
        model: session.model.name,
        source: 'startup',
        args: {},
      })
      if (result.decision === 'deny') return { started: false, reason: result.stop ?? reasonOf(result) }
      addContext(session, result)
      watch(session, result)
      const { initial_user_message: first } = result
      return first === null ? { started: true } : { started: true, first: await takeTurn(session, first) }
    },
    prompt: (text) => takeTurn(session, text),
    compact: () => compact(session, 'manual'),
    async end(reason = 'user_exit') {
      // The session is over whatever hooks say; a block is only reported.
      const result = await fire(session, 'session_end', {
        duration_seconds: Math.round((performance.now() - session.started) / 1000),
        total_steps: session.steps,
        exit_reason: reason,
      })
      if (result.decision === 'deny') session.report({ kind: 'warning', text: reasonOf(result) })
    },
  }
}
