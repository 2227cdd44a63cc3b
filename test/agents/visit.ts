/** All scenarios with one agent: `node visit.ts AGENT RESULTS`. Runs where only loopback can be reached. */

import { cpSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Agent } from './agents/agent.ts'
import { put, versionOf } from './agents/files.ts'
import { baseline, settingsAreRestored } from './baseline.ts'
import { converse, HOOKS, LIMIT, type Visit } from './conversation.ts'
import type { Evidence } from './evidence.ts'
import { run } from './process.ts'
import { replayed } from './replayed.ts'
import { cannot, fail, projectFiles, SCENARIOS, type Scenario, type Verdict } from './scenarios.ts'
import { environment, scratch } from './scratch.ts'
import { startStandIn } from './stand-in/server.ts'
import { unwire, wire, withoutDaemon } from './wire.ts'

export interface Result extends Verdict {
  agent: string
  version: string
  scenario: string
}

async function visit(id: string): Promise<Result[]> {
  const { agent } = (await import(`./agents/${id}.ts`)) as { agent: Agent }
  const standIn = await startStandIn(agent.api)
  const place = scratch(standIn.url)
  const env = { ...environment(place), ...agent.environment(place) }
  const visit: Visit = { agent, place, env, standIn }
  try {
    await setUp(visit)
    const restored = await settingsAreRestored(visit)
    await wire(agent, place, env)
    const verdicts = new Map<string, Verdict>()
    for (const scenarios of conversations(agent)) {
      const { daemon } = scenarios[0]!
      const undo = daemon && (await withoutDaemon(place, env, daemon === 'impossible'))
      const evidence = await converse(visit, scenarios)
      await undo?.()
      for (const scenario of scenarios) verdicts.set(scenario.id, judge(scenario, evidence))
    }
    const unread = agent.cannot?.replayed
    verdicts.set(
      'replayed',
      unread !== undefined
        ? cannot(unread)
        : await replayed(agent.id, env, agent.cannot?.['large-input'] !== undefined),
    )
    await unwire(agent.id, place, env)
    verdicts.set('uninstalled', restored.status === 'pass' ? await baseline(visit) : restored)
    const version = versionOf(agent.package)
    return [...verdicts].map(([scenario, verdict]) => ({
      agent: agent.name ?? agent.id,
      version,
      scenario,
      ...verdict,
    }))
  } finally {
    await standIn.close()
  }
}

function judge(scenario: Scenario, evidence: Evidence): Verdict {
  if (scenario.id === 'subagent' && !evidence.agent.subagent) return cannot('it has no subagents')
  try {
    return scenario.check(evidence)
  } catch (error) {
    return fail(String(error))
  }
}

/** Which scenarios share a conversation: as many as can. */
function conversations(agent: Agent): Scenario[][] {
  const isHttp = agent.install?.includes('--http') === true
  const own = SCENARIOS.filter((scenario) => scenario.http === undefined || scenario.http === isHttp)
  const apart = own.filter((scenario) => scenario.apart && !scenario.broken).map((scenario) => [scenario])
  const broken = own.filter((scenario) => scenario.broken)
  const together = own.filter((scenario) => !scenario.apart)
  const eachBroken =
    agent.denyEndsRun || agent.asksBeforeModel ? broken.map((scenario) => [scenario]) : [broken]
  apart.push(...eachBroken.filter((scenarios) => scenarios.length > 0))
  if (!agent.denyEndsRun) return [together, ...apart]
  const passing = together.filter((scenario) => !scenario.blocks && scenario.id !== 'told')
  const told = together.filter((scenario) => scenario.id === 'told')
  const blocking = together
    .filter((scenario) => scenario.blocks)
    .map((scenario) => (scenario.id === 'block' ? [scenario, ...told] : [scenario]))
  return [passing, ...blocking, ...apart]
}

async function setUp({ agent, place, env }: Visit): Promise<void> {
  const guards = join(dirname(fileURLToPath(import.meta.url)), 'fixtures/guards')
  cpSync(guards, join(place.home, HOOKS), { recursive: true })
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
