/** `crosshook agents`: the agents that can call hooks, and the formats that hooks may be written in. */

import { DIALECTS, loadDialect } from '../dialects/list.ts'
import type { Dialect } from '../spec/dialect.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson } from './print.ts'
import { columns } from './table.ts'

export async function run(args: Arguments): Promise<number> {
  const dialects = await Promise.all(Object.keys(DIALECTS).map(loadDialect))
  if (args.flag('json')) printJson(dialects.map(asJson))
  else print(words(dialects))
  return 0
}

const PROVEN = { run: 'by running it', docs: 'from its documentation' } as const

function words(dialects: readonly Dialect[]): string {
  const paint = painter(1)
  const head = ['ID', 'NAME', 'AGENT', 'HOOK FORMAT', 'PROVEN'].map(paint.dim)
  const rows = dialects.map(({ id, title, agent, format }) => [
    paint.bold(id),
    title,
    agent ? 'yes' : '—',
    format ? 'yes' : '—',
    agent ? `${PROVEN[agent.proven.by]} (${agent.proven.version})` : '—',
  ])
  return `${columns([head, ...rows])}\nAn agent calls crosshook; hooks of every format run in every agent.\n`
}

function asJson({ id, title, agent, format, events }: Dialect) {
  return {
    id,
    title,
    agent: agent !== undefined,
    format: format !== undefined,
    proven: agent?.proven ?? null,
    events: Object.keys(events),
    notes: agent?.notes ?? [],
  }
}
