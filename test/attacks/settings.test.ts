/** Settings that cannot be read may name guards: until they can, nothing passes as if there were none. */

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPipeline } from '../../src/pipeline/pipeline.ts'

let home: string
let file: string

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'settings-')))
  file = join(home, '.config/crosshook/config.toml')
  mkdirSync(join(home, '.config/crosshook'), { recursive: true })
  mkdirSync(join(home, 'guards/guard'), { recursive: true })
  writeFileSync(
    join(home, 'guards/guard/HOOK.md'),
    '---\nname: guard\ndescription: d\ntrigger: before_tool\noutcome: {decision: deny, reason: guarded}\n---\n',
  )
})
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }))

async function said(): Promise<string> {
  const env = { HOME: home, PATH: process.env.PATH, CROSSHOOK_MANAGED_DIR: join(home, 'none') }
  const pipeline = createPipeline({ source: 'hook', silent: true, env })
  const payload = { session_id: 's', tool_name: 'Bash', tool_input: { command: 'ls' } }
  const read = () => JSON.stringify(payload)
  return (await pipeline.handle({ agent: 'claude-code', event: 'PreToolUse', cwd: home, read })).stdout
}

const SOURCES = 'sources = ["../../guards"]\n'

it.each<[string, () => void]>([
  ['text that is no TOML', () => writeFileSync(file, `${SOURCES}x = = 1\n`)],
  ['text that was cut off', () => writeFileSync(file, SOURCES.slice(0, -4))],
  ['a source of which nobody knows what it is', () => writeFileSync(file, 'sources = [5]\n')],
  [
    'settings that everybody may write',
    () => {
      writeFileSync(file, SOURCES)
      chmodSync(file, 0o666)
    },
  ],
  [
    'a folder',
    () => {
      rmSync(file, { force: true })
      mkdirSync(file)
    },
  ],
])('%s in place of settings that name a guard refuses, in words', async (_, spoil) => {
  writeFileSync(file, SOURCES)
  expect(await said()).toContain('guarded')
  spoil()
  const told = await said()
  expect(told).toContain('"permissionDecision":"deny"')
  expect(told).toContain('config.toml')
  expect(told).toContain('the guards it names are unknown')
})

it('settings that name none lose none: the call goes on, and says what is wrong', async () => {
  writeFileSync(file, 'disabled = = 1\n')
  const told = await said()
  expect(told).not.toContain('"deny"')
  expect(told).toContain('config.toml')
})
