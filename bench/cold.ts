/** The program as an agent starts it: against an empty Node script, and a script hook against a bare spawn. */

import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadHooks } from '../src/index.ts'
import { median, type Row, ratioOf } from './measure.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const main = join(root, 'dist/cli/main.cjs')

export async function cold(rounds = 60): Promise<Row[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'crosshook-bench-'))
  try {
    return await measure(scratch, rounds)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function measure(scratch: string, rounds: number): Promise<Row[]> {
  const env = { PATH: process.env.PATH, HOME: scratch, CROSSHOOK_NO_DAEMON: '1' }
  const hooks = join(scratch, '.config/agents/hooks')
  for (let i = 0; i < 10; i++) writeHook(hooks, `guard-${i}`, 'outcome:\n  decision: deny\n  reason: no\n')
  writeFileSync(join(scratch, 'empty.js'), '')
  const payload = JSON.stringify({ tool_name: 'Shell', tool_input: { command: 'ls' }, work_dir: scratch })
  const node = (...args: string[]) => {
    const started = performance.now()
    const { status } = spawnSync(process.execPath, args, { env, cwd: scratch, input: payload })
    if (status !== 0 && status !== 2) throw new Error(`node ${args.join(' ')} ended with ${status}`)
    return performance.now() - started
  }
  const times: Record<'empty' | 'allows' | 'denies', number[]> = { empty: [], allows: [], denies: [] }
  for (let i = 0; i < rounds + 3; i++) {
    const taken = {
      empty: node(join(scratch, 'empty.js')),
      allows: node(main, 'fire', 'after_tool', '--json'),
      denies: node(main, 'fire', 'before_tool', '--json'),
    }
    if (i >= 3) for (const name of ['empty', 'allows', 'denies'] as const) times[name].push(taken[name])
  }
  const ratio = (name: 'allows' | 'denies') => median(times[name]) / median(times.empty)
  return [
    {
      what: 'cold fire, 10 hooks, none applies ÷ empty node script',
      ratio: ratio('allows'),
      target: '≤ 1.45',
    },
    {
      what: 'cold fire, 10 hooks, one denies without a script ÷ empty node script',
      ratio: ratio('denies'),
      target: '≤ 1.45',
    },
    await script(scratch, env),
  ]
}

/** What running a script hook costs over starting the script alone, in milliseconds. */
async function script(scratch: string, env: NodeJS.ProcessEnv): Promise<Row> {
  const folder = join(scratch, 'script')
  writeHook(folder, 'runs-true', '')
  mkdirSync(join(folder, 'runs-true/scripts'))
  const file = join(folder, 'runs-true/scripts/run.sh')
  writeFileSync(file, '#!/bin/true\n')
  chmodSync(file, 0o755)
  const hooks = await loadHooks({ sources: [folder], env, work_dir: scratch })
  const bare = () =>
    new Promise((resolve) =>
      spawn(file, { stdio: ['pipe', 'pipe', 'pipe'] })
        .on('exit', resolve)
        .stdin.on('error', () => {})
        .end('{}'),
    )
  const cases = {
    hook: () => hooks.fire('before_tool', { tool_name: 'Shell', tool_input: { command: 'ls' } }),
    bare,
  }
  const { medians } = await ratioOf(cases, { rounds: 150, batch: 1 })
  hooks.close()
  return {
    what: 'a script hook that runs `true`, milliseconds over the bare spawn',
    ratio: medians.hook - medians.bare,
    target: '≤ 3',
  }
}

function writeHook(folder: string, name: string, more: string): void {
  mkdirSync(join(folder, name), { recursive: true })
  const tool = name === 'guard-0' || name === 'runs-true' ? 'Shell' : `Other${name}`
  writeFileSync(
    join(folder, name, 'HOOK.md'),
    `---\nname: ${name}\ndescription: A hook of the bench.\ntrigger: before_tool\nmatcher:\n  tool: ${tool}\n${more}---\n`,
  )
}
