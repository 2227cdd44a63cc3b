/**
 * Real machines, many to a process: each with a state folder, a journal, the pipeline that decides and the code that talks to
 * the hub. Started by run.ts; says on stdout what it sees.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openDesk } from '../../src/ask/desk.ts'
import { paths } from '../../src/config/paths.ts'
import { runEdge } from '../../src/fleet/edge.ts'
import { enrolMachine } from '../../src/fleet/enroll.ts'
import { readPolicyState } from '../../src/fleet/policy-state.ts'
import { assemble } from '../../src/host/assemble.ts'
import { journalOf } from '../../src/pipeline/journal.ts'

const [root, from, count, token, ...urls] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  ...string[],
]
const stopping = new AbortController()
process.on('SIGTERM', () => stopping.abort())

const machines = await Promise.all(
  Array.from({ length: Number(count) }, async (_, i) => {
    const n = Number(from) + i
    const home = join(root, `real-${n}`)
    mkdirSync(join(home, 'work'), { recursive: true })
    const env = {
      HOME: home,
      PATH: process.env.PATH!,
      CROSSHOOK_MANAGED_DIR: join(home, 'managed'),
      CROSSHOOK_NO_DAEMON: '1',
    }
    const where = paths(env)
    const journal = await journalOf(where)
    const enrolment = await enrolMachine({
      url: urls[n % urls.length]!,
      token,
      state: where.state,
      fleet: where.fleet.folder,
      journal,
      version: 'bench',
      name: `real-${n}`,
    })
    const runtime = assemble({ env, source: 'hook' })
    void runEdge({
      state: where.state,
      fleet: where.fleet.folder,
      settings: { own: [where.settings], above: [where.managedSettings, where.fleet.settings] },
      home: where.home,
      enrolment,
      journal,
      desk: openDesk({
        where,
        journal: () => journal,
        source: 'daemon',
        trouble: console.error,
      }),
      version: 'bench',
      prove: async () => ({ agents: [], alarms: [] }),
      trouble: (sentence) => console.error(`${n}: ${sentence}`),
      signal: stopping.signal,
    })
    return { home, runtime, enrolment, fleet: where.fleet.folder }
  }),
)
console.log(JSON.stringify({ ready: machines.length }))

/** The revision that every machine here has on its disk. Only the first that lacks a newer one is looked at. */
let lowest = 0
let next = 0
const revisionOf = ({ fleet, enrolment }: (typeof machines)[0]) =>
  readPolicyState(fleet, enrolment).enforced?.revision ?? 0
const look = setInterval(() => {
  while (next < machines.length && revisionOf(machines[next]!) > lowest) next++
  if (next < machines.length) return
  lowest = Math.min(...machines.map(revisionOf))
  next = 0
  console.log(JSON.stringify({ revision: lowest, at: Date.now() }))
}, 20)

let decided = 0
while (!stopping.signal.aborted) {
  for (const { home, runtime } of machines) {
    if (stopping.signal.aborted) break
    const result = await runtime.fire(
      'before_tool',
      {
        session_id: 's',
        work_dir: join(home, 'work'),
        tool_name: 'Shell',
        tool_input: { command: 'terraform destroy' },
      },
      { cwd: join(home, 'work') },
    )
    if (result.decision === 'deny') decided++
    await new Promise((done) => setTimeout(done, 100))
  }
}
clearInterval(look)
console.log(JSON.stringify({ decided }))
process.exit(0)
