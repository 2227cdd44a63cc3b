/**
 * The real agents, headless, with a guard that asks: `node ask/run.ts [AGENT…]`. The answers come from the page in a real
 * browser, a terminal (tmux), a webhook and a stand-in for ntfy. Prints a table and exits 1 when something failed.
 */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isolation } from '../isolation.ts'
import type { Seen } from './visit.ts'

const HERE = dirname(fileURLToPath(import.meta.url))
/** Short: the paths of sockets below it are limited. */
const SCRATCH = join(homedir(), '.cache')
const AGENTS = ['claude-code', 'codex', 'gemini-cli', 'copilot', 'opencode', 'kimi-code', 'qwen-code', 'pi']
const LIMIT = 600_000

async function main(wanted: readonly string[]): Promise<number> {
  const unknown = wanted.filter((id) => !AGENTS.includes(id))
  if (unknown.length > 0) {
    console.error(`No such agent: ${unknown.join(', ')}. There are: ${AGENTS.join(', ')}.`)
    return 1
  }
  const { prefix, note } = isolation()
  if (note) console.log(note)
  let failed = 0
  for (const id of wanted.length > 0 ? wanted : AGENTS) {
    const start = Date.now()
    const seen = await visit(id, prefix)
    const seconds = Math.round((Date.now() - start) / 1000)
    failed += seen.filter(({ status }) => status === 'fail').length
    console.log(`${id} (${seconds} s)`)
    for (const { step, status, what } of seen) console.log(`  ${status.padEnd(6)} ${step.padEnd(9)} ${what}`)
  }
  return failed > 0 ? 1 : 0
}

/** One agent, in a process of its own: whatever it leaves running ends with it. */
function visit(id: string, prefix: readonly string[]): Promise<Seen[]> {
  mkdirSync(SCRATCH, { recursive: true })
  const folder = mkdtempSync(join(SCRATCH, 'ask-'))
  const file = join(folder, 'results.json')
  const [program = '', ...args] = [...prefix, process.execPath, join(HERE, 'visit.ts'), id, file]
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (data) => {
      stderr += data
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT)
    child.on('exit', () => {
      clearTimeout(timer)
      resolve(
        existsSync(file)
          ? (JSON.parse(readFileSync(file, 'utf8')) as Seen[])
          : [{ step: 'run', status: 'fail', what: stderr.trim().slice(-2000) }],
      )
      if (process.env.KEEP_SCRATCH) console.log(`${id}: kept in ${folder}`)
      else rmSync(folder, { recursive: true, force: true })
    })
  })
}

process.exitCode = await main(process.argv.slice(2))
