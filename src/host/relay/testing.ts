/** For tests of the warm path: a separate home, hooks in it, a relay built for the test, and a bare client. */

import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { compiledRelay } from '../../../test/compiled-relay.ts'
import { paths } from '../../config/paths.ts'
import { VERSION } from '../../version.ts'
import { type AssembleOptions, assemble } from '../assemble.ts'
import { serveWarm, type WarmOptions, type WarmServer } from './warm-server.ts'

export interface Home {
  folder: string
  project: string
  env: NodeJS.ProcessEnv
  socket: string
  hook(name: string, frontmatter: string, files?: Record<string, string>): string
}

export function makeHome(): Home {
  // Short, because the path of a socket is limited.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'xh-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const env = { PATH: process.env.PATH, HOME: folder, CROSSHOOK_MANAGED_DIR: join(folder, 'managed') }
  const project = join(folder, 'project')
  mkdirSync(project)
  return {
    folder,
    project,
    env,
    socket: join(paths(env).runtime, 'engine.sock'),
    hook: (name, frontmatter, files = {}) => writeHook(paths(env).userHooks, name, frontmatter, files),
  }
}

/** Returns the path of its HOOK.md. */
export function writeHook(
  folder: string,
  name: string,
  frontmatter: string,
  files: Record<string, string> = {},
): string {
  const file = join(folder, name, 'HOOK.md')
  mkdirSync(dirname(file), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true })
    writeFileSync(join(folder, name, path), text)
    chmodSync(join(folder, name, path), 0o755)
  }
  writeFileSync(file, hookText(name, frontmatter))
  return file
}

export function hookText(name: string, frontmatter: string): string {
  return `---\nname: ${name}\ndescription: A hook of the test.\ntrigger: before_tool\n${frontmatter}\n---\n`
}

export async function serve(
  home: Home,
  more: Partial<WarmOptions> = {},
  runtimeOptions: Partial<AssembleOptions> = {},
): Promise<WarmServer & { troubles: string[] }> {
  const troubles: string[] = []
  const trouble = (sentence: string) => troubles.push(sentence)
  const runtime = assemble({ env: home.env, source: 'hook', stays: true, trouble, ...runtimeOptions })
  const server = await serveWarm({ runtime, socket: home.socket, env: home.env, trouble, ...more })
  onTestFinished(async () => {
    await server.close()
    runtime.close()
  })
  return Object.assign(server, { troubles })
}

export interface Asked {
  status: number
  exit_code: number
  stdout: string
  stderr: string
  beats: number
}

export interface Ask {
  version?: string
  agent?: string
  event?: string
  cwd?: string
  env?: NodeJS.ProcessEnv
  payload?: unknown
}

export function requestFrame(home: Home, ask: Ask = {}): Buffer {
  const { version = VERSION, agent = 'claude-code', event = 'PreToolUse', cwd = home.project } = ask
  const env = Object.entries(ask.env ?? home.env)
    .map(([name, value]) => `${name}=${value}\0`)
    .join('')
  const payload =
    typeof ask.payload === 'string' ? ask.payload : JSON.stringify(ask.payload ?? shellCall(home))
  const parts = [version, agent, event, cwd, env, payload].map((text) => Buffer.from(text))
  const head = Buffer.alloc(52)
  head.write('XHRQ')
  head[4] = 2
  head.write('a challenge, 16b', 32)
  for (const [i, part] of parts.entries()) head.writeUInt32LE(part.length, 8 + 4 * i)
  return Buffer.concat([head, ...parts])
}

export function shellCall({ project }: Home, command = 'ls'): Record<string, unknown> {
  return {
    session_id: 's',
    cwd: project,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: '1',
  }
}

export async function ask(home: Home, given: Ask = {}): Promise<Asked> {
  return readAnswer(await exchange(home.socket, requestFrame(home, given)))
}

/** Returns everything that comes back until the other side ends. */
export function exchange(socket: string, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const connection = connect(socket, () => connection.write(bytes))
    connection.on('data', (chunk) => chunks.push(chunk))
    connection.on('error', reject)
    connection.on('close', () => resolve(Buffer.concat(chunks)))
  })
}

export function readAnswer(bytes: Buffer): Asked {
  const beats = bytes.findIndex((byte) => byte !== 6)
  const frame = bytes.subarray(beats)
  if (frame.toString('latin1', 0, 4) !== 'XHAN') throw new Error(`no answer: ${bytes.toString('latin1')}`)
  const end = 52 + frame.readUInt32LE(12)
  return {
    status: frame[5]!,
    exit_code: frame.readUInt32LE(8),
    stdout: frame.toString('utf8', 52, end),
    stderr: frame.toString('utf8', end, end + frame.readUInt32LE(16)),
    beats,
  }
}

/** The reason of a deny, or undefined. */
export function reasonOf({ stdout }: Pick<Asked, 'stdout'>): string | undefined {
  if (stdout === '') return undefined
  return (JSON.parse(stdout) as { hookSpecificOutput?: { permissionDecisionReason?: string } })
    .hookSpecificOutput?.permissionDecisionReason
}

/**
 * Undefined without a C compiler. `patience`: milliseconds for the first byte, and for each further one.
 * CROSSHOOK_TEST_RELAY names an existing relay, after the emulator that it needs, if any.
 */
export function buildRelay(
  folder: string,
  cold: { node: string; main: string },
  patience?: readonly [number, number],
): string | undefined {
  const file = join(folder, 'crosshook-relay')
  const given = process.env.CROSSHOOK_TEST_RELAY?.split(' ')
  if (given) {
    copyFileSync(given.at(-1)!, join(folder, 'given'))
    writeFileSync(file, `#!/bin/sh\nexec ${given.slice(0, -1).join(' ')} '${folder}/given' "$@"\n`, {
      mode: 0o755,
    })
    writeFileSync(`${file}.cold`, `${cold.node}\n${cold.main}\n`)
    return file
  }
  const compiled = compiledRelay(patience)
  if (compiled === undefined) return undefined
  copyFileSync(compiled, file)
  writeFileSync(`${file}.cold`, `${cold.node}\n${cold.main}\n`)
  return file
}

export interface Ran {
  code: number | null
  signal: string | null
  stdout: string
  stderr: string
  milliseconds: number
}

export function runProgram(
  file: string,
  args: readonly string[],
  { env, cwd, input }: { env: NodeJS.ProcessEnv; cwd: string; input: string | Buffer },
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(file, args, { env, cwd })
    const texts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
    child.stdout.on('data', (chunk) => texts.stdout.push(chunk))
    child.stderr.on('data', (chunk) => texts.stderr.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(texts.stdout).toString(),
        stderr: Buffer.concat(texts.stderr).toString(),
        milliseconds: performance.now() - started,
      }),
    )
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
