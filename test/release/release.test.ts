/** The published packages, as npm brings them onto a machine: with the relay of its platform, and without. */

import { execFile, spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { packageOf, TARGETS } from '../../relay/targets.ts'
import { packMain, packRelay, publishedManifest, relayManifest } from '../../tools/packages.ts'
import { calledBefore } from '../compile-cache.ts'
import { type Published, type Registry, startRegistry } from '../stand-in-registry.ts'

const root = join(import.meta.dirname, '../..')
const own = { os: process.platform, cpu: process.arch } as (typeof TARGETS)[number]
const relayPackage = `@crosshook/${packageOf(own)}`
/** The relay of this checkout, or one that was built for release. */
const program = process.env.CROSSHOOK_TEST_RELAY ?? join(root, 'dist/relay/crosshook-relay')
const isReleased = TARGETS.some(({ os, cpu }) => os === own.os && cpu === own.cpu) && existsSync(program)

let base: string
let place: string
let tarballs: { main: string; relay: string }
let registry: Registry

beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'xh-')))
  if (!isReleased) return
  tarballs = { main: packMain(base), relay: packRelay(own, program, base) }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Parameters<
    typeof publishedManifest
  >[0]
  const relays = TARGETS.map(
    (target): Published => ({
      manifest: relayManifest(target),
      tarball: () => readFileSync(target.os === own.os && target.cpu === own.cpu ? tarballs.relay : ''),
    }),
  )
  registry = await startRegistry([
    { manifest: publishedManifest(manifest), tarball: () => readFileSync(tarballs.main) },
    ...relays,
  ])
})
afterAll(() => {
  registry?.close()
  rmSync(base, { recursive: true, force: true, maxRetries: 5 })
})
beforeEach(() => {
  place = mkdtempSync(join(base, 'p'))
  for (const folder of ['home/.claude', 'project', 'app']) mkdirSync(join(place, folder), { recursive: true })
  // An engine whose socket is gone ends by itself.
  return () => rmSync(place, { recursive: true, force: true, maxRetries: 5 })
})

describe('the packed packages', () => {
  it('name every relay at their own version, and nothing that only the repository needs', () => {
    const manifest = publishedManifest({
      name: 'crosshook',
      version: '1.2.3',
      license: 'x',
      scripts: {},
      workspaces: [],
      allowScripts: {},
    })
    expect(manifest).toEqual({
      name: 'crosshook',
      version: '1.2.3',
      license: 'x',
      optionalDependencies: Object.fromEntries(
        TARGETS.map((target) => [`@crosshook/${packageOf(target)}`, '1.2.3']),
      ),
    })
  })

  it.skipIf(!isReleased)('hold no program of the machine that packed them, nor its paths', () => {
    const { stdout } = spawnSync('tar', ['-tzf', tarballs.main], { encoding: 'utf8' })
    expect(stdout).toContain('package/dist/cli/main.cjs\n')
    expect(stdout.split('\n').filter((path) => /crosshook-relay|\.cold/.test(path))).toEqual([])
  })
})

