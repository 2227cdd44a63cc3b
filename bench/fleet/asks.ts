/** A question that a machine puts to one hub, answered by a person at the other. */

import { createClient } from '../../src/fleet/hub-client.ts'
import { figure } from './crowd.ts'
import type { Figure } from './run.ts'
import { enrolByRows, percentile, startFleet, TENANT } from './setup.ts'

export async function asks(rounds: number): Promise<Figure[]> {
  const fleet = await startFleet(2)
  try {
    const [edge] = await enrolByRows(fleet.url, 1)
    const client = createClient(edge!.key, { url: fleet.hubs[0]!.url, tenant: TENANT, id: edge!.id })
    const answered: number[] = []
    const whole: number[] = []
    for (let i = 0; i < rounds; i++) {
      const began = performance.now()
      const body = JSON.stringify({
        id: `question-${i}`,
        input_digest: 'd',
        deadline: Date.now() + 60_000,
        agent: 'a',
        session_id: 's',
        summary: 'rm -rf build',
      })
      const { id } = JSON.parse((await client.call('POST', '/fleet/asks', body)).toString()) as { id: string }
      const waiting = client.call('GET', `/fleet/asks?id=${id}&wait=20000`)
      // The machine is waiting for the answer by then.
      await new Promise((done) => setTimeout(done, 5 + Math.random() * 20))
      const at = performance.now()
      await fleet.admins[1]!.post(`/v1/fleet/asks/${id}`, { decision: 'allow' })
      const { state } = JSON.parse((await waiting).toString()) as { state: string }
      if (state !== 'allow') throw new Error(`the machine was told ${state}`)
      answered.push(performance.now() - at)
      whole.push(performance.now() - began)
    }
    return [
      figure('answer on the other hub → machine, p50', '≤ 100 ms', percentile(answered, 0.5), 100, 'ms'),
      figure('answer on the other hub → machine, p99', '≤ 100 ms', percentile(answered, 0.99), 100, 'ms'),
    ]
  } finally {
    await fleet.stop()
  }
}
