/** `crosshook fleet status [MACHINE]`, `journal`, `audit`: what the hub knows. */

import type { Admin } from '../../fleet/admin.ts'
import type { FleetCall } from '../fleet.ts'
import { plural, print, printJson } from '../print.ts'
import { sinceOf } from '../since.ts'
import { brief, columns } from '../table.ts'
import { visible } from '../visible.ts'

interface Agent {
  agent: string
  agent_version: string
  obeyed: number
  cannot: number
  broken: number
}

interface EdgeJson {
  id: string
  name: string
  labels: Record<string, string>
  revision: number
  mode: string
  last_seen: number
  revoked_at: number | null
  version: string
  problem: string | null
  alarms: { kind: string; agent?: string; n: number }[]
  agents: Agent[]
}

interface Status {
  tenant: string
  policies: {
    revision: number
    mode: string
    machines: number
    heard: number
    troubled: number
    alarmed: number
  }[]
  agents: { agent: string; agent_version: string; machines: number; obeyed: number; broken: number }[]
  findings: number
  asks: number
}

/** Most machines listed by default. */
const MAX_MACHINES = 50
/** Machines per request. */
const PAGE = 5000

export async function status({ args, words, admin }: FleetCall): Promise<number> {
  const hub = admin()
  const [wanted] = words
  const state = args.value('state')
  const filter = {
    ...(wanted === undefined ? {} : { text: wanted }),
    ...(state === undefined ? {} : { state }),
  }
  if (wanted !== undefined || state !== undefined) {
    const found = await machinesOf(hub, filter)
    if (args.flag('json')) printJson(found)
    else print(found.length > 0 ? machineLines(found) : 'There is no such machine.\n')
    return found.length > 0 ? 0 : 1
  }
  const all = await hub.get<Status>('/v1/fleet/status')
  if (args.flag('json')) {
    printJson({ ...all, machines: await machinesOf(hub, {}) })
    return 0
  }
  const count = all.policies.reduce((sum, { machines }) => sum + machines, 0)
  const some = await hub.get<EdgeJson[]>(`/v1/fleet/edges?state=current&limit=${MAX_MACHINES}`)
  print(
    [
      `Fleet ${visible(all.tenant)} at ${hub.url}: ${plural(count, 'machine')}, ${plural(all.asks, 'question')} open` +
        (all.findings > 0
          ? `, ${plural(all.findings, 'finding')} in journals (crosshook fleet journal --findings)`
          : ''),
      columns(
        all.policies.map(({ revision, mode, machines, heard, troubled, alarmed }) => [
          revision === 0 ? 'no policy yet' : `revision ${revision}`,
          mode,
          plural(machines, 'machine'),
          `${heard} heard of lately`,
          troubled > 0 ? `${troubled} with a problem` : '',
          alarmed > 0 ? `${alarmed} with an alarm` : '',
        ]),
        '  ',
      ),
      columns(
        all.agents.map(({ agent, agent_version, machines, obeyed, broken }) => [
          visible(agent),
          visible(agent_version),
          `obeyed on ${obeyed} of ${machines}`,
          broken > 0 ? `broken on ${broken}` : '',
        ]),
        '  ',
      ),
      machineLines(some),
      count > some.length
        ? `… and ${count - some.length} more: --state trouble shows those with trouble, --json all\n`
        : '',
    ].join('\n'),
  )
  return 0
}

/** Reads all pages. */
async function machinesOf(hub: Admin, filter: Record<string, string>): Promise<EdgeJson[]> {
  const found: EdgeJson[] = []
  for (;;) {
    const query = new URLSearchParams({ ...filter, limit: String(PAGE), after: found.at(-1)?.id ?? '' })
    const page = await hub.get<EdgeJson[]>(`/v1/fleet/edges?${query}`)
    found.push(...page)
    if (page.length < PAGE) return found
  }
}

function machineLines(edges: readonly EdgeJson[]): string {
  return columns(
    edges.map(
      ({ name, id, labels, revision, mode, last_seen, revoked_at, agents, problem, version, alarms }) => [
        visible(name),
        id,
        Object.entries(labels)
          .map(([key, value]) => visible(`${key}=${value}`))
          .join(' '),
        revoked_at !== null ? 'revoked' : revision === 0 ? 'no policy' : `revision ${revision} ${mode}`,
        new Date(last_seen).toISOString(),
        visible(version),
        agents
          .map(
            ({ agent, agent_version, obeyed, broken }) =>
              `${visible(agent)}${agent_version ? ` ${visible(agent_version)}` : ''} ${broken > 0 ? '✗' : obeyed > 0 ? '✓' : '?'}`,
          )
          .join(' '),
        alarms.map(alarmWords).join(', '),
        brief(problem ?? ''),
      ],
    ),
  )
}

function alarmWords({ kind, agent, n }: EdgeJson['alarms'][number]): string {
  if (kind === 'heartbeat') return `${visible(agent ?? 'an agent')} asks no hook`
  if (kind === 'drift') return plural(n, 'changed hook')
  return plural(n, 'problem')
}

interface Row {
  edge: string
  at: number
  agent: string
  event: string
  tool: string
  decision: string
  hook: string
  status: string
}

export async function journal({ args, admin }: FleetCall): Promise<number> {
  if (args.flag('findings')) {
    const found =
      await admin().get<{ edge: string; what: string; message: string; at: number }[]>('/v1/fleet/findings')
    if (args.flag('json')) printJson(found)
    else
      print(
        columns(
          found.map(({ at, edge, what, message }) => [
            new Date(at).toISOString(),
            edge,
            what,
            visible(message),
          ]),
        ),
      )
    return 0
  }
  const query = new URLSearchParams()
  for (const name of ['edge', 'agent', 'hook', 'decision', 'event', 'limit'])
    if (args.value(name) !== undefined) query.set(name, args.value(name)!)
  if (args.value('since') !== undefined) query.set('since', String(sinceOf(args.value('since')!).getTime()))
  const rows = await admin().get<Row[]>(`/v1/fleet/journal?${query}`)
  if (args.flag('json')) printJson(rows)
  else
    print(
      columns(
        rows
          .reverse()
          .map(({ at, edge, agent, event, tool, decision, hook, status }) => [
            new Date(at).toISOString(),
            edge,
            ...[agent, event, tool, decision, hook, status].map(visible),
          ]),
      ),
    )
  return 0
}

export async function audit({ args, admin }: FleetCall): Promise<number> {
  const { broken_at, rows } = await admin().get<{
    broken_at: number | null
    rows: { seq: number; at: number; who: string; what: string; detail: object }[]
  }>('/v1/fleet/audit?limit=200')
  if (args.flag('json')) printJson({ broken_at, rows })
  else
    print(
      columns(
        rows.map(({ seq, at, who, what, detail }) => [
          String(seq),
          new Date(at).toISOString(),
          visible(who),
          what,
          brief(JSON.stringify(detail), 100),
        ]),
      ) +
        (broken_at === null
          ? 'The chain holds.\n'
          : `Row ${broken_at} was altered, or one before it was taken out.\n`),
    )
  return broken_at === null ? 0 : 1
}
