/** What confinement costs: the same program by the same spawner, plain and with `sandbox: true`, in turns. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCommandExecutor } from '../src/executors/command.ts'
import { useHelper } from '../src/executors/confine/helper.ts'
import { confinementLevel } from '../src/executors/confine/level.ts'
import { createSpawner } from '../src/executors/spawner.ts'
import { callOf } from '../src/executors/testing.ts'
import { isFailure } from '../src/spec/outcome.ts'
import type { Row } from './measure.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
/** The released relay if `npm run build:relay` has built it: its C library starts faster. */
const released = join(root, 'dist.packages', `relay-${process.platform}-${process.arch}`, 'bin')
const programs = existsSync(join(released, 'crosshook-confine')) ? released : join(root, 'dist/relay')
const WARM_UP = 20

export async function confinement(rounds = 400): Promise<Row[]> {
  if (!confinementLevel().confines) return []
  useHelper(join(programs, 'crosshook-confine'))
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-confine-'))
  const spawner = createSpawner(join(programs, 'crosshook-relay'))
  const executor = createCommandExecutor(spawner)
  const env = { PATH: '/usr/bin:/bin', HOME: folder }
  const call = callOf(
    { type: 'command' as const, argv: ['/bin/true'] },
    {
      event: { work_dir: folder },
      host: { env, stateDir: () => folder },
      signal: new AbortController().signal,
    },
  )
  const origin = { file: join(folder, 'HOOK.md'), dir: folder }
  const plain = { ...call, hook: { ...call.hook, origin } }
  const confined = { ...plain, hook: { ...plain.hook, sandbox: true } }
  const times: [plain: number[], confined: number[]] = [[], []]
  try {
    for (let round = 0; round < WARM_UP + rounds; round++)
      for (const [at, one] of [plain, confined].entries()) {
        const started = performance.now()
        const result = await executor.run(one)
        if (isFailure(result) || result.exit_code !== 0) throw new Error(JSON.stringify(result))
        if (round >= WARM_UP) times[at]!.push(performance.now() - started)
      }
  } finally {
    spawner.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const [plainTimes, confinedTimes] = times.map((each) => each.sort((a, b) => a - b)) as typeof times
  const more = (at: number) => confinedTimes[at]! - plainTimes[at]!
  return [
    {
      what: "a confined `true` over the spawner's plain `true`, ms, medians",
      ratio: more(rounds >> 1),
      target: '≤ 1.00',
    },
    { what: 'the same, minima: what it takes when nothing else runs', ratio: more(0), target: '' },
  ]
}

if (import.meta.main) console.log(await confinement())
