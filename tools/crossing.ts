/**
 * Counts the source files that one PreToolUse crosses: those in which a function runs from the bytes of the relay until
 * the relay has ended, in a host that has answered such a call before. V8's coverage says which. Once with a guard that
 * gives a fixed answer (`outcome`), once with one that is a script.
 *
 *   node tools/crossing.ts          the files, their functions and the figures
 *   node tools/crossing.ts --json   the same as JSON
 */

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SETTLED_MS } from '../src/executors/entry-point.ts'
import { createSpawner } from '../src/executors/spawner.ts'
import { createResident, openAll } from '../src/host/host.ts'
import { relayListener } from '../src/host/relay/listener.ts'

const root = resolve(import.meta.dirname, '..')
const relay = join(root, 'dist/relay/crosshook-relay')
/** After this many events a process counts as long-lived (fast/digest.ts, pipeline/journal.ts). */
const CALLS_BEFORE = 100
/** Caches and timers of a few seconds affect only some calls, so the call with the fewest files counts. */
const CALLS_WITHOUT_CHANGE = 8
const PAUSE_MS = 400
/** One soon after the other: what is looked at again after a second is looked at in the first. */
const CALLS = 3

/** The functions that ran, by file below the root of the project. */
type Crossing = Record<string, string[]>

/** Guards that deny, by what runs. */
const GUARDS = { outcome: 'outcome:\n  decision: deny\n  reason: no\n', script: '' }
type Guard = keyof typeof GUARDS

async function measureCrossing(guard: Guard): Promise<Crossing> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'xc-')))
  const env = makePlace(place, guard)
  // As the warm engine does it: programs are run by the spawner, records wait for another process.
  const host = createResident({ env, source: 'hook', stays: true, trouble: () => {} }, createSpawner(relay))
  host.runtime.journal().letWait(Number.POSITIVE_INFINITY)
  const [door] = await openAll(host, [relayListener])
  try {
    // Files that were written just now are read at each event until their change time is old enough.
    await sleep(SETTLED_MS)
    for (let calls = 0; calls < CALLS_BEFORE; calls++) await call(place, env)
    let found = await measure(place, env)
    for (let calm = 0; calm < CALLS_WITHOUT_CHANGE; calm++) {
      await sleep(PAUSE_MS)
      const again = await measure(place, env)
      if (sizeOf(again) >= sizeOf(found)) continue
      found = again
      calm = 0
    }
    return found
  } finally {
    await door.close()
    await host.close()
    rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  }
}

function sizeOf(crossing: Crossing): number {
  return Object.keys(crossing).length
}

/** What runs in each of several calls: what a timer starts meanwhile is not on their way. */
async function measure(place: string, env: NodeJS.ProcessEnv): Promise<Crossing> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const crossings: Crossing[] = []
  for (let i = 0; i < CALLS; i++) {
    const answer = await call(place, env)
    if (!answer.includes('"permissionDecision":"deny"')) throw new Error(`the guard did not deny: ${answer}`)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    crossings.push(crossingOf(result))
  }
  session.disconnect()
  const [first, ...others] = crossings
  return Object.fromEntries(Object.entries(first!).filter(([file]) => others.every((each) => file in each)))
}

function crossingOf(scripts: readonly Profiler.ScriptCoverage[]): Crossing {
  const sources = `${pathToFileURL(join(root, 'src')).href}/`
  const functions: Crossing = {}
  for (const script of scripts) {
    if (!script.url.startsWith(sources)) continue
    const ran = script.functions.filter(({ ranges }) => ranges[0]!.count > 0)
    if (ran.length > 0)
      functions[relative(root, fileURLToPath(script.url))] = ran.map(({ functionName }) => functionName)
  }
  return functions
}

function makePlace(place: string, guard: Guard): NodeJS.ProcessEnv {
  const hook = join(place, 'config/agents/hooks/guard')
  mkdirSync(hook, { recursive: true })
  mkdirSync(join(place, 'work'))
  // As `install` leaves it: agents that call over HTTP are listed there.
  mkdirSync(join(place, 'state/crosshook/install'), { recursive: true, mode: 0o700 })
  writeFileSync(
    join(hook, 'HOOK.md'),
    `---\nname: guard\ndescription: Denies\ntrigger: before_tool\nmatcher:\n  tool: Shell\n${GUARDS[guard]}---\n`,
  )
  if (guard === 'script') {
    mkdirSync(join(hook, 'scripts'))
    writeFileSync(join(hook, 'scripts/run.sh'), '#!/bin/sh\necho no >&2\nexit 2\n', { mode: 0o755 })
  }
  return {
    PATH: '/usr/bin:/bin',
    HOME: place,
    XDG_CONFIG_HOME: join(place, 'config'),
    XDG_STATE_HOME: join(place, 'state'),
    XDG_CACHE_HOME: join(place, 'cache'),
    XDG_RUNTIME_DIR: join(place, 'run'),
    CROSSHOOK_MANAGED_DIR: join(place, 'managed'),
  }
}

function call(place: string, env: NodeJS.ProcessEnv): Promise<string> {
  const payload = {
    session_id: 's1',
    transcript_path: '/t.jsonl',
    cwd: join(place, 'work'),
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'toolu_1',
  }
  return new Promise((done, failed) => {
    const child = spawn(relay, ['hook', 'claude-code', 'PreToolUse'], { cwd: join(place, 'work'), env })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    child.on('error', failed)
    child.on('close', () => done(text))
    child.stdin.end(JSON.stringify(payload))
  })
}

const crossings = { outcome: await measureCrossing('outcome'), script: await measureCrossing('script') }
if (process.argv.includes('--json')) console.log(JSON.stringify(crossings))
else
  for (const [guard, crossing] of Object.entries(crossings)) {
    const files = Object.entries(crossing).sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [file, names] of files) console.log(`${file}  ${names.filter(Boolean).join(' ')}`)
    const count = files.reduce((sum, [, names]) => sum + names.length, 0)
    console.log(`\n${guard}: ${files.length} files, ${count} functions\n`)
  }
process.exit(0)
