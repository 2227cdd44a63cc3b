/** A project's guards hold wherever the agent works: in a subfolder, in a repository inside it, in another folder. */

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadHookSet } from '../../src/config/load.ts'
import { paths } from '../../src/config/paths.ts'
import { openTrust } from '../../src/config/trust.ts'
import { createPipeline } from '../../src/pipeline/pipeline.ts'

let root: string
let project: string
let env: NodeJS.ProcessEnv

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'project-')))
  project = join(root, 'home/work/project')
  env = { HOME: join(root, 'home'), PATH: process.env.PATH, CROSSHOOK_MANAGED_DIR: join(root, 'managed') }
  put('home/work/project/.agents/hooks/guard/HOOK.md', guard('guard', 'outer'))
})
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }))

function put(path: string, text: string): string {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const guard = (name: string, reason: string) =>
  `---\nname: ${name}\ndescription: d\ntrigger: before_tool\nmatcher: {tool: Shell}\noutcome: {decision: deny, reason: ${reason}}\n---\n`

async function trustIn(workDir: string): Promise<void> {
  const { hooks } = await loadHookSet({ env, workDir, fresh: true })
  const trust = openTrust(paths(env).state, false)
  for (const hook of hooks) if (hook.scope === 'project') trust.trust(hook)
}

const found = async (workDir: string) =>
  (await loadHookSet({ env, workDir })).hooks.map(({ name, scope }) => `${scope}:${name}`)

const folder = (path: string) => {
  mkdirSync(join(root, path), { recursive: true })
  return join(root, path)
}

describe('the hooks of a project', () => {
  it('are found from every folder in it, with and without a repository', async () => {
    const deep = folder('home/work/project/a/b/c')
    expect(await found(deep)).toEqual(['project:guard'])
    folder('home/work/project/.git')
    expect(await found(deep)).toEqual(['project:guard'])
    expect(await found(project)).toEqual(['project:guard'])
  })

  it('are added to by those of a folder inside it', async () => {
    put('home/work/project/a/.agents/hooks/inner/HOOK.md', guard('inner', 'inner'))
    expect(await found(folder('home/work/project/a/b'))).toEqual(['project:guard', 'project:inner'])
    expect(await found(project)).toEqual(['project:guard'])
  })

  it('are not those of a folder around the repository, of the home folder, or of one that everybody may write to', async () => {
    put('home/work/.agents/hooks/around/HOOK.md', guard('around', 'x'))
    put('home/.agents/hooks/home/HOOK.md', guard('home', 'x'))
    put('.agents/hooks/above/HOOK.md', guard('above', 'x'))
    expect(await found(project)).toEqual(['project:around', 'project:guard'])
    folder('home/work/project/.git')
    expect(await found(join(project, 'sub'))).toEqual(['project:guard'])
    expect(await found(env.HOME!)).toEqual(['project:home'])
  })

  it('stay those of a repository whose folders everybody may write to', async () => {
    const deep = folder('home/work/project/a/b')
    for (const open of ['home/work/project', 'home/work/project/a']) chmodSync(join(root, open), 0o777)
    expect(await found(deep)).toEqual([])
    folder('home/work/project/.git')
    expect(await found(deep)).toEqual(['project:guard'])
    // As /tmp is: whoever likes puts a repository and hooks there.
    chmodSync(project, 0o1777)
    expect(await found(folder('home/work/project/a/c'))).toEqual([])
  })

  it('are read again when a repository or hooks appear above the folder', async () => {
    put('home/work/.agents/hooks/around/HOOK.md', guard('around', 'x'))
    const deep = folder('home/work/project/a/b')
    for (let i = 0; i < 3; i++) {
      expect(await found(deep)).toEqual(['project:around', 'project:guard'])
      folder('home/work/project/.git')
      put('home/work/project/.git/index', String(i))
      expect(await found(deep)).toEqual(['project:guard'])
      put('home/work/project/a/.agents/hooks/inner/HOOK.md', guard('inner', 'x'))
      expect(await found(deep)).toEqual(['project:guard', 'project:inner'])
      rmSync(join(project, 'a/.agents'), { recursive: true })
      rmSync(join(project, '.git'), { recursive: true })
    }
  })
})

describe('a session', () => {
  const call = async (cwd: string, payload: Record<string, unknown> = {}) => {
    const pipeline = createPipeline({ env, source: 'hook', silent: true })
    const shell = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } }
    const read = () => JSON.stringify({ session_id: 'one', ...shell, cwd, ...payload })
    const { stdout } = await pipeline
      .handle({ agent: 'claude-code', read, cwd })
      .finally(() => pipeline.close())
    return /outer|inner/.exec(stdout)?.[0] ?? 'allowed'
  }
  const begin = { hook_event_name: 'SessionStart' }

  beforeEach(() => trustIn(project))

  it.each([
    ['a subfolder', 'home/work/project/a'],
    ['a folder outside', 'elsewhere'],
    ['a repository inside the project', 'home/work/project/vendor'],
  ])('keeps the guards of the folder where it began when the agent goes to %s', async (_, path) => {
    folder('home/work/project/vendor/.git')
    const there = folder(path)
    await call(project, begin)
    expect(await call(project)).toBe('outer')
    expect(await call(there)).toBe('outer')
  })

  it.each(['resume', 'compact', 'clear'])('keeps them through a %s elsewhere', async (source) => {
    const elsewhere = folder('elsewhere')
    await call(project, { ...begin, source: 'startup' })
    await call(elsewhere, { ...begin, source })
    expect(await call(elsewhere)).toBe('outer')
  })

  it('that begins in another folder has the guards of that one', async () => {
    const elsewhere = folder('elsewhere')
    await call(project, begin)
    expect(await call(elsewhere, { session_id: 'two' })).toBe('allowed')
    await call(elsewhere, begin)
    expect(await call(elsewhere)).toBe('allowed')
  })

  it('does not lose them to a forged note of where it began', async () => {
    const elsewhere = folder('elsewhere')
    await call(project, begin)
    const { sha256Hex } = await import('../../src/fast/digest.ts')
    const note = join(paths(env).state, 'sessions', sha256Hex('one').slice(0, 32), 'start')
    expect(readFileSync(note, 'utf8')).toContain(project)
    writeFileSync(note, readFileSync(note, 'utf8').replace(project, elsewhere))
    // In doubt the folder of the event counts; a note that is not proven counts for nothing.
    expect(await call(project)).toBe('outer')
  })
})
