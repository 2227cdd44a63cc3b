/** A decision by the warm engine on a machine that is enrolled, and on one that is not: call by call, in turns. */

import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Figure } from './run.ts'
import { percentile, sleep, startFleet } from './setup.ts'

const dist = resolve(import.meta.dirname, '../../dist')
const program = join(dist, 'cli/main.cjs')

export async function latency(rounds: number): Promise<Figure[]> {
  const fleet = await startFleet(1)
  const machines = ['enrolled', 'alone'].map((name) => {
    const home = join(fleet.root, name)
    mkdirSync(join(home, 'work'), { recursive: true })
    mkdirSync(join(home, 'run'), { mode: 0o700 })
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      XDG_RUNTIME_DIR: join(home, 'run'),
      CROSSHOOK_MANAGED_DIR: join(home, 'managed'),
    }
    return { name, home, env }
  })
  const [enrolled, alone] = machines as [(typeof machines)[0], (typeof machines)[0]]
  const engines: ReturnType<typeof spawn>[] = []
  try {
    await fleet.publish()
    // The same hooks on both, by the fleet or by hand.
    cpSync(join(fleet.root, 'policy', 'hooks'), join(alone.home, 'managed'), { recursive: true })
    const { token } = await fleet.admin.post<{ token: string }>('/v1/fleet/tokens', {})
    const noDaemon = { ...enrolled.env, CROSSHOOK_NO_DAEMON: '1' }
    const said = spawnSync(process.execPath, [program, 'enroll', fleet.hubs[0]!.url, '--token', token], {
      env: noDaemon,
      cwd: enrolled.home,
    })
    if (said.status !== 0) throw new Error(String(said.stderr))
    engines.push(
      spawn(process.execPath, [program, 'edge'], { env: noDaemon, cwd: enrolled.home, stdio: 'ignore' }),
    )
    for (const { env, home } of machines)
      engines.push(
        spawn(process.execPath, [program, 'engine'], {
          env: { ...env, CROSSHOOK_NO_DAEMON: '' },
          cwd: home,
          stdio: 'ignore',
        }),
      )
    const relay = join(dist, 'relay', 'crosshook-relay')
    const call = ({ env, home }: (typeof machines)[0], command: string) => {
      const input = JSON.stringify({
        session_id: 's',
        transcript_path: join(home, 't'),
        cwd: join(home, 'work'),
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command },
      })
      const began = process.hrtime.bigint()
      const { stdout } = spawnSync(relay, ['hook', 'claude-code', 'PreToolUse'], {
        env,
        cwd: join(home, 'work'),
        input,
      })
      return { ms: Number(process.hrtime.bigint() - began) / 1e6, denied: stdout.toString().includes('deny') }
    }
    for (
      let i = 0;
      i < 100 && !(call(enrolled, 'terraform x').denied && call(alone, 'terraform x').denied);
      i++
    )
      await sleep(200)
    const times: Record<string, number[]> = { enrolled: [], alone: [] }
    for (let i = 0; i < rounds; i++)
      for (const machine of i % 2 === 0 ? [enrolled, alone] : [alone, enrolled])
        times[machine.name]!.push(call(machine, 'ls -l').ms)
    const ratio = percentile(times.enrolled!, 0.5) / percentile(times.alone!, 0.5)
    return [
      {
        measure: `decision when enrolled ÷ not (medians of ${rounds}: ${percentile(times.enrolled!, 0.5).toFixed(2)} and ${percentile(times.alone!, 0.5).toFixed(2)} ms)`,
        aim: '≤ 1.05',
        value: ratio.toFixed(3),
        ok: ratio <= 1.05,
      },
    ]
  } finally {
    for (const engine of engines) engine.kill('SIGTERM')
    await fleet.stop()
  }
}
