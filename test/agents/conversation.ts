/** One conversation with an agent, and what it left behind. */

import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadDialect } from '../../src/dialects/list.ts'
import type { Agent, Place } from './agents/agent.ts'
import { put } from './agents/files.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { run } from './process.ts'
import { mendProgram } from './program.ts'
import { MAIN, type Scenario, SUB } from './scenarios.ts'
import type { StandIn } from './stand-in/server.ts'
import { readJournal } from './wire.ts'

export interface Visit {
  agent: Agent
  place: Place
  env: NodeJS.ProcessEnv
  standIn: StandIn
}

/** On a busy machine some agents need a minute to start. */
export const LIMIT = { time: 300_000 }
/** Where a person's own hooks are, below the home folder. */
export const HOOKS = '.config/agents/hooks'
const GALLERY = fileURLToPath(new URL('../../gallery', import.meta.url))
/** More requests than any conversation here needs. */
const ENDLESS = 40

/** One conversation with the agent, from its start to its end. */
export async function converse(visit: Visit, scenarios: readonly Scenario[]): Promise<Evidence> {
  const { agent, place, env, standIn } = visit
  const main = scenarios.flatMap((scenario) => scenario.steps?.(agent, place) ?? [])
  if (!main.some((step) => step.id === 'end')) main.push({ id: 'end', turn: { text: 'I am done.' } })
  standIn.play({
    main,
    sub: scenarios.flatMap((scenario) => scenario.subSteps?.(agent) ?? []),
    mainMarker: MAIN,
    subMarker: SUB,
  })
  const files = Object.assign({}, ...scenarios.map((scenario) => scenario.apart ?? {})) as Record<
    string,
    string
  >
  for (const [name, text] of Object.entries(files)) put(join(place.project, name), text)
  const extra = scenarios.flatMap(({ gallery = [] }) => gallery).map((name) => join(HOOKS, name))
  for (const name of extra) cpSync(join(GALLERY, basename(name)), join(place.home, name), { recursive: true })
  const last = (await readJournal(place, env, 0)).at(-1)?.seq ?? 0
  const ended = await run(agent.start(place, `${MAIN}: please do the work.`), place.project, env, {
    // One that may not end need not be waited for so long.
    time: scenarios.some((scenario) => scenario.apart) ? LIMIT.time / 2 : LIMIT.time,
    isTooMuch: () => standIn.asked.length > ENDLESS,
  })
  mendProgram(place)
  for (const name of Object.keys(files)) rmSync(join(place.project, name))
  for (const name of extra) rmSync(join(place.home, name), { recursive: true })
  const side = (await loadDialect(agent.id)).agent!
  if (process.env.KEEP_SCRATCH)
    writeFileSync(
      join(dirname(place.home), `${scenarios[0]!.id}.json`),
      JSON.stringify({ ...ended, asked: standIn.asked, unknown: standIn.unknown }, null, 1),
    )
  return evidenceOf(agent, place, side, {
    asked: [...standIn.asked],
    journal: await readJournal(place, env, last),
    ...ended,
  })
}
