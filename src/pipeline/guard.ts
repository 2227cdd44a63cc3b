/**
 * Stage 2: calls that need no hooks (a duplicate, a canary), must not run any (nested too deep), or cannot be judged.
 */

import { realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { CALLERS } from '../dialects/list.ts'
import { isLost, LOST } from '../engine/unread.ts'
import { isPostponed } from '../fast/large-text.ts'
import type { Reply } from '../spec/dialect.ts'
import { CrosshookError } from '../spec/errors.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import { readText } from '../spec/read-file.ts'
import { isObject, kindOf, unreadInput } from '../spec/tool.ts'
import type { AgentCall, Context } from './context.ts'
import { degradeOutcome } from './degrade.ts'
import { startOf } from './select.ts'
import { starterOf } from './starter.ts'

/** Most levels of hooks that start agents whose hooks start agents. */
const MAX_DEPTH = 5

/** The reply when no hook is needed; undefined lets the event continue. */
export function guard(context: Context, call: AgentCall): Reply | undefined {
  const { env, event, native, capability } = context
  const { paths } = context.services
  const { title, agent } = context.agent!
  if (!(Number(env.CROSSHOOK_DEPTH ?? 0) < MAX_DEPTH))
    throw new CrosshookError(
      'refused',
      'a hook calls an agent or crosshook, which runs that hook again, without end',
      {
        fix: 'Let the hook start its agent without hooks, or give it a matcher that leaves its own work out.',
      },
    )
  const starter = () => starterOf(call.parent)
  if (
    (agent.isForeign?.(native, env) && hasNeighbour(call.agent, paths.state)) ||
    answersElsewhere(call.agent, env, paths.state, context.cwd, starter)
  )
    return { stdout: '', stderr: '', exit_code: 0 }
  const canary = capability?.deny ? canaryReason(event, paths.state) : undefined
  if (canary !== undefined) {
    const { outcome } = degradeOutcome({ decision: 'deny', reason: canary }, capability, title)
    return agent.encode(outcome, event)
  }
  context.gap = cutOff(native, event, title) ?? call.required?.()
  return undefined
}

/**
 * After the hooks: the agent's next action could not be guarded, so it is stopped where possible and reported
 * everywhere.
 */
export function refuseUnguarded(context: Context): Promise<void> | undefined {
  return context.gap === undefined && wrongPayload(context) === undefined ? undefined : refuseIf(context)
}

/**
 * The same for an event that a program fires: hooks were not shown what it called the input or the tool. Who fires it
 * reads the outcome, so guards that may fail open do.
 */
export async function refuseLost(context: Context): Promise<void> {
  if (!isLost(context.event) || context.dryRun) return
  const { event, services, outcome } = context
  const { active } = await services.hooksOf(event.work_dir, startOf(context))
  const guards = active
    .all(event.event_type)
    .filter(
      ({ hook, matcher }) =>
        isGuard(hook) && (event.tool_name === '' || matcher.tool([String(event.tool_name)])),
    )
  if (guards.length === 0) return
  const reason = `The event has ${LOST}: no hook can judge what is about to happen.`
  services.trouble(reason)
  context.outcome = guards.some(({ hook }) => hook.on_failure === 'closed')
    ? { decision: 'deny', reason, user_message: reason }
    : { ...outcome, additional_context: [reason, ...(outcome.additional_context ?? [])] }
}

function isGuard(hook: Hook): boolean {
  return hook.blocks && !hook.disabled && !hook.shadow
}

async function refuseIf(context: Context): Promise<void> {
  const missing = (await context.gap) ?? (await unreadPayload(context))
  if (missing === undefined) return
  const { outcome, capability } = context
  context.services.trouble(missing)
  const user_message = [missing, outcome.user_message].filter(Boolean).join('\n')
  // A hook that has refused it as well may know better why.
  const reason = outcome.decision === 'deny' && outcome.reason ? `${outcome.reason}\n${missing}` : missing
  context.outcome = capability?.deny
    ? { decision: 'deny', reason, user_message }
    : { ...outcome, user_message, additional_context: [missing, ...(outcome.additional_context ?? [])] }
}

/** An unreadable payload matters only when a hook would judge it. */
async function unreadPayload(context: Context): Promise<string | undefined> {
  const { agent, event, services } = context
  const wrong = wrongPayload(context)
  if (wrong === undefined) return undefined
  const { active } = await services.hooksOf(event.work_dir, startOf(context))
  const isGuarded = active.all(event.event_type).some(({ hook }) => isGuard(hook))
  return isGuarded ? unjudged(agent!.title, wrong) : undefined
}

function wrongPayload({ strayed, native, event }: Context): string | undefined {
  return strayed === undefined
    ? unreadable(native, event)
    : `a payload of ${JSON.stringify(strayed.slice(0, 40))} to its entry for ${event.native_event}`
}

function unjudged(agent: string, wrong: string): string {
  return `${agent} sent ${wrong}: no hook can judge what it is about to do.`
}

/** A truncated payload is always refused: the agent meant to say something. */
function cutOff(native: unknown, event: HookEvent, agent: string): string | undefined {
  if (typeof native !== 'string' || native.trim() === '') return undefined
  return unjudged(agent, unreadable(native, event)!)
}

/** Fields that hold a tool's input in some agent's payload. */
const INPUT_FIELD = /^(?:tool_?)?(?:input|args|arguments|parameters)$/i

/**
 * Why hooks cannot judge a payload; undefined when they can. A payload without a tool or input matches no guard and
 * would pass as if a guard had agreed.
 */
export function unreadable(native: unknown, event: HookEvent): string | undefined {
  if (typeof native === 'string')
    return native.trim() === ''
      ? 'nothing at all'
      : native === '\ufffd'
        ? 'bytes that are not UTF-8 text'
        : `${native.length} characters that ${notJson(native)}`
  if (!isObject(native)) return `${kindOf(native)} in place of a JSON object`
  const { tool, block } = eventRow(event.event_type)
  if (!tool) return undefined
  if (typeof event.tool_name !== 'string' || event.tool_name === '') return 'a tool call that names no tool'
  const input = event.tool_input ?? NO_INPUT
  if (!isObject(input)) return `a tool input that is ${kindOf(input)}`
  if (Object.keys(input).length === 0) {
    const lost = lostInput(native)
    if (lost !== undefined) return `a tool input that is ${kindOf(lost)}`
  }
  if (block !== 'prevents') return undefined
  const unread = unreadInput(event.tool_name, input, (field) => isPostponed(input, field))
  return unread && `a tool call that cannot be read: ${unread}`
}

const NO_INPUT = Object.freeze({})

/** An input in the payload of which the dialect took nothing. */
function lostInput(native: Record<string, unknown>): unknown {
  for (const holder of [native, ...Object.values(native).filter(isObject)])
    for (const [field, value] of Object.entries(holder))
      if (INPUT_FIELD.test(field) && !isEmpty(value)) return value
  return undefined
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '{}' ||
    (isObject(value) && Object.keys(value).length === 0)
  )
}

