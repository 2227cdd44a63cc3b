/**
 * Guards on acts through the warm engine, side by side with one guard on `matcher.command`; and where no engine runs: as
 * agents call it, and by Node alone.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { FLAGS } from '../src/host/relay/start.ts'
import { median, type Row } from './measure.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const main = join(root, 'dist/cli/main.cjs')
const relay = join(root, 'dist/relay/crosshook-relay')
const GUARDS = 50
const WARM_UP = 100
const ALONE = { CROSSHOOK_NO_DAEMON: '1' }
const LINE = 'cd build && git add -A && git commit -m "a b" | tee log; rm -rf /etc'

const COMMAND = ['command: "^rm -rf /"']
/** Only the first condition matches. */
const ACTS = Array.from({ length: GUARDS }, (_, n) =>
  n === 0
    ? 'does: delete\n  place: system'
    : n % 3 === 0
      ? `does: [read, write]\n  path: "/nowhere/${n}/**"`
      : n % 3 === 1
        ? `does: connect\n  host: "*.host-${n}.example"`
        : `does: run\n  program: program-${n}`,
)

export async function actGuards(rounds = 300): Promise<Row[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'crosshook-acts-'))
  const engines: ChildProcess[] = []
  try {
    const acts = await home(scratch, ACTS, engines)
    const command = await home(scratch, COMMAND, engines)
    const payload = JSON.stringify({
      session_id: 'bench',
      cwd: scratch,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: LINE },
      tool_use_id: '1',
    })
    const call = (program: string, args: readonly string[], env: NodeJS.ProcessEnv, isGuard = true) => {
      const started = performance.now()
      const { stdout } = spawnSync(program, args, { env, cwd: scratch, input: payload, encoding: 'utf8' })
      const took = performance.now() - started
      if (isGuard && !stdout.includes('deny')) throw new Error(`no deny: ${stdout}`)
      return took
    }
    const hook = ['hook', 'claude-code', 'PreToolUse']
    writeFileSync(join(scratch, 'empty.js'), '')
    const cases = {
      acts: () => call(relay, hook, acts),
      command: () => call(relay, hook, command),
      cold: () => call(relay, hook, { ...acts, ...ALONE }),
      node: () => call(process.execPath, [main, ...hook], { ...acts, ...ALONE }),
      empty: () => call(process.execPath, [join(scratch, 'empty.js')], { PATH: process.env.PATH }, false),
    }
    for (let i = 0; i < WARM_UP; i++) for (const name of ['acts', 'command'] as const) cases[name]()
    const times = {
      acts: [] as number[],
      command: [] as number[],
      cold: [] as number[],
      node: [] as number[],
      empty: [] as number[],
    }
    for (let i = 0; i < rounds; i++) {
      times.acts.push(cases.acts())
      times.command.push(cases.command())
      if (i % 10 !== 0) continue
      times.cold.push(cases.cold())
      times.node.push(cases.node())
      times.empty.push(cases.empty())
    }
    const ratio = (a: keyof typeof times, b: keyof typeof times) => median(times[a]) / median(times[b])
    return [
      {
        what: `relay, ${GUARDS} guards on acts ÷ one guard on matcher.command`,
        ratio: ratio('acts', 'command'),
        target: '≤ 1.3',
      },
      {
        what: `relay without an engine, ${GUARDS} guards on acts ÷ empty node`,
        ratio: ratio('cold', 'empty'),
        target: '≤ 1.6',
      },
      {
        what: `the same without the relay and its options for Node`,
        ratio: ratio('node', 'empty'),
        target: '',
      },
    ]
  } finally {
    for (const engine of engines) engine.kill()
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function home(
  scratch: string,
  matchers: readonly string[],
  engines: ChildProcess[],
): Promise<NodeJS.ProcessEnv> {
  const folder = mkdtempSync(join(scratch, 'h-'))
  for (const [n, matcher] of matchers.entries()) {
    const hook = join(folder, '.config/agents/hooks', `guard-${n}`)
    mkdirSync(hook, { recursive: true })
    writeFileSync(
      join(hook, 'HOOK.md'),
      `---\nname: guard-${n}\ndescription: A guard of the bench.\ntrigger: before_tool\nmatcher:\n  ${matcher}\noutcome:\n  decision: deny\n  reason: no\n---\n`,
    )
  }
  const env = { PATH: process.env.PATH, HOME: folder }
  const engine = spawn(process.execPath, [...FLAGS, main, 'engine'], { env, cwd: '/', stdio: 'ignore' })
  engines.push(engine)
  for (let i = 0; !existsSync(join(folder, '.local/state/crosshook/engine.sock')); i++) {
    if (i > 500) throw new Error('the engine does not start')
    await sleep(20)
  }
  return env
}

if (import.meta.main) {
  const { table } = await import('./measure.ts')
  console.log(table(await actGuards(Number(process.argv[2] ?? 300))))
}
