/**
 * Events that an agent does not have, made of what its transcript says when it tells of another one: hooks that want to
 * know how full the context is run once each time it becomes so full. What they say goes with the answer to that event.
 */

import { isBlock, merge } from '../engine/merge.ts'
import type { Planned } from '../engine/plan.ts'
import { now } from '../fast/clock.ts'
import { rememberEnvironment } from '../fast/event-environment.ts'
import { derivedAt } from '../spec/derived.ts'
import type { Capability } from '../spec/dialect.ts'
import { eventRow } from '../spec/event.ts'
import type { Outcome } from '../spec/outcome.ts'
import type { Context } from './context.ts'
import { completeEvent } from './decode/complete-event.ts'
import { degradeOutcome } from './degrade.ts'
import {
  type Fullness,
  fullnessOf,
  keyOf,
  newlyReached,
  thresholdsOf,
  unknownFullness,
} from './derive/fullness.ts'
import { record } from './record.ts'
import { run } from './run.ts'
import { planFor } from './select.ts'
import { fill, readFacts } from './session-facts.ts'
import { tell } from './tell.ts'

export async function derive(context: Context): Promise<void> {
  const { agent, event, active } = context
  // The answer has no room for more, or it is a subagent's: the next event of the session tells of it.
  if (isBlock(context.outcome) || event.context.subagent_id !== undefined) return
  const native = event.native_event ?? event.event_type
  const found = await readFacts(context)
  const fullness = fullnessOf(found, context.set!.settings.context)
  for (const name of derivedAt(agent!.agent, native)) {
    const hooks = active!.all(name).filter(({ hook }) => !hook.disabled)
    if (hooks.length === 0) continue
    const told = unknownFullness(context, name, hooks, fullness)
    if (told !== undefined) tellPerson(context, told)
    if (fullness.count === undefined) continue
    const reached = newlyReached(context, hooks, fullness)
    if (reached.size === 0) continue
    const isReached = ({ hook }: Planned) =>
      thresholdsOf(hook.matcher, context.set!.settings.context).some((each) => reached.has(keyOf(each)))
    const sub = derivedContext(context, { name, native, fullness })
    fill(sub.event, found)
    rememberEnvironment(sub.event, context.env)
    planFor(sub, (await active!.candidates(sub.event)).filter(isReached))
    await judge(sub)
    context.outcome = merge(context.outcome, withoutVerdict(sub.possible), { input_merge: 'replace' })
  }
}

async function judge(sub: Context): Promise<void> {
  const { services, event, agent, capability } = sub
  services.observe?.event?.(event)
  await run(sub)
  await tell(sub)
  const { outcome, notes } = degradeOutcome(sub.outcome, capability, agent!.title)
  sub.possible = outcome
  sub.dropped = notes
  const waiting = record(sub)
  if (waiting) await waiting
  services.observe?.over?.(event, sub.result!, now() - sub.startedAt)
}

/** The agent told of something else: a verdict on this event is none on that. */
function withoutVerdict({ decision: _, reason, ...rest }: Outcome): Outcome {
  return rest.stop === undefined || reason === undefined ? rest : { ...rest, reason }
}

function derivedContext(
  context: Context,
  { name, native, fullness }: { name: string; native: string; fullness: Fullness },
): Context {
  const { event, capability, cwd } = context
  const { count, limit, percent } = fullness
  const derived = `from the transcript, at ${native}: ${fullnessWords(fullness)}`
  const { recent_tools: _, token_usage: __, unknown: ___, ...kept } = event.context
  return {
    ...context,
    startedAt: now(),
    event: completeEvent(
      name,
      {
        session_id: event.session_id,
        work_dir: event.work_dir,
        ...(event.agent === undefined ? {} : { agent: event.agent }),
        token_count: count,
        ...(limit === undefined ? {} : { token_limit: limit }),
        ...(percent === undefined ? {} : { usage_percent: percent }),
        context: { ...kept, derived },
      },
      cwd,
    ),
    capability: carriedBy(capability, name),
    derived,
    steps: [],
    ran: undefined,
    outcome: {},
    failed: [],
    possible: {},
    dropped: [],
    digest: undefined,
    reply: undefined,
    result: undefined,
  }
}

function fullnessWords({ count, limit, percent }: Fullness): string {
  return limit === undefined ? `${count} tokens` : `${count} of ${limit} tokens (${percent} %)`
}

/** What the answer to the event that it goes with can carry. */
function carriedBy(capability: Capability | undefined, event: string): Capability {
  const { effects } = eventRow(event)
  return {
    event,
    deny: false,
    effects: effects.filter((effect) => capability?.effects.includes(effect)),
  }
}

function tellPerson(context: Context, text: string): void {
  const { outcome } = context
  context.services.trouble(text)
  context.outcome = { ...outcome, user_message: [outcome.user_message, text].filter(Boolean).join('\n') }
}
