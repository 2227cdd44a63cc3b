/** Reads lists of tool calls with the verdict that each should get, and makes the folders that they talk about. */

import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'

export interface GuardCase {
  /** The row of the table it counts in. */
  suite: string
  tool: string
  input: Record<string, unknown>
  work_dir: string
  /** `free`: an attempt without effect, or a call that the author leaves to the agent. Counted apart. */
  expected: 'stop' | 'pass' | 'free'
}

export interface Folders {
  home: string
  work: string
  /** A project without secrets, for cases that say nothing of their folder. */
  plain: string
  env: NodeJS.ProcessEnv
  remove(): void
}

/** A case as it is written in a list. */
interface Written {
  source?: string
  group?: string
  command?: string
  tool?: string
  input?: Record<string, unknown>
  /** Base64 of the input as JSON, for texts that secret scanners would report. */
  input64?: string
  cwd?: string
  expected?: 'block' | 'ask' | 'allow'
  grade?: string
  effective?: boolean | null
}

export function readGuardCases(
  file: string,
  names: Record<'home' | 'work' | 'plain' | 'program', string>,
): GuardCase[] {
  const list = JSON.parse(readFileSync(file, 'utf8')) as Written[]
  const suite = basename(file, '.json')
  return list.map((written) => ({
    suite: written.group === undefined ? suite : `${suite}: ${written.group}`,
    tool: written.tool ?? 'Shell',
    input: fill(inputOf(written), names),
    work_dir: written.cwd ?? (written.group === undefined ? names.plain : names.work),
    expected: expectedOf(written),
  }))
}

function inputOf({ command, input, input64 }: Written): Record<string, unknown> {
  if (command !== undefined) return { command }
  return input ?? JSON.parse(Buffer.from(input64!, 'base64').toString('utf8'))
}

function expectedOf({ expected, grade, effective }: Written): GuardCase['expected'] {
  if (effective !== undefined) return effective === null ? 'free' : effective ? 'stop' : 'pass'
  if (grade === 'delegate') return 'free'
  return expected === 'allow' ? 'pass' : 'stop'
}

function fill<T>(value: T, names: Record<string, string>): T {
  if (typeof value === 'string')
    return value.replace(/\{(home|work|program)\}/g, (whole, name: string) => names[name] ?? whole) as T
  if (Array.isArray(value)) return value.map((item) => fill(item, names)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, names)])) as T
}

/** A home folder with a project in it: secrets, a link, a hard link and a folder link, as guards meet them. */
export function makeFolders(): Folders {
  // Not among temporary files: `rm -rf /tmp/*` must not be what erases the project.
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  mkdirSync(cache, { recursive: true })
  const root = realpathSync(mkdtempSync(join(cache, 'crosshook-guards-')))
  const home = join(root, 'home')
  const work = join(home, 'proj')
  const files: Record<string, string> = {
    '.env': 'MARK=1\n',
    id_rsa: 'key\n',
    'id_rsa.pub': 'public\n',
    'server.pem': 'key\n',
    'evil.txt': 'x\n',
    'README.md': '# Project\n',
    'notes.txt': '\n',
    'package.json': '{}\n',
    '.env.example': 'MARK=\n',
    'src/index.js': '\n',
    'build/out.js': '\n',
    '.agents/hooks/p/HOOK.md': '\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '../.claude/settings.json': '{}\n',
    '../.config/agents/hooks/g/HOOK.md': '\n',
    '../.config/crosshook/config.toml': '\n',
    '../.local/state/crosshook/trust.json': '{}\n',
    '../.cache/crosshook/x': '\n',
    '../run/crosshook/engine.sock': '',
    '../.ssh/id_rsa': 'key\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(work, path, '..'), { recursive: true })
    writeFileSync(join(work, path), text)
  }
  const plain = join(home, 'plain')
  for (const path of ['src/index.js', 'README.md', 'package.json', '.git/HEAD']) {
    mkdirSync(join(plain, path, '..'), { recursive: true })
    writeFileSync(join(plain, path), '\n')
  }
  symlinkSync('.env', join(work, 'note.txt'))
  symlinkSync('.', join(work, 'd'))
  linkSync(join(work, '.env'), join(work, 'hard.txt'))
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    USER: 'test',
    PWD: work,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_RUNTIME_DIR: join(home, 'run'),
    CROSSHOOK_MANAGED_DIR: join(root, 'managed'),
  }
  return {
    home,
    work,
    plain,
    env,
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}
