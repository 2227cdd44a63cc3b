/** `crosshook check CALL`: what it does, which hook decides, and what each agent would do about it. */

import { resolve } from 'node:path'
import { wiredAgents } from '../install/hearing.ts'
import { agentNamed, isPresent, type KnownAgent, knownAgents, placeOf, presence } from '../install/known.ts'
import type { SampleTool } from '../install/sample-call.ts'
import { type AgentVerdict, callOf, type Judge, openJudge, type Verdict } from '../install/try-call.ts'
import { redactDeep } from '../redact/redact.ts'
import { acts } from '../sdk/acts.ts'
import type { Act } from '../spec/act.ts'
import { CrosshookError } from '../spec/errors.ts'
import { givenCall } from './check-call.ts'
import { checkWords } from './check-words.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson } from './print.ts'

export interface Checked {
  tool: string
  input: Record<string, unknown>
  acts: Act[]
  /** By the hooks alone, without an agent. */
  verdict: Verdict
  agents: (AgentVerdict | { agent: string; title: string; decision: 'unasked' })[]
}

export async function run(args: Arguments): Promise<number> {
  const workDir = resolve(args.value('work-dir') ?? '.')
  const agents = await asked(args, workDir)
  const given = await givenCall(args, workDir)
  const judge = openJudge(args.env, workDir)
  try {
    const checked =
      given.kind === 'payload'
        ? [await checkPayload(judge, given.payload, { agents, args, workDir })]
        : await inTurn(given.calls, (call) => checkCall(judge, call, { agents, args, workDir }))
    const ends = checked.flatMap(({ verdict, agents }) =>
      [verdict, ...agents].map(({ decision }) => decision),
    )
    if (args.flag('json')) printJson(checked.map((each) => redactDeep(withoutReports(each))))
    else print(checked.map((each) => checkWords(redactDeep(each), painter(1), args.flag('why'))).join('\n'))
    return ends.includes('deny') ? 2 : 0
  } finally {
    await judge.close()
  }
}

interface Around {
  agents: KnownAgent[]
  args: Arguments
  workDir: string
}

async function checkCall(judge: Judge, { name, input }: SampleTool, around: Around): Promise<Checked> {
  const { workDir, args, agents } = around
  const does = await acts({ tool_name: name, tool_input: input, work_dir: workDir, env: args.env })
  const verdict = await judge.fire('before_tool', { tool_name: name, tool_input: input })
  const verdicts = await inTurn(agents, async (agent) => {
    const call = callOf(agent, { name, input }, workDir)
    return call
      ? judge.ask(agent, call.event, call.payload)
      : { agent: agent.id, title: agent.title, decision: 'unasked' as const }
  })
  return { tool: name, input, acts: does, verdict, agents: verdicts }
}

/** An agent's payload, answered in its format. Without `--agent`, tries every agent that has such an event. */
async function checkPayload(
  judge: Judge,
  payload: Record<string, unknown>,
  { agents, args, workDir }: Around,
): Promise<Checked> {
  const { event_type: type, hook_event_name: native } = payload
  if (typeof type === 'string') {
    const verdict = await judge.fire(type, payload)
    return { ...callIn(payload), acts: await actsIn(callIn(payload), args, workDir), verdict, agents: [] }
  }
  const named = args.values('agent').length > 0
  const known = named ? agents : [...agents, ...(await knownAgents())]
  const callers = known.filter(({ dialect }) => named || Object.hasOwn(dialect.events, String(native)))
  const [caller] = callers
  if (!caller)
    throw new CrosshookError('bad_input', `no agent has an event called ${JSON.stringify(native ?? null)}`, {
      fix: 'Say whose payload it is: --agent ID. `crosshook agents` has their names.',
    })
  const event = typeof native === 'string' ? native : eventIn(caller, payload, workDir, args)
  const decoded = caller.agent.decode(payload, { event, env: args.env, cwd: workDir })
  const call = callIn(decoded)
  const verdict = await judge.ask(caller, event, JSON.stringify(payload))
  return { ...call, acts: await actsIn(call, args, workDir), verdict, agents: [verdict] }
}

function eventIn({ agent }: KnownAgent, payload: object, workDir: string, { env }: Arguments): string {
  return agent.decode(payload, { env, cwd: workDir }).native_event ?? ''
}

function callIn(event: Record<string, unknown>): { tool: string; input: Record<string, unknown> } {
  const { tool_name: name, tool_input: input } = event
  return {
    tool: typeof name === 'string' ? name : '',
    input: typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {},
  }
}

async function actsIn(
  { tool, input }: { tool: string; input: Record<string, unknown> },
  { env }: Arguments,
  workDir: string,
): Promise<Act[]> {
  return tool === '' ? [] : acts({ tool_name: tool, tool_input: input, work_dir: workDir, env })
}

/** The named agents; else those with crosshook installed; else those on this machine. */
async function asked(args: Arguments, workDir: string): Promise<KnownAgent[]> {
  const named = args.values('agent')
  if (named.length > 0) return Promise.all(named.map(agentNamed))
  const wired = await wiredAgents(args.env)
  if (wired.length > 0) return wired
  const place = placeOf(args.env, workDir, 'user')
  return (await knownAgents()).filter((agent) => isPresent(presence(agent, place)))
}

function withoutReports({ verdict, agents, ...rest }: Checked) {
  return {
    ...rest,
    ...short(verdict),
    hooks: verdict.result.hooks,
    agents: agents.map((each) => ('result' in each ? { ...each, result: undefined } : each)),
  }
}

function short({ decision, by, reason, rewritten }: Verdict) {
  return { decision, by, reason, rewritten }
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await work(item))
  return results
}
