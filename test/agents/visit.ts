/** All scenarios with one agent: `node visit.ts AGENT RESULTS`. Runs where only loopback can be reached. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadDialect } from '../../src/dialects/list.ts'
import type { Agent, Place } from './agents/agent.ts'
import { installed, put } from './agents/files.ts'
import { baseline, settingsAreRestored } from './baseline.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { run } from './process.ts'
import { cannot, fail, MAIN, projectFiles, SCENARIOS, type Scenario, SUB, type Verdict } from './scenarios.ts'
import { type StandIn, startStandIn } from './stand-in/server.ts'
import { readJournal, unwire, wire } from './wire.ts'

export interface Result extends Verdict {
  agent: string
  version: string
  scenario: string
}

export interface Visit {
  agent: Agent
  place: Place
  env: NodeJS.ProcessEnv
  standIn: StandIn
}

const LIMIT = 300_000

async function visit(id: string): Promise<Result[]> {
  const { agent } = (await import(`./agents/${id}.ts`)) as { agent: Agent }
  const standIn = await startStandIn(agent.api)
  const place = scratch(standIn.url)
  const env = { ...environment(place), ...agent.environment(place) }
  const visit: Visit = { agent, place, env, standIn }
  try {
    await setUp(visit)
    const restored = await settingsAreRestored(visit)
    await wire(agent.id, place, env)
    const verdicts = new Map<string, Verdict>()
    for (const scenarios of agent.denyEndsRun ? alone() : [SCENARIOS]) {
      const evidence = await converse(visit, scenarios)
      for (const scenario of scenarios) verdicts.set(scenario.id, judge(scenario, evidence))
    }
    await unwire(agent.id, place, env)
    verdicts.set('uninstalled', restored.status === 'pass' ? await baseline(visit) : restored)
    const version = JSON.parse(readFileSync(installed(agent.package, 'package.json'), 'utf8'))
      .version as string
    return [...verdicts].map(([scenario, verdict]) => ({ agent: agent.id, version, scenario, ...verdict }))
  } finally {
    await standIn.close()
    if (!process.env.KEEP_SCRATCH) rmSync(dirname(place.home), { recursive: true, force: true })
  }
}

/** One conversation with the agent, from its start to its end. */
export async function converse(visit: Visit, scenarios: readonly Scenario[]): Promise<Evidence> {
  const { agent, place, env, standIn } = visit
  const main = scenarios.flatMap((scenario) => scenario.steps?.(agent, place.project) ?? [])
  if (!main.some((step) => step.id === 'end')) main.push({ id: 'end', turn: { text: 'I am done.' } })
  standIn.play({
    main,
    sub: scenarios.flatMap((scenario) => scenario.subSteps?.(agent) ?? []),
    mainMarker: MAIN,
    subMarker: SUB,
  })
  const last = readJournal(place.home, 0).at(-1)?.seq ?? 0
  const ended = await run(agent.start(place, `${MAIN}: please do the work.`), place.project, env, LIMIT)
  const { capabilities } = (await loadDialect(agent.id)).agent!
  if (process.env.KEEP_SCRATCH)
    writeFileSync(
      join(dirname(place.home), `${scenarios[0]!.id}.json`),
      JSON.stringify({ ...ended, asked: standIn.asked, unknown: standIn.unknown }, null, 1),
    )
  return evidenceOf(agent, place.project, capabilities, {
    asked: [...standIn.asked],
    journal: readJournal(place.home, last),
    ...ended,
  })
}

function judge(scenario: Scenario, evidence: Evidence): Verdict {
  if (scenario.id === 'subagent' && !evidence.agent.subagent) return cannot('it has no subagents')
  try {
    return scenario.check(evidence)
  } catch (error) {
    return fail(String(error))
  }
}

/** Each scenario with the ones that only look at what it left. */
function alone(): Scenario[][] {
  const groups: Scenario[][] = []
  for (const scenario of SCENARIOS) {
    if (scenario.steps || groups.length === 0) groups.push([scenario])
    else groups.at(-1)!.push(scenario)
  }
  return groups
}

function scratch(url: string): Place {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-agent-'))
  const place = {
    home: join(folder, 'home'),
    project: join(folder, 'project'),
    temporary: join(folder, 'tmp'),
    url,
  }
  for (const path of [place.home, place.project, place.temporary]) mkdirSync(path)
  return place
}

function environment({ home, temporary }: Place): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    TERM: 'dumb',
    NO_COLOR: '1',
  }
}

async function setUp({ agent, place, env }: Visit): Promise<void> {
  const guards = join(dirname(fileURLToPath(import.meta.url)), 'guards')
  cpSync(guards, join(place.home, '.config/agents/hooks'), { recursive: true })
  for (const [path, text] of Object.entries(projectFiles(agent))) put(join(place.project, path), text)
  await run(['git', 'init', '-q', '.'], place.project, env, LIMIT)
  agent.configure(place)
  for (const command of agent.prepare?.(place) ?? []) await run(command, place.project, env, LIMIT)
}

if (import.meta.main) {
  const [id = '', results = ''] = process.argv.slice(2)
  writeFileSync(results, JSON.stringify(await visit(id)))
  // Agents leave servers and watchers behind; they end with the namespace.
  process.exit(0)
}
