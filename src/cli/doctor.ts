/** `crosshook doctor [AGENT]`: sends a canary through the command that each agent was given. */

import { type Assembly, assemble } from '../host/assemble.ts'
import { hookCommand } from '../host/relay/hook-command.ts'
import { keepReport } from '../host/views/checkups.ts'
import { openCanary } from '../install/canary.ts'
import { type Checkup, type Circumstances, checkAgent, isWorthChecking } from '../install/checkup.ts'
import { programsOf } from '../install/command-line.ts'
import { agentNamed, knownAgents, placeOf } from '../install/known.ts'
import { type Ledger, openLedger } from '../install/ledger.ts'
import { checkSelf } from '../install/self-check.ts'
import { wantedIn } from '../install/wanted.ts'
import { thresholdsOf } from '../pipeline/derive/fullness.ts'
import { messageOf } from '../spec/errors.ts'
import { eventRow } from '../spec/event.ts'
import type { EntryProblem } from '../spec/installer.ts'
import { daemonStatus } from './daemon-status.ts'
import { agentJson, agentWords, isSick, selfWords } from './doctor-words.ts'
import { drift } from './drift.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { plural, print, printJson, warn } from './print.ts'
import { progress } from './progress.ts'

export async function run(args: Arguments): Promise<number> {
  if (args.flag('managed')) return (await import('./managed-doctor.ts')).run(args)
  const [name] = args.words
  const env = args.env
  const runtime = assemble({ env: args.env, source: 'cli' })
  const { state } = runtime.paths
  const maker = {
    programs: programsOf(runtime.paths),
    ledger: openLedger(state),
    state,
    agents: await knownAgents(),
  }
  const canary = openCanary(runtime.paths.state, env)
  const line = progress()
  try {
    const daemon = await daemonStatus(env)
    const around: Circumstances = {
      places: [placeOf(env, process.cwd(), 'user'), placeOf(env, process.cwd(), 'project')],
      canary,
      maker,
      daemon: daemon.running ? daemon : undefined,
      wanted: await wantedIn(process.cwd(), env, { keeps: false }),
      ...(await listenedIn(runtime)),
      ...whenCalled(runtime, maker.ledger),
    }
    const agents = name === undefined ? maker.agents : [await agentNamed(name)]
    const checkups: Checkup[] = []
    for (const agent of agents) {
      line.show(`asking ${agent.title}`)
      const checkup = await checkAgent(agent, around)
      if (name !== undefined || isWorthChecking(checkup)) checkups.push(checkup)
    }
    line.clear()
    const self = await checkSelf(runtime, maker, { env, workDir: process.cwd() })
    self.problems.push(...(await drift(runtime.paths, self.projects)))
    if (daemon.running && daemon.hangs) self.problems.push(hanging(daemon.pid))
    self.problems.push(...(await silentAgents(runtime, env, name)))
    const way = hookCommand()
    const warned = [...self.problems, ...checkups.flatMap(({ problems }) => problems)].filter(
      ({ level }) => level === 'warning',
    ).length
    const isNamed = name !== undefined
    const isWrong =
      checkups.some((checkup) => isSick(checkup, isNamed)) ||
      self.problems.some(({ level }) => level === 'error')
    const report = {
      ok: !isWrong,
      node: process.versions.node,
      state: runtime.paths.state,
      daemon: around.daemon !== undefined,
      calls: { kind: way.kind, why: way.why },
      hooks: self.hooks,
      confinement: self.confinement,
      foreign_entries: self.foreign,
      problems: self.problems,
      agents: checkups.map(agentJson),
    }
    // Stored for the page and `status`, which do not call agents themselves.
    if (name === undefined) keepQuietly(state, report)
    if (args.flag('json')) printJson(report)
    else {
      const paint = painter(1)
      const shown = checkups.map((checkup) => agentWords(checkup, isNamed, paint))
      print(
        `${shown.join('\n')}${shown.length > 0 ? '\n' : 'No agent was found on this machine.\n\n'}` +
          `${selfWords(self, { state: runtime.paths.state, way, hasDaemon: around.daemon !== undefined }, paint)}\n` +
          `${isWrong ? paint.red('Something is wrong: see ✗ above.') : paint.green(warned > 0 ? `Nothing is broken; ${plural(warned, 'warning')}: see ! above.` : 'All is well.')}\n`,
      )
    }
    return isWrong ? 1 : 0
  } finally {
    line.clear()
    canary.end()
    await runtime.close()
  }
}

async function listenedIn(runtime: Assembly): Promise<Pick<Circumstances, 'listened' | 'unmeasured'>> {
  const { hooks, settings } = await runtime.hookSet(process.cwd())
  const running = hooks.filter(({ disabled, name }) => !disabled && !settings.disabled.includes(name))
  const isMeasured = Object.keys(settings.context.limits ?? {}).length > 0
  const waits = running.filter(
    ({ events, matcher }) =>
      events.some((event) => 'usage_percent' in eventRow(event).fields) &&
      thresholdsOf(matcher, settings.context).some(({ unit }) => unit === 'percent'),
  )
  return {
    listened: [...new Set(running.flatMap(({ events }) => events))],
    unmeasured: isMeasured ? [] : waits.map(({ name }) => name),
  }
}

/** Doctor already reports a disk that cannot be written. */
function keepQuietly(state: string, report: object): void {
  try {
    keepReport(state, report)
  } catch (error) {
    warn(`what doctor found could not be kept for the page: ${messageOf(error)}`)
  }
}

/** Agents with tool calls in their transcripts but no hook calls: the guards are not asked. */
async function silentAgents(
  runtime: Assembly,
  env: NodeJS.ProcessEnv,
  name: string | undefined,
): Promise<EntryProblem[]> {
  const { alarmOf, heartbeats } = await import('../history/heartbeat.ts')
  const agents = await knownAgents()
  const beats = await heartbeats({
    env,
    journal: runtime.journal(),
    ...(name === undefined ? {} : { agent: name }),
  })
  return beats.flatMap((beat): EntryProblem[] => {
    const title = agents.find(({ id }) => id === beat.agent)?.title ?? beat.agent
    const message = alarmOf(beat, title)
    if (message === undefined) return []
    return [{ level: 'error', message, fix: HEARTBEAT_FIX, agent: beat.agent, kind: 'heartbeat' }]
  })
}

const HEARTBEAT_FIX =
  'Start it anew, and not with its hooks switched off; `crosshook replay` says what your guards would have decided.'

function hanging(pid: number): EntryProblem {
  return {
    level: 'error',
    message: `the daemon (process ${pid}) hangs: it runs but does not answer`,
    fix: `End it with \`kill -9 ${pid}\`, then \`crosshook daemon start\`.`,
  }
}

function whenCalled(
  runtime: Assembly,
  { records }: Ledger,
): Pick<Circumstances, 'lastCalled' | 'installedAt'> {
  const last = new Map<string, string>()
  for (const { agent, event, at } of runtime.journal().lastCalls()) {
    if (at > (last.get(agent) ?? '')) last.set(agent, at)
    last.set(`${agent}\0${event}`, at)
  }
  return {
    lastCalled: (agent, event) => last.get(event === undefined ? agent : `${agent}\0${event}`),
    installedAt: (agent) => records.findLast((record) => record.agent === agent)?.at,
  }
}
