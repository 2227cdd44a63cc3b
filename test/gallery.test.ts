/** Every hook of the gallery does what its cases say, loads without a problem, and is in the table of the README. */

import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSource } from '../src/config/load.ts'
import { confinementLevel } from '../src/executors/confine/level.ts'
import { assemble } from '../src/host/assemble.ts'
import { runCases, runHook } from '../src/testing.ts'

const gallery = fileURLToPath(new URL('../gallery', import.meta.url))
const names = readdirSync(gallery, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

describe('the gallery', () => {
  it.each(names)('%s does what its cases say', { timeout: 120_000 }, async (name) => {
    const results = await runCases(join(gallery, name))
    const wrong = results.filter(({ passed }) => !passed)
    expect(wrong.map(({ name: what, differences }) => ({ what, differences }))).toEqual([])
  })

  it('loads without an error or a warning, each hook under the name of its folder', async () => {
    const { hooks, problems } = await readSource({ path: gallery }, 'source')
    expect(problems).toEqual([])
    expect(hooks.map(({ name }) => name)).toEqual(names.toSorted())
  })

  it('names only hooks of its own as companions', async () => {
    const { hooks } = await readSource({ path: gallery }, 'source')
    const companions = hooks.flatMap(({ metadata }) => (metadata?.goes_with ?? []) as string[])
    expect(companions.filter((name) => !names.includes(name))).toEqual([])
  })

  it('has each hook in the table of its README, with the event that the hook is for', async () => {
    const rows = [
      ...readFileSync(join(gallery, 'README.md'), 'utf8').matchAll(
        /^\| \[([\w-]+)\]\(\1\/HOOK\.md\) \| (\w+) /gm,
      ),
    ].map(([, name, event]) => [name, event])
    const { hooks } = await readSource({ path: gallery }, 'source')
    expect(rows.toSorted()).toEqual(hooks.map(({ name, events }) => [name, events[0]]).toSorted())
  })
})

describe.runIf(confinementLevel().confines)('confinement in the gallery', () => {
  let folder: string
  beforeAll(() => {
    // Not below /tmp, where everybody may write.
    folder = realpathSync(mkdtempSync(join(fileURLToPath(new URL('..', import.meta.url)), '.confine-')))
    mkdirSync(join(folder, 'home/.ssh'), { recursive: true })
    mkdirSync(join(folder, 'project'))
    execFileSync('git', ['init', '-q', join(folder, 'project')])
    mkdirSync(join(folder, 'project/sub'))
    writeFileSync(join(folder, 'home/.ssh/id_rsa'), 'the key')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('holds every hook that starts a program, but those that say why not', async () => {
    const { hooks } = await readSource({ path: gallery }, 'source')
    const free = hooks.filter(({ run, sandbox }) => run.type === 'command' && !sandbox)
    expect(free.map(({ name }) => name)).toEqual(['notify', 'notify-done', 'quality-gate'])
  })

  it('is there when cases are run: the same hook cannot write where its sandbox does not say', async () => {
    cpSync(join(gallery, 'metrics'), join(folder, 'metrics'), { recursive: true })
    const definition = join(folder, 'metrics/HOOK.md')
    writeFileSync(definition, readFileSync(definition, 'utf8').replace('async: true\n', ''))
    const write = async (path: string) => {
      const env = { HOME: join(folder, 'home'), METRICS_FILE: join(folder, 'home', path) }
      const event = { event_type: 'after_tool', work_dir: join(folder, 'project'), tool_name: 'Shell' }
      await runHook(join(folder, 'metrics'), { ...event, tool_input: {} }, { env })
      return existsSync(join(folder, 'home', path))
    }
    expect(await write('.local/state/agents/other.jsonl')).toBe(true)
    expect(await write('other.jsonl')).toBe(false)
  })

  it.each([
    ['confine-shell', ''],
    ['confine-unknown', 'eval "$NOTHING"; '],
  ])('%s: the command writes in the repository only, sees no key and no network', async (name, first) => {
    const server = createServer((socket) => socket.end('reached'))
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const { port } = server.address() as { port: number }
    const home = join(folder, 'home')
    const line = `${first}touch inside ../beside; touch ~/outside; cat ~/.ssh/id_rsa; echo hi >/dev/tcp/127.0.0.1/${port}`
    const env = { PATH: process.env.PATH, HOME: home, CROSSHOOK_MANAGED_DIR: join(folder, 'none') }
    const runtime = assemble({
      source: 'library',
      sources: [{ path: join(gallery, name) }],
      env,
      silent: true,
    })
    const { updated_input } = await runtime.fire('before_tool', {
      work_dir: join(folder, 'project/sub'),
      tool_name: 'Shell',
      tool_input: { command: line },
    })
    const run = (command: unknown) =>
      spawnSync('/bin/bash', ['-c', String(command)], {
        cwd: join(folder, 'project/sub'),
        env: { PATH: '/usr/bin:/bin', HOME: home },
        encoding: 'utf8',
      })
    const { stdout, stderr } = run(updated_input?.command)
    const made = () =>
      ['project/sub/inside', 'project/beside', 'home/outside'].map((file) => existsSync(join(folder, file)))
    expect(made()).toEqual([true, true, false])
    expect(stdout).toBe('')
    expect(stderr).toMatch(/outside.*id_rsa.*socket.*ran confined \(writes only to project, temp/s)
    const free = run(line)
    server.close()
    await runtime.close()
    expect([made()[2], free.stdout]).toEqual([true, 'the key'])
    for (const file of ['project/sub/inside', 'project/beside', 'home/outside']) rmSync(join(folder, file))
  })
})

describe('hooks that look at a repository', () => {
  let folder: string
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-C', folder, ...args], {
      encoding: 'utf8',
    })
  const commit = (command: string) =>
    runHook(join(gallery, 'no-commit-of-secrets'), {
      event_type: 'before_tool',
      work_dir: folder,
      tool_name: 'Shell',
      tool_input: { command },
    })
  const token = `ghp_${'a'.repeat(36)}`

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'crosshook-gallery-')))
    git('init', '-q', '-b', 'main')
    writeFileSync(join(folder, 'a.txt'), 'one\n')
    git('add', 'a.txt')
    git('commit', '-q', '-m', 'first')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('a commit without secrets is let through, one with a staged secret is not', async () => {
    writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n')
    git('add', 'a.txt')
    expect(await commit('git commit -m x')).toMatchObject({ decision: 'allow' })
    writeFileSync(join(folder, 'b.txt'), `token = ${token}\n`)
    git('add', 'b.txt')
    const { decision, reason } = await commit('git commit -m x')
    expect(decision).toBe('deny')
    expect(reason).toContain('b.txt has a GitHub token')
    expect(reason).not.toContain(token)
    const elsewhere = await runHook(join(gallery, 'no-commit-of-secrets'), {
      event_type: 'before_tool',
      work_dir: join(folder, '..'),
      tool_name: 'Shell',
      tool_input: { command: `cd ${basename(folder)} && git commit -m x` },
    })
    expect(elsewhere).toMatchObject({ decision: 'deny' })
    git('rm', '-q', '--cached', 'b.txt')
    rmSync(join(folder, 'b.txt'))
  })

  it('a commit is blocked where git cannot read the repository', async () => {
    const work_dir = join(folder, 'broken')
    mkdirSync(work_dir)
    writeFileSync(join(work_dir, '.git'), 'gitdir: nowhere\n')
    const { decision, reason } = await runHook(join(gallery, 'no-commit-of-secrets'), {
      event_type: 'before_tool',
      work_dir,
      tool_name: 'Shell',
      tool_input: { command: 'git commit -m x' },
    })
    rmSync(work_dir, { recursive: true })
    expect([decision, reason]).toEqual(['deny', expect.stringContaining('git cannot read the repository')])
  })

  it('with -a every change counts, without it only what is staged', async () => {
    writeFileSync(join(folder, 'a.txt'), `one\ntwo\n${token}\n`)
    expect(await commit('git commit -m x')).toMatchObject({ decision: 'allow' })
    expect(await commit('git commit -am x')).toMatchObject({ decision: 'deny' })
    git('checkout', '-q', '--', 'a.txt')
  })

  it('a new file of secrets is found when the same line adds it', async () => {
    writeFileSync(join(folder, '.env'), 'A=1\n')
    expect(await commit('git add . && git commit -m x')).toMatchObject({ decision: 'deny' })
    rmSync(join(folder, '.env'))
  })

  it('the model is told branch, changes and last commits', async () => {
    git('commit', '-q', '-m', 'second')
    writeFileSync(join(folder, 'new.txt'), '')
    const { additional_context: context } = await runHook(join(gallery, 'context-from-git'), {
      event_type: 'session_start',
      work_dir: folder,
    })
    expect(context.join('\n')).toMatch(
      /^Git branch: main\n1 changed files:\n\?\? new\.txt\nLast commits:\n\w+ second\n\w+ first$/,
    )
  })
})
