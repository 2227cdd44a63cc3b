/** Agents that call the daemon over HTTP: into their settings, through a life of the daemon, and out again. */

import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calledBefore } from '../compile-cache.ts'

const PROGRAM = process.env.CROSSHOOK_PROGRAM ?? join(import.meta.dirname, '../../bin/crosshook')

let base: string
let home: string
let project: string
let settings: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'crosshook-http-'))
  home = join(base, 'home')
  project = join(base, 'project')
  settings = join(home, '.claude/settings.json')
  for (const folder of [project, dirname(settings)]) mkdirSync(folder, { recursive: true })
  chmodSync(dirname(settings), 0o755)
  writeFileSync(settings, '{\n  // mine\n  "model": "opus"\n}\n', { mode: 0o644 })
  const guard = join(home, '.config/agents/hooks/no-deploy')
  mkdirSync(guard, { recursive: true })
  writeFileSync(
    join(guard, 'HOOK.md'),
    '---\nname: no-deploy\ndescription: Not for agents.\ntrigger: before_tool\nmatcher:\n  tool: Shell\n  command: "^deploy"\noutcome:\n  decision: deny\n  reason: GUARD\n---\n',
  )
})

afterEach(async () => {
  await crosshook(['daemon', 'stop'])
  rmSync(base, { recursive: true, force: true })
})

interface Printed {
  stdout: string
  stderr: string
  code: number
}

function crosshook(args: string[], { input = '', env = {} as NodeJS.ProcessEnv } = {}): Promise<Printed> {
  return new Promise((resolve) => {
    const given = calledBefore({ PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, ...env })
    const child = execFile(PROGRAM, args, { cwd: project, env: given }, (error, stdout, stderr) =>
      resolve({ stdout, stderr, code: Number(error?.code ?? 0) }),
    )
    child.stdin!.on('error', () => {}).end(input)
  })
}

const mode = (path: string) => statSync(path).mode & 0o777

interface Entry {
  type: string
  url?: string
  headers?: Record<string, string>
}

function entryOf(event: string): Entry {
  // The comment is the only thing that JSON does not know.
  const text = readFileSync(settings, 'utf8').replace(/\/\/ mine/, '')
  return (JSON.parse(text) as { hooks: Record<string, { hooks: Entry[] }[]> }).hooks[event]![0]!.hooks[0]!
}

function prompt(event: string): string {
  return JSON.stringify({ hook_event_name: event, session_id: 's', cwd: project, prompt: 'hi' })
}

async function callTool(command: string): Promise<{ status: number; text: string }> {
  const { url, headers } = entryOf('PreToolUse')
  const body = JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: project,
    tool_name: 'Bash',
    tool_input: { command },
  })
  const answer = await fetch(url!, { method: 'POST', body, headers: { ...headers, 'X-Crosshook-Depth': '' } })
  return { status: answer.status, text: await answer.text() }
}