describe.skipIf(!isReleased)('npm install', () => {
  it('of crosshook brings the relay of this platform alone, and agents call it', async () => {
    await npm('install', '--global', '--prefix', join(place, 'app'), 'crosshook')
    expect([...registry.fetched].filter((name) => name.startsWith('@crosshook/'))).toEqual([relayPackage])
    const installed = join(place, 'app/lib/node_modules/crosshook')
    await provesRelay(join(installed, 'node_modules', relayPackage), join(place, 'app/bin/crosshook'))
  })

  it('of the tarballs does the same', async () => {
    const modules = join(await withTarballs(), 'node_modules')
    expect(readdirSync(join(modules, '@crosshook'))).toEqual([packageOf(own)])
    await provesRelay(join(modules, relayPackage), join(modules, '.bin/crosshook'))
  })

  it('brings one package beside the relay, at most 15 MB, and a library that needs no other', async () => {
    const app = await withTarballs()
    const modules = join(app, 'node_modules')
    const packages = globSync('{@*/*,[!@.]*}/package.json', { cwd: modules })
    expect(packages.sort()).toEqual([`${relayPackage}/package.json`, 'crosshook/package.json'])
    const files = globSync('**', { cwd: modules, withFileTypes: true }).filter((entry) => entry.isFile())
    const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
    expect(bytes).toBeLessThan(15_000_000)
    expect(readFileSync(join(modules, 'crosshook/dist/LICENCES.txt'), 'utf8')).toMatch(
      /^undici \d+.* \(MIT\)$/m,
    )

    writeFileSync(join(app, 'program.mts'), PROGRAM)
    const { stdout } = await promisify(execFile)(process.execPath, [join(app, 'program.mts')], {
      cwd: app,
      env: environment(),
    })
    expect(JSON.parse(stdout)).toEqual({
      direct: 'deny',
      loaded: 'deny',
      words: 'one script',
      client: 'function',
    })
    const tsc = [
      join(root, 'node_modules/typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
    ]
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node', 'program.mts']
    await promisify(execFile)(process.execPath, [...tsc, ...types], { cwd: app }).catch((error) => {
      throw new Error(error.stdout)
    })
  })

  it('where no relay is to be had goes well, agents start Node, and doctor says so', async () => {
    const without = await startRegistry([])
    onTestFinished(() => without.close())
    await npm('install', '--prefix', join(place, 'app'), tarballs.main, '--registry', without.url)
    const modules = join(place, 'app/node_modules')
    expect(existsSync(join(modules, '@crosshook'))).toBe(false)
    const crosshook = join(modules, '.bin/crosshook')
    const entry = await installedEntry(crosshook)
    const file = join(place, 'home/.local/state/crosshook/install/entries/claude-code.entry')
    expect(readFileSync(file, 'utf8')).toContain(join(modules, 'crosshook/dist/cli/main.cjs'))
    expect((await run(crosshook, ['doctor'])).stdout).toContain(
      `start Node each time: there is no relay for ${own.os} ${own.cpu} (${relayPackage} is not installed)`,
    )
    expect(deniedBy(entry)).toContain('not here')
  })
})

/** Uses each entry point, with hooks that need the bundled parser, pattern engine, expression language and YAML reader. */
const PROGRAM = `
import { mkdirSync, writeFileSync } from 'node:fs'
import { createHooks, loadHooks } from 'crosshook'
import { CrosshookClient } from 'crosshook/client'
import { EVENT_NAMES } from 'crosshook/spec'
import { runHook } from 'crosshook/testing'

const hooks = createHooks()
hooks.on('before_tool', () => ({ decision: 'deny', reason: 'no' }), { matcher: { command: '^rm (?i)-RF' } })
const direct = await hooks.fire('before_tool', { tool_name: 'Shell', tool_input: { command: 'sudo rm -rf x' } })
const folder = '.agents/hooks/guard'
mkdirSync(folder + '/scripts', { recursive: true })
const head = '---\\nname: guard\\ndescription: A guard.\\ntrigger: before_tool\\n'
writeFileSync(folder + '/HOOK.md', head + 'when: tool_input.command.contains("rm")\\nmatcher:\\n  path: "**"\\n---\\n')
writeFileSync(folder + '/scripts/run.sh', '#!/bin/sh\\necho one script >&2; exit 2\\n', { mode: 0o755 })
process.env.CROSSHOOK_TRUST = 'all'
const event = { work_dir: process.cwd(), tool_name: 'Shell', tool_input: { command: 'rm x', path: 'x' } }
const all = await loadHooks({ work_dir: process.cwd() })
const loaded = await all.fire('before_tool', event)
const alone = await runHook(folder, { event_type: EVENT_NAMES.find((name) => name === 'before_tool')!, ...event })
console.log(JSON.stringify({
  direct: direct.decision, loaded: loaded.decision, words: alone.reason, client: typeof CrosshookClient,
}))
process.exit()
`

/** From the entry that `install` shows, and then writes, to the answer of a warm engine. */
async function provesRelay(folder: string, crosshook: string): Promise<void> {
  const relay = join(folder, 'bin/crosshook-relay')
  const shown = await run(crosshook, ['install', 'claude-code', '--dry-run'])
  const entry = await installedEntry(crosshook)
  expect(shown.stdout).toContain(entry.command)
  const shim = join(place, 'home/.local/share/crosshook/bin/crosshook-relay')
  expect(realpathSync(entry.command)).toBe(realpathSync(shim))
  expect(readFileSync(shim).equals(readFileSync(relay))).toBe(true)
  expect((await run(crosshook, ['doctor'])).stdout).toContain('through the relay, to a warm engine')
  expect(deniedBy(entry)).toContain('not here')
  await expect
    .poll(() => existsSync(join(place, 'run/crosshook/engine.sock')), { timeout: 30_000 })
    .toBe(true)
  // Nobody but the engine can answer now.
  const { PATH: _, ...env } = environment()
  expect(deniedBy(entry, { ...env, PATH: '/nowhere' })).toContain('not here')
}

interface InstalledEntry {
  command: string
  args: string[]
}

/** Writes a guard, wires the agent, and reads what the agent will call before a tool. */
async function installedEntry(crosshook: string): Promise<InstalledEntry> {
  const guard =
    'trigger: before_tool\nmatcher:\n  tool: Shell\noutcome:\n  decision: deny\n  reason: not here'
  const hook = join(place, 'home/.config/agents/hooks/guard/HOOK.md')
  mkdirSync(dirname(hook), { recursive: true })
  writeFileSync(hook, `---\nname: guard\ndescription: A guard.\n${guard}\n---\n`)
  await run(crosshook, ['install', 'claude-code', '--yes'])
  const settings = JSON.parse(readFileSync(join(place, 'home/.claude/settings.json'), 'utf8')) as {
    hooks: { PreToolUse: { hooks: InstalledEntry[] }[] }
  }
  return settings.hooks.PreToolUse[0]!.hooks[0]!
}

/** Calls the command as the agent does. */
function deniedBy({ command, args }: InstalledEntry, env = environment()): string {
  const payload = {
    session_id: 's',
    cwd: join(place, 'project'),
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: '1',
  }
  const input = JSON.stringify(payload)
  const { stdout, stderr } = spawnSync(command, args, {
    cwd: payload.cwd,
    env,
    input,
    encoding: 'utf8',
  })
  return stdout + stderr
}

function environment(): NodeJS.ProcessEnv {
  return calledBefore({
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: join(place, 'home'),
    XDG_RUNTIME_DIR: join(place, 'run'),
    CROSSHOOK_MANAGED_DIR: join(place, 'managed'),
  })
}

function run(file: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(file, args, { cwd: join(place, 'project'), env: environment() })
}

let installing: Promise<string> | undefined
/** A program that depends on the tarballs: one for all tests, since npm takes seconds. */
function withTarballs(): Promise<string> {
  const app = join(base, 'with-tarballs')
  mkdirSync(app, { recursive: true })
  installing ??= npm('install', '--prefix', app, tarballs.main, tarballs.relay).then(() => app)
  return installing
}

function npm(...args: string[]): Promise<unknown> {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--cache', join(base, 'cache')]
  return run('npm', ['--registry', registry.url, ...args, ...quiet])
}
