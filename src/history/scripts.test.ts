import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { confinementLevel } from '../executors/confine/level.ts'
import type { PastCall } from './call.ts'
import { createJudge } from './judge-call.ts'
import { replay } from './replay.ts'
import { createScripts } from './scripts.ts'

const CAN = confinementLevel().confines

function call(command: string): PastCall {
  return {
    event: {
      event_type: 'before_tool',
      timestamp: '2026-01-01T00:00:00.000Z',
      session_id: 's',
      work_dir: '/nowhere',
      context: {},
      tool_name: 'Shell',
      tool_input: { command },
    },
    source: 'transcript',
    became: { decision: 'allow', isJournaled: false },
    lacks: [],
  }
}

function hook(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hooks-'))
  mkdirSync(join(folder, 'guard/scripts'), { recursive: true })
  writeFileSync(
    join(folder, 'guard/HOOK.md'),
    '---\nname: guard\ndescription: a guard\ntrigger: before_tool\n---\n',
  )
  writeFileSync(join(folder, 'guard/scripts/run.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return folder
}

async function run(script: string, commands: string[], budget = 60_000) {
  const env = { HOME: mkdtempSync(join(tmpdir(), 'home-')), PATH: '/usr/bin:/bin' }
  const scripts = createScripts({ env, budget, runnable: (each) => each })
  try {
    const judge = createJudge({ env, sources: [{ path: hook(script) }], scripts })
    return await replay({ calls: commands.map(call) }, { judge })
  } finally {
    scripts.close()
  }
}

test.skipIf(!CAN)('a program is asked, in an empty folder', async () => {
  const { changed, coverage } = await run(
    'read -r line; case "$line" in *victim*) echo "no: $(ls -A | wc -l) files" >&2; exit 2;; esac',
    ['rm -rf victim', 'ls'],
  )
  expect(coverage).toMatchObject({ replayed: 2, partial: 0 })
  expect(changed).toMatchObject([
    { summary: 'rm -rf victim', after: 'deny', hook: 'guard', reason: 'no: 0 files' },
  ])
})

test.skipIf(!CAN)('a replayed script can neither write elsewhere nor reach a server', async () => {
  const outside = join(mkdtempSync(join(tmpdir(), 'outside-')), 'written')
  let reached = false
  const server = createServer(() => {
    reached = true
  })
  const port = await new Promise<number>((ready) =>
    server.listen(0, '127.0.0.1', () => ready((server.address() as { port: number }).port)),
  )
  await run(`echo x > ${outside}; bash -c 'echo x > /dev/tcp/127.0.0.1/${port}'; exit 0`, ['ls'])
  server.close()
  expect(existsSync(outside)).toBe(false)
  expect(reached).toBe(false)
})

test.skipIf(!CAN)('after its budget no more is run, and that is said', async () => {
  const { coverage, hooks } = await run('sleep 0.2', ['a', 'b', 'c', 'd'], 250)
  expect(coverage.partial).toBeGreaterThan(0)
  expect(hooks).toMatchObject([{ hook: 'guard', why: 'the time for programs is used up (--budget)' }])
})
