/** A scratch machine: a home folder, a project, and the real program. */

import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderDigest, readLock } from '../../src/packs/lock-file.ts'

export const program = fileURLToPath(new URL('../../bin/crosshook', import.meta.url))

export interface Ran {
  status: number | null
  stdout: string
  stderr: string
}

export interface Machine {
  root: string
  home: string
  project: string
  hooks: string
  env: NodeJS.ProcessEnv
  run(...args: string[]): Promise<Ran>
  /** JSON of a call that must succeed. */
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>
  /** Every file of the hooks folder, with its text. */
  files(): Record<string, string>
  lockMatches(): void
  remove(): void
}

export function makeMachine(): Machine {
  const root = mkdtempSync(join(tmpdir(), 'crosshook-share-'))
  const [home, project] = ['home', 'project'].map((name) => join(root, name)) as [string, string]
  for (const folder of [home, project]) mkdirSync(folder)
  const hooks = join(home, '.config/agents/hooks')
  const env: NodeJS.ProcessEnv = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    CROSSHOOK_MANAGED_DIR: join(root, 'managed'),
    CROSSHOOK_NO_DAEMON: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    npm_config_cache: join(root, 'npm-cache'),
    npm_config_userconfig: join(root, 'npmrc'),
    npm_config_update_notifier: 'false',
  }
  const run = (...args: string[]) => start(program, args, { cwd: project, env })
  return {
    root,
    home,
    project,
    hooks,
    env,
    run,
    async json<T>(...args: string[]) {
      const { status, stdout, stderr } = await run(...args, '--json')
      if (status !== 0) throw new Error(`crosshook ${args.join(' ')}: ${status}\n${stdout}${stderr}`)
      return JSON.parse(stdout) as T
    },
    files: () => filesBelow(hooks),
    lockMatches() {
      const lock = readLock(hooks)
      for (const [name, { digest }] of Object.entries(lock.hooks)) {
        const found = folderDigest(join(hooks, name))
        if (found !== digest) throw new Error(`${name} is ${found}, its lock says ${digest}`)
      }
      const there = existsSync(hooks) ? readdirSync(hooks).filter((name) => name !== 'hooks.lock.json') : []
      const known = Object.keys(lock.hooks).sort()
      if (JSON.stringify(there.sort()) !== JSON.stringify(known))
        throw new Error(`there: ${there}; in the lock: ${known}`)
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export function filesBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {}
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  )
}

export function start(
  file: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Ran> {
  const { promise, resolve, reject } = Promise.withResolvers<Ran>()
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.on('error', reject)
  child.on('close', (status) => resolve({ status, stdout, stderr }))
  return promise
}

export interface PackText {
  name?: string
  version?: string
  /** Of the manifest, after the fixed fields. */
  more?: string
  /** Hook → its HOOK.md after the name, or whole files. */
  hooks?: Record<string, Record<string, string>>
}

export const denies = (reason: string) =>
  `description: d\ntrigger: before_tool\nmatcher:\n  tool: Shell\noutcome:\n  decision: deny\n  reason: ${reason}\n`

export const CASES = `- name: says no
  event: before_tool
  tool_name: Shell
  tool_input: {command: ls}
  expect: {decision: deny}
`

/** Writes a pack to a folder; by default one hook that denies. */
export function writePack(
  folder: string,
  { name = 'acme/guards', version = '1.0.0', more = '', hooks }: PackText = {},
): void {
  const all = hooks ?? {
    guard: { 'HOOK.md': `---\nname: guard\n${denies(version)}---\n`, 'cases.yaml': CASES },
  }
  put(
    join(folder, 'PACK.md'),
    `---\nname: ${name}\nversion: ${version}\ndescription: Guards of Acme.\nlicense: MIT\n${more}---\n`,
  )
  put(join(folder, 'LICENSE'), 'MIT\n')
  for (const [hook, files] of Object.entries(all))
    for (const [path, text] of Object.entries(files)) put(join(folder, 'hooks', hook, path), text)
}

export function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  if (text.startsWith('#!')) chmodSync(file, 0o755)
}
