/**
 * `node bench/flags.ts [ROUNDS]`: what each option for the Node of the cold path saves (src/host/relay/cold-flags.ts). A
 * call with guards on acts and without an engine, with all options, and with all but one.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COLD_FLAGS } from '../src/host/relay/cold-flags.ts'
import { median } from './measure.ts'

const main = join(import.meta.dirname, '../dist/cli/main.cjs')
const rounds = Number(process.argv[2] ?? 60)
const WARM_UP = 4

const scratch = mkdtempSync(join(tmpdir(), 'crosshook-flags-'))
try {
  for (let n = 0; n < 50; n++) {
    const hook = join(scratch, '.config/agents/hooks', `guard-${n}`)
    mkdirSync(hook, { recursive: true })
    const condition = n === 0 ? 'does: delete\n  place: system' : `does: run\n  program: program-${n}`
    writeFileSync(
      join(hook, 'HOOK.md'),
      `---\nname: guard-${n}\ndescription: A guard of the bench.\ntrigger: before_tool\nmatcher:\n  ${condition}\noutcome:\n  decision: deny\n  reason: no\n---\n`,
    )
  }
  const input = JSON.stringify({
    ...{ session_id: 'bench', cwd: scratch, hook_event_name: 'PreToolUse', tool_use_id: '1' },
    ...{ tool_name: 'Bash', tool_input: { command: 'cd build && git add -A; rm -rf /etc' } },
  })
  const env = { PATH: process.env.PATH, HOME: scratch, CROSSHOOK_NO_DAEMON: '1' }
  const call = (flags: readonly string[]) => {
    const started = performance.now()
    const args = [...flags, main, 'hook', 'claude-code', 'PreToolUse']
    const { stdout } = spawnSync(process.execPath, args, { env, cwd: scratch, input, encoding: 'utf8' })
    if (!stdout.includes('deny')) throw new Error(`no deny: ${stdout}`)
    return performance.now() - started
  }
  const cases = new Map<string, readonly string[]>([
    ['all of them', COLD_FLAGS],
    ...COLD_FLAGS.map((left): [string, string[]] => [
      `without ${left}`,
      COLD_FLAGS.filter((flag) => flag !== left),
    ]),
    ['none of them', []],
  ])
  const times = new Map([...cases.keys()].map((name): [string, number[]] => [name, []]))
  for (let round = -WARM_UP; round < rounds; round++)
    for (const [name, flags] of cases) {
      const took = call(flags)
      if (round >= 0) times.get(name)!.push(took)
    }
  for (const [name, taken] of times) console.log(`${name.padEnd(36)} ${median(taken).toFixed(2)} ms`)
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
}
