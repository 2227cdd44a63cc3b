/** Many machines on two hubs: connecting, memory, a new policy, and the death of a hub. */

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Figure } from './run.ts'
import { cpuOf, enrolByRows, type Fleet, limited, percentile, sleep, startFleet } from './setup.ts'
import { gather } from './simulated.ts'

export async function crowd(edges: number, real: number): Promise<Figure[]> {
  const fleet = await startFleet(2)
  const figures: Figure[] = []
  const workers: ChildProcess[] = []
  try {
    await fleet.publish()
    const simulated = await enrolByRows(fleet.url, edges - real)
    const urls = fleet.hubs.map(({ url }) => url)
    // The memory that a hub needs without machines is not counted per machine.
    const warming = gather(simulated.slice(0, 600), urls)
    await warming.allOpen()
    warming.close()
    await sleep(8000)
    const before = fleet.hubs.map((hub) => hub.rss())
    const worked = fleet.hubs.map((hub) => cpuOf(hub.child.pid!))
    const began = performance.now()
    const all = gather(simulated, urls)
    await all.allOpen()
    const took = performance.now() - began
    figures.push(figure(`${edges - real} machines connect to 2 hubs`, '≤ 15 s', took / 1000, 15, 's'))
    const cpu = fleet.hubs.reduce((sum, hub, i) => sum + cpuOf(hub.child.pid!) - worked[i]!, 0)
    figures.push({
      measure: '… processor time of both hubs for it',
      aim: '–',
      value: `${cpu.toFixed(1)} s`,
      ok: true,
    })
    await all.allTold(1)
    await sleep(10_000)
    const grown = fleet.hubs.reduce((sum, hub, i) => sum + hub.rss() - before[i]!, 0)
    figures.push(
      figure('memory of the hubs per idle machine', '≤ 32 KB', grown / simulated.length / 1024, 32, 'KB'),
    )
    const news = real > 0 ? await startReal(fleet, real, workers) : undefined

    const publishedAt = performance.now()
    const wall = Date.now()
    const { revision } = await fleet.publish()
    await all.allTold(revision)
    const times = all.listeners.map(({ toldAt }) => toldAt - publishedAt)
    figures.push(figure('publish → machine, p95', '≤ 2 s', percentile(times, 0.95) / 1000, 2, 's'))
    figures.push(figure('publish → last machine', '≤ 2 s', Math.max(...times) / 1000, 2, 's'))
    if (news) {
      const at = Math.max(...(await Promise.all(news.map((each) => each(revision)))))
      figures.push(
        figure(
          `publish → in force on the last of ${real} real machines`,
          '≤ 2 s',
          (at - wall) / 1000,
          2,
          's',
        ),
      )
    }

    // One hub is killed. Its machines reconnect to the other, and a policy published meanwhile reaches all.
    const killedAt = performance.now()
    fleet.hubs[1]!.child.kill('SIGKILL')
    all.failures.clear()
    await sleep(1000)
    const second = await fleet.publish()
    await all.allOpen()
    const back = performance.now() - killedAt
    if (process.env.FLEET_LOG) console.error('failures', [...all.failures])
    await all.allTold(second.revision)
    figures.push(figure('one of two hubs killed: all machines back', '≤ 30 s', back / 1000, 30, 's'))
    figures.push(
      figure('… and told the policy of meanwhile', '≤ 30 s', (performance.now() - killedAt) / 1000, 30, 's'),
    )
    all.close()
  } finally {
    // A hub that is gone, or a machine in the middle of something, must not keep the bench from ending.
    for (const worker of workers) worker.kill('SIGTERM')
    await Promise.all(
      workers.map(async (worker) => {
        if (worker.exitCode !== null || worker.signalCode !== null) return
        const gone = new Promise((done) => worker.once('exit', done))
        await limited('a process of real machines ends', 15, gone).catch(() => worker.kill('SIGKILL'))
      }),
    )
    await fleet.stop()
  }
  return figures
}

const PER_PROCESS = 50

/** For each process a function that resolves with the moment at which all of its machines had a revision in force. */
async function startReal(fleet: Fleet, count: number, workers: ChildProcess[]) {
  const { token } = await fleet.admin.post<{ token: string }>('/v1/fleet/tokens', { uses: count })
  const news: ((revision: number) => Promise<number>)[] = []
  for (let from = 0; from < count; from += PER_PROCESS) {
    const child = spawn(
      process.execPath,
      [
        ...(process.env.FLEET_PROF ? ['--cpu-prof', `--cpu-prof-dir=${process.env.FLEET_PROF}`] : []),
        join(import.meta.dirname, 'real.ts'),
        fleet.root,
        String(from),
        String(Math.min(PER_PROCESS, count - from)),
        token,
        ...fleet.hubs.map(({ url }) => url),
      ],
      { stdio: ['ignore', 'pipe', process.env.FLEET_LOG ? 'inherit' : 'ignore'] },
    )
    workers.push(child)
    const seen = new Map<number, number>()
    let wake = () => {}
    let isReady = false
    let rest = ''
    child.stdout!.on('data', (bytes: Buffer) => {
      const lines = (rest + bytes.toString()).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        const said = JSON.parse(line) as { ready?: number; revision?: number; at?: number }
        if (said.ready !== undefined) isReady = true
        if (said.revision !== undefined) seen.set(said.revision, said.at!)
      }
      wake()
    })
    const until = <T>(what: string, find: () => T | undefined) =>
      limited(
        `real machines ${from} and on: ${what}`,
        120,
        new Promise<T>((resolve, failed) => {
          wake = () => {
            const found = find()
            if (found !== undefined) resolve(found)
          }
          wake()
          child.once('exit', (code, signal) => failed(new Error(`their process ended: ${code ?? signal}`)))
        }),
        () => `ready: ${isReady}, revisions: ${[...seen.keys()].join()}`,
      )
    await until('start', () => (isReady && seen.size > 0 ? true : undefined))
    news.push((revision) =>
      until(`take revision ${revision}`, () => [...seen].find(([n]) => n >= revision)?.[1]),
    )
  }
  return news
}

export function figure(measure: string, aim: string, value: number, most: number, unit: string): Figure {
  return {
    measure,
    aim,
    value: `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ${unit}`,
    ok: value <= most,
  }
}