describe('install --http', { timeout: 60_000 }, () => {
  it('writes URLs and commands, hides the token, fixes the address, starts the daemon, and undoes it to the byte', async () => {
    const before = readFileSync(settings)
    const planned = await crosshook(['install', 'claude-code', '--http', '--dry-run'])
    expect(planned.stdout).toMatch(/\+http = "127\.0\.0\.1:\d+"/)
    expect(planned.stdout).toContain('/v1/agents/claude-code/PreToolUse')
    expect(readdirSync(join(home, '.config'))).toEqual(['agents'])
    const { stdout, code } = await crosshook(['install', 'claude-code', '--http', '--yes'])
    expect(code).toBe(0)
    const token = readFileSync(join(home, '.local/state/crosshook/daemon.events-token'), 'utf8').trim()
    const config = readFileSync(join(home, '.config/crosshook/config.toml'), 'utf8')
    const [, address] = /^\[daemon\]\nhttp = "(127\.0\.0\.1:\d+)"\n$/.exec(config)!
    expect(stdout).toContain(`the daemon listens at ${address} from now on`)
    expect(entryOf('PreToolUse')).toMatchObject({
      type: 'http',
      url: `http://${address}/v1/agents/claude-code/PreToolUse`,
      headers: { Authorization: `Bearer ${token}` },
      onFailure: 'block',
    })
    for (const event of ['SessionStart', 'UserPromptSubmit']) expect(entryOf(event).type).toBe('command')
    expect([mode(settings), mode(dirname(settings))]).toEqual([0o600, 0o700])
    expect(await callTool('deploy now')).toMatchObject({
      status: 200,
      text: expect.stringContaining('GUARD'),
    })
    const again = await crosshook(['install', 'claude-code', '--http', '--dry-run'])
    expect(again.stdout).toBe('There is nothing to change.\n')
    const back = await crosshook(['install', 'claude-code', '--dry-run', '--json'])
    expect(planned.stdout + stdout + back.stdout).not.toContain(token)
    await crosshook(['uninstall'])
    expect(readFileSync(settings).equals(before)).toBe(true)
    expect([mode(settings), mode(dirname(settings))]).toEqual([0o644, 0o755])
    expect((await crosshook(['daemon', 'stop'])).stdout).toBe('The daemon has stopped.\n')
  })

  it('goes back to commands, which need no daemon and hide nothing', async () => {
    await crosshook(['install', 'claude-code', '--http', '--yes'])
    await crosshook(['install', 'claude-code', '--yes'])
    expect(entryOf('PreToolUse').type).toBe('command')
    expect([mode(settings), mode(dirname(settings))]).toEqual([0o644, 0o755])
    expect(existsSync(join(home, '.local/state/crosshook/install/over-http.json'))).toBe(false)
  })

  it('says which agents have no URLs and installs them as commands', async () => {
    const { stdout, code } = await crosshook(['install', 'gemini-cli', 'copilot', '--http', '--yes'])
    expect(code).toBe(0)
    expect(stdout).toContain('Gemini CLI has no HTTP hooks: installed as commands.')
    expect(stdout).toMatch(/Copilot CLI has HTTP hooks, but .*: installed as commands\./)
    expect((await crosshook(['daemon', 'status'])).stdout).toBe('No daemon is running.\n')
  })

  it('puts no token where others get it', async () => {
    const shared = await crosshook(['install', 'claude-code', '--http', '--project', '--yes'])
    expect(shared).toMatchObject({ code: 1, stderr: expect.stringContaining('do not go together') })
    execFileSync('git', ['init', '-q', home])
    const tracked = await crosshook(['install', 'claude-code', '--http', '--yes'])
    expect(tracked).toMatchObject({ code: 1, stdout: expect.stringContaining('is in the git repository') })
    expect(readFileSync(settings, 'utf8')).not.toContain('Bearer')
    expect((await crosshook(['daemon', 'status'])).stdout).toBe('No daemon is running.\n')
    writeFileSync(join(home, '.gitignore'), '.claude/\n')
    expect((await crosshook(['install', 'claude-code', '--http', '--yes'])).code).toBe(0)
  })

  it('refuses where the agent could not reach the daemon', async () => {
    const forbidden = await crosshook(['install', 'claude-code', '--http', '--yes'], {
      env: { CROSSHOOK_NO_DAEMON: '1' },
    })
    expect(forbidden).toMatchObject({ code: 1, stderr: expect.stringContaining('CROSSHOOK_NO_DAEMON=1') })
    const env = { HTTPS_PROXY: 'http://proxy.example.com:3128', NO_PROXY: 'localhost' }
    const proxied = await crosshook(['install', 'claude-code', '--http', '--yes'], { env })
    expect(proxied).toMatchObject({ code: 1, stderr: expect.stringContaining('Add 127.0.0.1 to NO_PROXY') })
    expect(readFileSync(settings, 'utf8')).not.toContain('hooks')
  })
})

