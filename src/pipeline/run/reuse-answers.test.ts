import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPipeline } from '../pipeline.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cache-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text, { mode: 0o755 })
}

/** Fires the same event; the hooks of `source` count. */
async function fire(source: string) {
  const runtime = createPipeline({
    env: { ...process.env, HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder },
    source: 'cli',
    sources: [{ path: join(folder, source) }],
  })
  try {
    const event = { tool_name: 'Shell', tool_input: { command: 'ls' }, work_dir: folder, session_id: 's' }
    const { decision, reason, hooks } = await runtime.fire('before_tool', event)
    return { decision, reason, cached: hooks[0]?.cached ?? false }
  } finally {
    runtime.close()
  }
}

const HOOK = '---\nname: a\ndescription: d\ntrigger: before_tool\ncache: 60\n'
const says = (decision: string) => `#!/bin/sh\necho '{"decision": "${decision}", "reason": "r"}'\n`

test('an answer is used again until the script, or a file beside it, is edited', async () => {
  write('a/HOOK.md', `${HOOK}---\n`)
  write('a/scripts/run.sh', says('allow'))
  expect([(await fire('a')).cached, (await fire('a')).cached]).toEqual([false, true])
  write('a/scripts/run.sh', says('deny'))
  expect(await fire('a')).toMatchObject({ decision: 'deny', cached: false })
  expect((await fire('a')).cached).toBe(true)
  write('a/scripts/words.txt', 'rm')
  expect((await fire('a')).cached).toBe(false)
})

test('a cached answer is used until a file that the command names is edited', async () => {
  write('a/HOOK.md', `${HOOK}run:\n  command: sh ./guard.sh\n---\n`)
  write('guard.sh', says('allow'))
  expect([(await fire('a')).cached, (await fire('a')).cached]).toEqual([false, true])
  write('guard.sh', says('deny'))
  expect(await fire('a')).toMatchObject({ decision: 'deny', cached: false })
})

test('an answer that holds a secret is not kept', async () => {
  write('a/HOOK.md', `${HOOK}---\n`)
  const token = `ghp_${'aB3'.repeat(12)}`
  write('a/scripts/run.sh', `#!/bin/sh\necho '{"decision": "allow", "reason": "${token}"}'\n`)
  expect([(await fire('a')).cached, (await fire('a')).cached]).toEqual([false, false])
})

test('an exit code other than 0 is not used again', async () => {
  write('a/HOOK.md', `${HOOK}---\n`)
  write('a/scripts/run.sh', '#!/bin/sh\necho no >&2\nexit 2\n')
  for (let i = 0; i < 2; i++)
    expect(await fire('a')).toEqual({ decision: 'deny', reason: 'no', cached: false })
})