function notJson(text: string): string {
  try {
    JSON.parse(text)
    return 'name a field twice, so it is unclear which one counts'
  } catch {
    return 'are not JSON'
  }
}

/**
 * Some agents also run another agent's settings, including our entry there. True when the caller is such an agent and
 * its own entry also answers this event. Only then may this entry stay silent: one event never runs a hook twice. A
 * variable may come from a file of the project or from an outer agent, so the program that started us decides.
 */
export function answersElsewhere(
  agent: string,
  env: NodeJS.ProcessEnv,
  stateDir: string,
  workDir: string,
  starter: () => readonly string[],
): boolean {
  const marked = Object.keys(CALLERS).filter((id) => CALLERS[id]!.marks.some((mark) => env[mark]))
  if (marked.length === 0 || marked.includes(agent)) return false
  const words = starter()
  return marked.some(
    (id) => CALLERS[id]!.programs.some((name) => words.includes(name)) && isInstalled(id, stateDir, workDir),
  )
}

function isInstalled(agent: string, stateDir: string, workDir: string): boolean {
  return installedFiles(stateDir).some(
    (entry) => entry.agent === agent && (entry.level !== 'project' || entry.file.startsWith(workDir + sep)),
  )
}

/** True when an agent that also runs this agent's files has an entry of its own. */
function hasNeighbour(agent: string, stateDir: string): boolean {
  const files = installedFiles(stateDir)
  const folders = new Set(files.filter((entry) => entry.agent === agent).map(({ file }) => dirname(file)))
  return files.some((entry) => entry.agent !== agent && folders.has(dirname(entry.file)))
}

function installedFiles(stateDir: string): readonly { agent: string; level: string; file: string }[] {
  try {
    const manifest = JSON.parse(readText(join(stateDir, 'install', 'manifest.json'))) as {
      files?: { agent: string; level: string; file: string }[]
    }
    return manifest.files ?? []
  } catch {
    return [] // not installed: this entry is the only one
  }
}

/**
 * The canary of `doctor`: an event from a folder that only doctor creates, inside the state folder, is denied.
 * It cannot weaken anything: from every other folder, and where the agent cannot be stopped, hooks run as usual.
 */
export const CANARY_MARK = 'crosshook-canary-'

export function canaryFolder(state: string): string {
  return join(state, 'canary')
}

/** The reason of the deny; undefined for every real event. */
export function canaryReason({ work_dir }: Pick<HookEvent, 'work_dir'>, state: string): string | undefined {
  if (!work_dir.includes(CANARY_MARK)) return undefined
  const name = basename(work_dir)
  if (!name.startsWith(CANARY_MARK)) return undefined
  try {
    if (realpathSync(dirname(work_dir)) !== realpathSync(canaryFolder(state))) return undefined
  } catch {
    return undefined // no such folder, so not from doctor
  }
  return `This is ${name}: crosshook is wired.`
}