describe('an agent over HTTP', { timeout: 60_000 }, () => {
  it('is told by doctor, and by its next session, when the daemon is not there', async () => {
    await crosshook(['install', 'claude-code', '--http', '--yes'])
    expect((await crosshook(['doctor', 'claude-code'])).stdout).toContain('All is well.')
    const stopped = await crosshook(['daemon', 'stop'])
    expect(stopped.stdout).toContain('claude-code calls it over HTTP')
    const down = await crosshook(['doctor', 'claude-code'])
    expect(down.code).toBe(1)
    expect(down.stdout).toContain('The daemon is not running')
    expect(down.stdout).toMatch(/PreToolUse +broken +http:.* does not answer/)
    expect((await crosshook(['daemon', 'status'])).stdout).toBe('No daemon is running.\n')
    await crosshook(['hook', 'claude-code', 'SessionStart'], { input: prompt('SessionStart') })
    expect(await callTool('deploy now')).toMatchObject({ text: expect.stringContaining('GUARD') })
    expect((await crosshook(['doctor', 'claude-code'])).stdout).toContain('All is well.')
  })

  it('takes no prompt when the daemon is elsewhere, has another token, or cannot be started', async () => {
    await crosshook(['install', 'claude-code', '--http', '--yes'])
    const ask = async () =>
      (await crosshook(['hook', 'claude-code', 'UserPromptSubmit'], { input: prompt('UserPromptSubmit') }))
        .stdout
    expect(await ask()).toBe('')
    const { port } = new URL(entryOf('PreToolUse').url!)
    await crosshook(['daemon', 'stop'])
    await crosshook(['daemon', 'start', '--http', '127.0.0.1:0'])
    expect(JSON.parse(await ask())).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(/listens at/),
    })
    expect((await crosshook(['doctor', 'claude-code'])).stdout).toContain('but the agent calls')
    await crosshook(['daemon', 'stop'])
    rmSync(join(home, '.local/state/crosshook/daemon.events-token'))
    expect(JSON.parse(await ask()).reason).toContain('Write it again: crosshook install claude-code --http')
    expect((await callTool('ls')).status).toBe(401)
    expect((await crosshook(['doctor', 'claude-code'])).stdout).toContain('is not the one of the daemon')
    await crosshook(['install', 'claude-code', '--http', '--yes'])
    expect(await ask()).toBe('')
    await crosshook(['daemon', 'stop'])
    const other = createServer((_request, response) => response.end('{}'))
    await new Promise<void>((ready) => other.listen(Number(port), '127.0.0.1', ready))
    expect(JSON.parse(await ask()).reason).toMatch(/cannot be started: .*EADDRINUSE/)
    const start = await crosshook(['hook', 'claude-code', 'SessionStart'], { input: prompt('SessionStart') })
    expect(JSON.parse(start.stdout)).toMatchObject({
      systemMessage: expect.stringContaining('cannot guard this session'),
      hookSpecificOutput: { additionalContext: expect.stringContaining('cannot guard this session') },
    })
    other.closeAllConnections()
    await new Promise((done) => other.close(done))
    expect(await ask()).toBe('')
    const env = { http_proxy: 'http://proxy.example.com:3128' }
    const proxied = await crosshook(['hook', 'claude-code', 'UserPromptSubmit'], {
      input: prompt('UserPromptSubmit'),
      env,
    })
    expect(JSON.parse(proxied.stdout).reason).toContain('NO_PROXY')
  })

  it('has its token watched over', async () => {
    await crosshook(['install', 'claude-code', '--http', '--yes'])
    // As an agent does that writes its settings anew.
    chmodSync(settings, 0o644)
    expect((await crosshook(['doctor', 'claude-code'])).stdout).toContain('All is well.')
    chmodSync(dirname(settings), 0o755)
    expect((await crosshook(['doctor', 'claude-code'])).stdout).toContain(
      'Other users of this machine can read',
    )
    const mine = await crosshook(['verify'])
    expect(mine.stdout).toContain('no hook entry that you do not know of')
    writeFileSync(
      settings,
      readFileSync(settings, 'utf8').replace(
        /127\.0\.0\.1:\d+(\/v1\/agents\/claude-code\/PreToolUse")/,
        '10.0.0.1:80$1',
      ),
    )
    expect((await crosshook(['verify'])).stdout).toContain(
      'http://10.0.0.1:80/v1/agents/claude-code/PreToolUse',
    )
  })
})
