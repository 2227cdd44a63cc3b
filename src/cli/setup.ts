/**
 * `crosshook setup`: finds the agents, offers the starter guards, installs, and tests. Every step is also a command.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../config/paths.ts'
import { agentNamed, isPresent, type KnownAgent, knownAgents, placeOf, presence } from '../install/known.ts'
import { CrosshookError } from '../spec/errors.ts'
import { ask, canAsk } from './ask.ts'
import { choose } from './choose.ts'
import { guardsOfLevels } from './gallery.ts'
import type { Arguments } from './options.ts'
import { ownCommand } from './own-command.ts'
import { type Painter, painter } from './paint.ts'
import { plural, print, printJson } from './print.ts'
import { shortPath } from './problem-words.ts'
import { remember } from './setup-record.ts'
import { type Ended, type Step, steps } from './steps.ts'

/** By level in the gallery. */
const SETS: Readonly<Record<string, { levels: readonly string[]; text: string }>> = {
  daily: { levels: ['daily'], text: 'daily: they hardly ever ask' },
  strict: { levels: ['daily', 'strict'], text: 'strict: they also ask about what cannot be told' },
  none: { levels: [], text: 'none' },
}

/** The command that is shown to be blocked at the end. */
const SHOWN = 'rm -rf ~'
/** For a person to try in a real agent: harmless whatever happens. */
const HARMLESS = 'rm -rf /opt/nothing-here'

interface Plan {
  agents: KnownAgent[]
  /** Guards that are not installed yet. */
  guards: string[]
  kept: string[]
}

export async function run(args: Arguments): Promise<number> {
  if (args.flag('undo')) return (await (await import('./setup-undo.ts')).undo(args)) ?? stopped(args)
  const paint = painter(1)
  const isTalking = !args.flag('json')
  const found = await findAgents(args)
  if (isTalking) print(`${paint.bold('crosshook setup')}: guards for the agents on this machine\n\n`)
  const plan = await decide(args, found, paint)
  if (plan === undefined) return stopped(args)
  const planned = await ownCommand(['install', ...idsOf(plan), '--dry-run'], args.env)
  if (isTalking) print(planWords(plan, planned.json, paint))
  if (args.flag('dry-run')) {
    if (!isTalking) printJson({ ok: planned.ok, dry_run: true, agents: idsOf(plan), guards: plan.guards })
    return planned.ok ? 0 : 1
  }
  if (!args.flag('yes')) {
    if (!canAsk() || !isTalking)
      throw new CrosshookError('refused', 'nothing was changed: there is no terminal to ask on', {
        fix: 'If this is what you want, say so: crosshook setup --yes',
      })
    if (!(await ask('\nGo on?'))) return stopped(args)
    print('\n')
  }
  const quiet: Step = (_, work) => work()
  const ends = await carryOut(plan, args, isTalking ? steps(paint) : quiet)
  const isWrong = ends.some(({ state }) => state === 'failed')
  if (isTalking) print(closing(isWrong, paint))
  else printJson({ ok: !isWrong, dry_run: false, agents: idsOf(plan), guards: plan.guards, steps: ends })
  return isWrong ? 1 : 0
}

function stopped(args: Arguments): number {
  if (!args.flag('json')) print('Nothing was changed.\n')
  return 1
}

async function findAgents(args: Arguments): Promise<KnownAgent[]> {
  const named = args.values('agent')
  if (named.length > 0) return Promise.all(named.map(agentNamed))
  const place = placeOf(args.env, process.cwd(), 'user')
  const known = await knownAgents()
  const found = known.filter((agent) => isPresent(presence(agent, place)))
  if (found.length === 0)
    throw new CrosshookError('not_found', 'no agent was found on this machine', {
      fix: `Install one, or name it: crosshook setup --agent ID. Known are: ${known.map(({ id }) => id).join(', ')}.`,
    })
  return found
}

async function decide(args: Arguments, found: KnownAgent[], paint: Painter): Promise<Plan | undefined> {
  const place = placeOf(args.env, process.cwd(), 'user')
  const isAsking = canAsk() && !args.flag('yes') && !args.flag('json') && !args.flag('dry-run')
  let agents = found
  let set = setNamed(args.value('guards') ?? 'daily')
  if (isAsking && args.values('agent').length === 0) {
    const marked = await choose(
      {
        title: 'Agents on this machine',
        choices: found.map((agent) => {
          const { programs, folders } = presence(agent, place)
          const note = [...programs, ...folders].map(shortPath).join(', ')
          return { id: agent.id, text: agent.title, note, isMarked: true }
        }),
      },
      paint,
    )
    if (marked === undefined || marked.length === 0) return undefined
    agents = found.filter(({ id }) => marked.includes(id))
    print('\n')
  }
  if (isAsking && args.value('guards') === undefined) {
    const choices = Object.entries(SETS).map(([id, { text }]) => ({ id, text, isMarked: id === 'daily' }))
    const marked = await choose({ title: 'Starter guards', choices, isSingle: true }, paint)
    if (marked === undefined) return undefined
    set = setNamed(marked[0] ?? 'none')
    print('\n')
  }
  const names = set.levels.length === 0 ? [] : await guardsOfLevels(set.levels)
  const { userHooks } = paths(args.env)
  const isThere = (name: string) => existsSync(join(userHooks, name))
  return { agents, guards: names.filter((name) => !isThere(name)), kept: names.filter(isThere) }
}

function setNamed(name: string) {
  const set = Object.hasOwn(SETS, name) ? SETS[name] : undefined
  if (set) return set
  throw new CrosshookError('usage', `--guards ${name}: only ${Object.keys(SETS).join(', ')} are known`)
}

function idsOf({ agents }: Plan): string[] {
  return agents.map(({ id }) => id)
}

