import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { RACY_MS } from '../src/config/fingerprint.ts'

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
      // One that hangs is ended, and has no status.
      timeout: 60_000,
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
  const fileOf = (name: string) => join(code, readdirSync(code)[0]!, name)
  const write = (name: string, bytes: Uint8Array) => writeFileSync(fileOf(name), bytes)
  return { home, code, call, kept, fileOf, write }
}

test('compiled code is cached once for the next calls', () => {
  const { call, kept } = place()
  call()
  const first = kept()
  expect(Object.keys(first)).toEqual(['claude-code', 'dialects-agenthooks-config', 'hot', 'hot-reading'])
  call()
  expect(kept()).toEqual(first)
})

test('a call that needs a chunk keeps that as well, with what it needed of the other files', () => {
  const { call, kept } = place('rm x', 'matcher:\n  does: delete\n')
  call()
  const first = kept()
  expect(Object.keys(first)).toEqual([
    'acts-acts',
    'claude-code',
    'dialects-agenthooks-config',
    'hot',
    'hot-reading',
  ])
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

test('compiled code of a program that was replaced long ago is removed', () => {
  const { code, call, kept } = place()
  mkdirSync(join(code, 'old'), { recursive: true })
  utimesSync(join(code, 'old'), 1_000_000, 1_000_000)
  call()
  expect(Object.keys(kept())).toEqual(['claude-code', 'dialects-agenthooks-config', 'hot', 'hot-reading'])
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

/** Bytes before what V8 made: see src/cli/launch.mjs. */
const MAC_BYTES = 32

/** What V8 takes for the compiled form of a file of the build: it compares no more than the length of the text. */
function forged(name: string, script: string): Buffer {
  const { length } = readFileSync(join(main, '..', `${name}.cjs`), 'latin1')
  return new Script(`(function(){${script}})`.padEnd(length)).createCachedData()
}

const ALLOWS = `process.stdout.write('{}');process.exit(0)`

test('V8 runs forged code where nothing proves it, so that the next test can fail', () => {
  const text = readFileSync(join(main, '../hot.cjs'), 'latin1')
  const script = new Script(text, { cachedData: forged('hot', 'return "forged"') })
  expect(script.cachedDataRejected).toBe(false)
  expect(script.runInThisContext()()).toBe('forged')
})

test('forged code does not run, whatever MAC it carries, and is replaced', () => {
  const { call, kept, write } = place()
  call()
  const { hot } = kept()
  const code = forged('hot', ALLOWS)
  const ofAnother = place()
  ofAnother.call()
  for (const mac of [
    Buffer.alloc(MAC_BYTES),
    hot!.subarray(0, MAC_BYTES),
    kept()['claude-code']!.subarray(0, MAC_BYTES),
    ofAnother.kept().hot!.subarray(0, MAC_BYTES),
  ]) {
    write('hot', Buffer.concat([mac, code]))
    call()
    expect(kept().hot!.includes(code)).toBe(false)
  }
})

test('compiled code of another file, or with the key of another state folder, is not used', () => {
  const { call, kept, write } = place()
  call()
  const own = kept()
  const ofAnother = place()
  ofAnother.call()
  for (const bytes of [own['claude-code']!, ofAnother.kept().hot!]) {
    write('hot', bytes)
    call()
    expect(kept().hot!.equals(bytes)).toBe(false)
  }
})

test('a pipe, a device, a folder or a link in place of what was kept keeps nobody waiting, and is not run', () => {
  const { home, call, fileOf } = place()
  call()
  const hot = fileOf('hot')
  const copy = join(home, 'copy')
  writeFileSync(copy, readFileSync(hot))
  const put: Record<string, () => void> = {
    pipe: () => void execFileSync('mkfifo', [hot]),
    device: () => symlinkSync('/dev/zero', hot),
    link: () => symlinkSync(copy, hot),
    folder: () => void mkdirSync(hot),
  }
  for (const [name, putThere] of Object.entries(put)) {
    rmSync(hot, { force: true })
    putThere()
    call()
    // A folder cannot be replaced by a file: it costs time, nothing else.
    if (name !== 'folder') expect({ name, isFile: statSync(hot).isFile() }).toEqual({ name, isFile: true })
  }
})

test('a key that others may read or write proves nothing: nothing is taken or kept with it', () => {
  const { home, call, fileOf, kept } = place()
  call()
  const key = join(home, '.local/state/crosshook/state.key')
  expect(statSync(key).size).toBe(32)
  const before = kept()
  rmSync(fileOf('hot'))
  chmodSync(key, 0o666)
  // Self-checks of crosshook refuse to work with such a key; here it matters only that nothing is kept by it.
  spawnSync(process.execPath, [main, 'hook', 'claude-code', 'PreToolUse'], {
    env: { HOME: home, PATH: process.env.PATH, CROSSHOOK_NO_DAEMON: '1' },
    input: payload('ls'),
    timeout: 60_000,
  })
  expect(Object.keys(kept())).toEqual(['claude-code', 'dialects-agenthooks-config', 'hot-reading'])
  chmodSync(key, 0o600)
  call()
  expect(Object.keys(kept())).toEqual(Object.keys(before))
})

test.for(['programs', 'reading'])(
  'without its part %s the program ends, and no call passes for a hook that failed',
  (part) => {
    const { home } = place()
    const dist = join(home, 'dist')
    for (const folder of ['cli', 'shared'])
      cpSync(join(main, '../..', folder), join(dist, folder), { recursive: true })
    const hook = join(home, '.config/agents/hooks/guard')
    writeFileSync(join(hook, 'HOOK.md'), '---\nname: guard\ndescription: Runs.\ntrigger: before_tool\n---\n')
    mkdirSync(join(hook, 'scripts'))
    writeFileSync(join(hook, 'scripts/run.sh'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    const call = () =>
      spawnSync(process.execPath, [join(dist, 'cli/main.cjs'), 'hook', 'claude-code', 'PreToolUse'], {
        env: { HOME: home, PATH: process.env.PATH, CROSSHOOK_NO_DAEMON: '1' },
        input: payload('ls'),
        encoding: 'utf8',
        timeout: 60_000,
      })
    expect(call()).toMatchObject({ status: 0, stderr: '' })
    const file = join(dist, `cli/hot-${part}.cjs`)
    writeFileSync(file, '')
    rmSync(join(home, '.cache'), { recursive: true })
    const { status, stdout, stderr } = call()
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(`${file} is damaged`)
  },
)

test.for([
  ['hook', 'claude-code', 'PreToolUse'],
  ['fire', 'before_tool', '--tool', 'Shell'],
])('%s loads no part of Node that takes milliseconds to load and that it does not use', async (args) => {
  const { home } = place()
  const list = join(home, 'loaded.txt')
  const preload = join(home, 'preload.cjs')
  writeFileSync(
    preload,
    `process.once('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join('\\n')))`,
  )
  const env = { HOME: home, PATH: process.env.PATH, CROSSHOOK_NO_DAEMON: '1' }
  // The plan of a hook that has just been written is not kept.
  const hook = join(home, '.config/agents/hooks/guard/HOOK.md')
  await expect.poll(() => Date.now() - statSync(hook).ctimeMs).toBeGreaterThan(RACY_MS)
  // The first call makes the key and keeps what was compiled; the list is of the second.
  for (let call = 1; call <= 2; call++)
    spawnSync(process.execPath, ['-r', preload, main, ...args], { env, input: payload('ls'), stdio: 'pipe' })
  const loaded = readFileSync(list, 'utf8').split('\n')
  expect(loaded).toContain('NativeModule vm')
  for (const slow of ['http', '_http_client', 'crypto', 'child_process', 'net', 'os'])
    expect(loaded).not.toContain(`NativeModule ${slow}`)
})
