import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const main = join(import.meta.dirname, '../dist/cli/main.cjs')
const payload = (command: string) =>
  JSON.stringify({
    session_id: 's',
    cwd: tmpdir(),
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  })

/** With one guard, which denies `command`. */
function place(command = 'ls', matcher = '') {
  const home = mkdtempSync(join(tmpdir(), 'crosshook-launch-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const hook = join(home, '.config/agents/hooks/guard')
  mkdirSync(hook, { recursive: true })
  const rule = `trigger: before_tool\n${matcher}outcome:\n  decision: deny\n  reason: not here\n`
  writeFileSync(join(hook, 'HOOK.md'), `---\nname: guard\ndescription: Denies.\n${rule}---\n`)
  const code = join(home, '.cache/crosshook/code')
  const call = (...flags: string[]) => {
    const env = { HOME: home, PATH: process.env.PATH, CROSSHOOK_NO_DAEMON: '1' }
    const args = [...flags, main, 'hook', 'claude-code', 'PreToolUse']
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      env,
      input: payload(command),
      encoding: 'utf8',
    })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny')
  }
  const kept = () => {
    const [folder, ...others] = readdirSync(code)
    expect(others).toEqual([])
    const names = readdirSync(join(code, folder!)).sort()
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(code, folder!, name))]))
  }
  const write = (name: string, bytes: Uint8Array) =>
    writeFileSync(join(code, readdirSync(code)[0]!, name), bytes)
  return { code, call, kept, write }
}

test('what was compiled for a call is kept for the next ones, once', () => {
  const { call, kept } = place()
  call()
  const first = kept()
  expect(Object.keys(first)).toEqual(['claude-code', 'hot'])
  call()
  expect(kept()).toEqual(first)
})

test('a call that needs a chunk keeps that as well, with what it needed of the other files', () => {
  const { call, kept } = place('rm x', 'matcher:\n  does: delete\n')
  call()
  const first = kept()
  expect(Object.keys(first)).toEqual(['acts-acts', 'claude-code', 'hot'])
  call()
  expect(kept()).toEqual(first)
})

test('calls with other flags have a place of their own', () => {
  const { code, call } = place()
  const times = () => readdirSync(code).map((name) => [name, statSync(join(code, name, 'hot')).mtimeMs])
  call()
  call('--no-opt')
  const first = times()
  expect(first).toHaveLength(2)
  call()
  call('--no-opt')
  expect(times()).toEqual(first)
})

test('a spoilt file changes no answer and is replaced', () => {
  const { call, kept, write } = place()
  call()
  const { hot } = kept()
  for (const bytes of [Buffer.alloc(0), Buffer.from('nonsense'), hot!.subarray(0, hot!.length / 2)]) {
    write('hot', bytes)
    call()
    expect(kept().hot!.length).toBeGreaterThan(hot!.length / 2)
  }
})

test('what belongs to a program that was replaced long ago is removed', () => {
  const { code, call, kept } = place()
  mkdirSync(join(code, 'old'), { recursive: true })
  utimesSync(join(code, 'old'), 1_000_000, 1_000_000)
  call()
  expect(Object.keys(kept())).toEqual(['claude-code', 'hot'])
})

test('a cache folder that cannot be made changes no answer', () => {
  const { code, call } = place()
  mkdirSync(join(code, '..'), { recursive: true })
  writeFileSync(code, 'a file where the folder should be')
  call()
})

test('a flipped bit in what is kept changes no answer and is mended', () => {
  const { call, kept, write } = place()
  call()
  const whole = kept()
  for (const at of [3, 6, 40, 5000, whole.hot!.length - 1]) {
    const spoilt = Buffer.from(whole.hot!)
    spoilt[at]! ^= 0x10
    write('hot', spoilt)
    call()
    expect(kept().hot!.equals(spoilt)).toBe(false)
  }
})
