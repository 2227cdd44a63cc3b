import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findHelper } from '../executors/confine/helper.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'

const helper = findHelper()
const works = helper !== undefined && spawnSync(helper, ['--level']).status === 0

let base: string
let project: string
let home: string
let pipeline: Pipeline

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'confine-'))
  ;[project, home] = ['project', 'home'].map((name) => join(base, name)) as [string, string]
  mkdirSync(project)
  mkdirSync(join(home, '.ssh'), { recursive: true })
  writeFileSync(join(home, '.ssh/id_rsa'), 'a key')
})
afterEach(() => {
  pipeline.close()
  rmSync(base, { recursive: true, force: true })
})

function guardWith(...outcomes: object[]): void {
  for (const [at, outcome] of outcomes.entries()) {
    const folder = join(home, `.config/agents/hooks/confine-${at}`)
    mkdirSync(folder, { recursive: true })
    const head = { name: `confine-${at}`, description: 'x', trigger: 'before_tool', outcome }
    writeFileSync(join(folder, 'HOOK.md'), `---\n${JSON.stringify(head)}\n---\n`)
  }
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_RUNTIME_DIR: join(base, 'run'),
    CROSSHOOK_MANAGED_DIR: join(base, 'none'),
  }
  pipeline = createPipeline({ env, source: 'cli' })
}

const fire = (command: unknown, tool_name = 'Shell') =>
  pipeline.fire('before_tool', { work_dir: project, tool_name, tool_input: { command, description: 'x' } })

const shell = (command: unknown) =>
  spawnSync('/bin/sh', ['-c', String(command)], {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', HOME: home },
  })

describe.runIf(works)('a hook that answers confine', () => {
  it('rewrites the command: it writes in the project, nowhere else, sees no keys and no network, and is told why', async () => {
    const server = createServer((socket) => socket.end())
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const { port } = server.address() as { port: number }
    guardWith({ confine: { write: ['project'] } })
    const line = `touch inside; touch ${home}/outside; cat ~/.ssh/id_rsa; exec 3<>/dev/tcp/127.0.0.1/${port}`
    const { decision, updated_input, confine } = await fire(line)
    expect([decision, confine, updated_input!.description]).toEqual(['allow', { write: ['project'] }, 'x'])
    const { stdout, stderr, status } = shell(updated_input!.command)
    server.close()
    expect([existsSync(join(project, 'inside')), existsSync(join(home, 'outside'))]).toEqual([true, false])
    expect(stdout).not.toContain('a key')
    expect(stderr).toMatch(
      /id_rsa: Permission denied.*socket: Operation not permitted.*ran confined \(writes only to project/s,
    )
    expect(status).toBe(1)
  })

  it('leaves what a command says and how it ends as they are', async () => {
    guardWith({ confine: { write: ['project'] } })
    const { updated_input } = await fire(`echo "it's $HOME"; echo 'a  b' >&2; exit 7`)
    expect(shell(updated_input!.command)).toMatchObject({
      status: 7,
      stdout: `it's ${home}\n`,
      stderr: expect.stringMatching(/^a {2}b\n/),
    })
    const quiet = await fire('true')
    expect(shell(quiet.updated_input!.command)).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })

  it('takes a program with its arguments too', async () => {
    guardWith({ confine: { write: ['project'] } })
    const { updated_input } = await fire(['touch', `${home}/outside`])
    const [program, ...args] = updated_input!.command as string[]
    expect(spawnSync(program!, args).status).toBe(1)
    expect(existsSync(join(home, 'outside'))).toBe(false)
  })

  it('gives, of what two hooks say, only what both give', async () => {
    guardWith(
      { confine: { write: ['project', 'temp'], connect: ['*'], otherwise: 'ask' } },
      { confine: { write: ['project'] } },
    )
    expect((await fire('ls')).confine).toEqual({ write: ['project'], connect: [] })
  })

  it('hides the places of keys as long as one of two hooks does', async () => {
    guardWith({ confine: { hide: [] } })
    expect(shell((await fire('cat ~/.ssh/id_rsa')).updated_input!.command).stdout).toBe('a key')
    guardWith({ confine: { hide: [] } }, { confine: {} })
    const { updated_input, confine } = await fire('cat ~/.ssh/id_rsa')
    expect(confine!.hide).toEqual(['keys'])
    expect(shell(updated_input!.command).stdout).toBe('')
  })

  it('never runs unconfined: what cannot be confined is refused, or asked about where the hook says so', async () => {
    guardWith({ confine: {} })
    expect(await fire('x', 'WriteFile')).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('only shell commands'),
      updated_input: null,
    })
    guardWith({ confine: { otherwise: 'ask' } })
    expect(await fire('x', 'WriteFile')).toMatchObject({ decision: 'ask', updated_input: null })
    guardWith({ confine: { connect: ['example.com'] } })
    expect(await fire('curl example.com')).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('no system confines'),
    })
  })

  it('is seen in the report: which hook asked for it, which program ran so, and why one did not run', async () => {
    const script = (name: string, sandbox: unknown) => {
      const folder = join(home, `.config/agents/hooks/${name}`)
      mkdirSync(join(folder, 'scripts'), { recursive: true })
      const head = { name, description: 'x', trigger: 'before_tool', sandbox }
      writeFileSync(join(folder, 'HOOK.md'), `---\n${JSON.stringify(head)}\n---\n`)
      writeFileSync(join(folder, 'scripts/run.sh'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    }
    script('plain', false)
    script('held', true)
    script('refused', { connect: ['example.com'] })
    guardWith({ confine: {} })
    const { hooks } = await fire('ls')
    const seen = hooks.map(({ name, confined, confines, error }) => [
      name,
      confined,
      confines,
      error?.includes('was not run'),
    ])
    expect(seen.toSorted()).toEqual([
      ['confine-0', undefined, true, undefined],
      ['held', true, undefined, false],
      ['plain', undefined, undefined, false],
      ['refused', undefined, undefined, true],
    ])
  })

  it.each(['run/crosshook/daemon.sock', 'run/crosshook', 'run', 'link'])(
    "reaches none of crosshook's own sockets, by which it would be taken for the person: %s",
    async (path) => {
      mkdirSync(join(base, 'run/crosshook'), { recursive: true })
      symlinkSync(join(base, 'run'), join(base, 'link'))
      guardWith({ confine: { connect: [`unix:${base}/${path}`] } })
      expect(await fire('ls')).toMatchObject({
        decision: 'deny',
        reason: expect.stringContaining("crosshook's own sockets"),
        updated_input: null,
      })
    },
  )

  it('has no effect beside a deny', async () => {
    guardWith({ confine: {} }, { decision: 'deny', reason: 'no' })
    expect(await fire('ls')).toMatchObject({ decision: 'deny', updated_input: null, confine: null })
  })
})