interface PlannedAgents {
  agents?: {
    title: string
    files: { path: string; state: string; events: string[]; error: { message: string } | null }[]
  }[]
}

function planWords({ guards, kept }: Plan, json: unknown, paint: Painter): string {
  const files = ((json as PlannedAgents | undefined)?.agents ?? []).flatMap(({ title, files }) =>
    files.map(({ path, state, events, error }) => {
      const what = error
        ? paint.red(error.message)
        : state === 'unchanged'
          ? paint.dim('is wired already')
          : events.length > 0
            ? `${plural(events.length, 'entry', 'entries')}`
            : 'its consent to these entries'
      return `  ${paint.bold(title)}  ${shortPath(path)}: ${what}\n`
    }),
  )
  const hooks =
    guards.length > 0
      ? `  ${paint.bold(plural(guards.length, 'guard'))}  ${guards.join(', ')}\n`
      : `  ${paint.dim(kept.length > 0 ? `no new guard: ${plural(kept.length, 'guard')} there already` : 'no guard')}\n`
  return `This will be written:\n${hooks}${files.join('')}${paint.dim('  every other byte of these files stays; `crosshook setup --undo` takes all of it back')}\n`
}

async function carryOut(plan: Plan, args: Arguments, step: Step): Promise<Ended[]> {
  const ends: Ended[] = []
  const { state } = paths(args.env)
  if (plan.guards.length > 0)
    ends.push(
      await step('adding the guards', async () => {
        const added = await ownCommand(['add', ...plan.guards], args.env)
        if (!added.ok) return { state: 'failed', text: `the guards were not added: ${added.error}` }
        remember(state, { agents: [], hooks: plan.guards })
        return {
          state: 'done',
          text: `${plural(plan.guards.length, 'guard')} added`,
          undo: 'crosshook remove NAME',
        }
      }),
    )
  for (const agent of plan.agents)
    ends.push(await step(`wiring ${agent.title}`, () => wire(agent, args, state)))
  for (const agent of plan.agents) ends.push(await step(`asking ${agent.title}`, () => prove(agent, args)))
  ends.push(await step(`trying ${SHOWN}`, () => show(plan, args)))
  return ends
}

async function wire({ id, title }: KnownAgent, args: Arguments, state: string): Promise<Ended> {
  const { ok, json, error } = await ownCommand(['install', id, '--yes'], args.env)
  const files = (json as PlannedAgents | undefined)?.agents?.[0]?.files ?? []
  const wrong = files.find((file) => file.error)?.error?.message ?? (error || 'unknown')
  if (!ok) return { state: 'failed', text: `${title} is not wired: ${wrong}` }
  if (files.some((file) => file.state === 'changed')) remember(state, { agents: [id], hooks: [] })
  return { state: 'done', text: `${title} calls crosshook`, undo: `crosshook uninstall ${id}` }
}

interface DoctorAnswer {
  agents?: {
    events: { event: string; state: string; detail: string | null }[]
    problems: { level: string; message: string; fix: string }[]
  }[]
}

async function prove({ id, title }: KnownAgent, args: Arguments): Promise<Ended> {
  const { json, error } = await ownCommand(['doctor', id], args.env)
  const found = (json as DoctorAnswer | undefined)?.agents?.[0]
  if (!found) return { state: 'failed', text: `${title} could not be asked: ${error}` }
  const broken = found.events.filter(({ state }) => state === 'broken' || state === 'missing')
  const wrong = found.problems.find(({ level }) => level === 'error')
  const obeyed = found.events.filter(({ state }) => state === 'obeyed')
  if (broken.length > 0 || wrong)
    return {
      state: 'failed',
      text: `${title}: ${wrong ? `${wrong.message} ${wrong.fix}` : `${broken[0]!.event}: ${broken[0]!.detail}`}`,
    }
  const names = obeyed.map(({ event }) => event)
  return {
    state: 'done',
    text: `${title} gets a refusal through its own entry: ${names.join(', ') || 'no event'}`,
  }
}

interface CheckAnswer {
  by: string[]
  agents: { title: string; decision: string }[]
}

/** Uses the same hooks as the agent's next call. Nothing is run. */
async function show(plan: Plan, args: Arguments): Promise<Ended> {
  const agents = idsOf(plan).flatMap((id) => ['--agent', id])
  const { json, error } = await ownCommand(['check', SHOWN, ...agents], args.env)
  const [checked] = (json as CheckAnswer[] | undefined) ?? []
  if (!checked) return { state: 'failed', text: `\`${SHOWN}\` could not be tried: ${error}` }
  const open = checked.agents.filter(({ decision }) => decision !== 'deny').map(({ title }) => title)
  if (open.length > 0)
    return {
      state: 'noted',
      text: `\`${SHOWN}\` would not be stopped in ${open.join(', ')}: take some guards (crosshook add guards)`,
    }
  return {
    state: 'done',
    text: `\`${SHOWN}\` is denied by ${checked.by.join(', ') || 'crosshook itself'} in ${checked.agents.map(({ title }) => title).join(', ')}`,
  }
}

function closing(isWrong: boolean, paint: Painter): string {
  const next = [
    [`crosshook check 'git push -f'`, 'what would happen to a command'],
    ['crosshook new my-guard', 'write a guard of your own'],
    ['crosshook log', 'what was asked, and what was decided'],
    ['crosshook setup --undo', 'take all of this back'],
  ] as const
  const head = isWrong
    ? paint.red('Something is wrong: see ✗ above, and `crosshook doctor`.')
    : `${paint.green('Done.')} Start an agent and ask it to run \`${HARMLESS}\`: nothing is there, and it is denied all the same.`
  return `\n${head}\n\n${next.map(([command, what]) => `  ${paint.bold(command.padEnd(32))}${what}\n`).join('')}`
}
