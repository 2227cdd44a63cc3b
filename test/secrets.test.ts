/** No secret that an event, a hook, an error or an address carries is found in what is kept or printed. */

import { spawnSync } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assemble } from '../src/host/assemble.ts'
import { spool } from '../src/pipeline/run/spool.ts'
import corpus from '../src/redact/fixtures/secrets.json' with { type: 'json' }
import { calledBefore } from './compile-cache.ts'

/** Has no shape and no name where it is said. */
const FROM_ENVIRONMENT = 'seven-quiet-otters'

/** The last line of the hook that nobody waits for. */
const BACKGROUND_END = 'no more to say'

const EVENTS = ['before_tool', 'permission_request', 'before_agent', 'after_tool']

const secrets = corpus
  .map(({ parts, text }) => ({
    secret: parts.join(''),
    text: text.replace('{secret}', () => parts.join('')),
  }))
  // What stands before a cut is told from the mark of the cut, which other texts beside it would hide.
  .filter(({ text }) => !text.includes('that was cut'))
/** Texts are cut where they are kept, so few are said at once; printing takes a program each time. */
const inRoundsOf = (size: number) =>
  Array.from({ length: Math.ceil(secrets.length / size) }, (_, i) => secrets.slice(i * size, (i + 1) * size))
/** Lines are what programs print, so texts of several lines stay apart from the others. */
const said = (round: typeof secrets) =>
  `go ${FROM_ENVIRONMENT}\n${round.map(({ text }) => `${text}\n`).join('')}`

let folder: string
let sources: string[]
const at = (...names: string[]) => join(folder, ...names)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crosshook-secrets-'))
  writeFileSync(at('said'), '')
  mkdirSync(at('config/crosshook'), { recursive: true })
  writeFileSync(at('config/crosshook/config.toml'), 'allowed_hosts = ["127.0.0.1:1"]\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a corpus of secrets', () => {
  it('is large enough', () => {
    expect(secrets.length).toBeGreaterThanOrEqual(50)
  })

  it('leaves no trace in the state folder', { timeout: 240_000 }, async () => {
    const rounds = inRoundsOf(6)
    for (const round of rounds) await fireAll(EVENTS, round)
    // More is kept of a hook that nobody waits for, and each run takes a program that filters what it says.
    const inBackground = inRoundsOf(40)
    for (const round of inBackground) await fireAll(['session_start'], round)
    await expect.poll(endedInBackground).toBe(inBackground.length)
    // What waits to be recorded holds the event as it came. Whoever comes next records it.
    const next = assemble({ env: env(), source: 'library', sources: [] })
    await next.fire('session_end', { session_id: 'secrets', work_dir: folder })
    await next.settled()
    next.close()
    await expect.poll(() => spool(at('state', 'crosshook')).ids()).toEqual([])
    const files = globSync('**/*', { cwd: at('state') }).filter((file) =>
      statSync(at('state', file)).isFile(),
    )
    expect(files).toContain('crosshook/journal.db')
    expect(files.filter((file) => file.includes('dead-letters')).length).toBeGreaterThan(rounds.length)
    const kept = files.map((file) => readFileSync(at('state', file), 'latin1')).join('\n')
    expect(kept).toContain('[REDACTED:')
    // A hook's name is not mangled, and no command is kept.
    expect(kept).toContain('"hook_name":"q-secret:preToolUse[0]"')
    expect(kept).not.toMatch(/"error":"[^\n]*cat [^\n]*said[^\n]*"contract_version"/)
    expect(found(kept)).toEqual([])
  })

  it('is not printed', { timeout: 240_000 }, () => {
    const printed: string[] = []
    for (const round of inRoundsOf(40)) {
      writeHooks(round, false)
      const flags = sources.flatMap((path) => ['--source', path])
      for (const [event, ...how] of [
        ['before_tool', '--json'],
        ['before_tool', '--debug'],
        ['permission_request'],
      ])
        printed.push(crosshook(['fire', event!, ...how, ...flags], JSON.stringify(eventWith(round))))
    }
    for (const command of [
      'log',
      'log --json',
      'dead-letter list',
      'dead-letter list --json',
      'status',
      'status --json',
    ])
      printed.push(crosshook(command.split(' ')))
    for (const command of ['list --json', 'explain before_tool --json', 'fire before_tool --dry-run'])
      printed.push(crosshook([...command.split(' '), ...sources.flatMap((path) => ['--source', path])]))
    expect(printed.join('')).toContain('[REDACTED:')
    expect(found(printed.join('\n'))).toEqual([])
  })
})

async function fireAll(events: readonly string[], round: typeof secrets): Promise<void> {
  writeHooks(round, true)
  const runtime = assemble({ env: env(), source: 'library', sources: sources.map((path) => ({ path })) })
  for (const event of events) await runtime.fire(event, eventWith(round))
  await runtime.settled()
  runtime.close()
}

/** Secrets of which a piece of eight characters is in the text. */
function found(text: string): string[] {
  const all = [...secrets, { secret: FROM_ENVIRONMENT, text: 'a value of the environment' }]
  return all.filter(({ secret }) => hasPiece(text, secret)).map((each) => each.text)
}

function hasPiece(text: string, secret: string): boolean {
  const body = secret.replace(/-----[A-Z ]+-----|^https:\/\/[\w./]+(?:services|webhooks)\//g, '').trim()
  const size = Math.min(8, body.length)
  return Array.from({ length: body.length - size + 1 }, (_, i) => body.slice(i, i + size)).some((piece) =>
    text.includes(piece),
  )
}

function eventWith(round: typeof secrets): Record<string, unknown> {
  const text = said(round)
  return {
    work_dir: folder,
    session_id: 'secrets',
    tool_name: 'Shell',
    tool_input: { command: text, env: round.map(({ text }) => text) },
    tool_output: text,
    prompt: text,
    context: { note: text },
  }
}

/** Hooks of every format that say the texts in every way in which a hook can say something. */
function writeHooks(round: typeof secrets, withData: boolean): void {
  const text = said(round)
  writeFileSync(at('said'), text)
  writeFileSync(at('answer.json'), JSON.stringify({ decision: 'block', stop_reason: text }))
  const cat = `cat ${at('said')}`
  const url = `http://127.0.0.1:1/hook/${encodeURIComponent(text)}?token=${encodeURIComponent(text)}`
  const command = (line: string) => ({ type: 'command', command: line })
  write('kheish.json', {
    schema_version: 1,
    hooks: {
      pre_tool_use: [
        { name: 'k-stderr', executor: command(`${cat} >&2; exit 1`) },
        { name: 'k-garbage', executor: command(cat) },
        { name: 'k-field', executor: command(`${cat} | tr -d '"\\\\\\n' | sed 's/.*/{"decision":"&"}/'`) },
        { name: 'k-http', executor: { type: 'http', url } },
      ],
      permission_request: [{ name: 'k-reason', executor: command(`cat ${at('answer.json')}`) }],
    },
  })
  write('q-secret.json', {
    hooks: {
      preToolUse: [{ command: `: <<'END'\n${text}END\n${cat} >&2; exit 1` }],
      postToolUse: [{ command: `${cat}; ${cat} >&2; exit 2` }],
      ...(withData && { userPromptSubmit: [{ command: cat, cache_ttl_seconds: 60 }] }),
    },
  })
  write('a3s.json', {
    hooks: [
      { id: 'a-garbage', event: 'PreToolUse', command: cat },
      { id: 'a-stderr', event: 'PreToolUse', command: `${cat} >&2; exit 1` },
      { id: 'a-answer', event: 'PreToolUse', response: { action: text } },
      { id: 'a-block', event: 'PermissionRequest', response: { action: 'block', reason: text } },
    ],
  })
  writeHook('h-fails', 'before_tool', `${cat} >&2; exit 1`)
  writeHook('h-garbage', 'before_tool', cat)
  writeHook('h-async', 'session_start', `${cat}; ${cat} >&2; echo ${BACKGROUND_END}`, 'async: true\n')
  writeHook('h-blocks', 'before_tool', `${cat} >&2; exit 2`)
  sources = [at('kheish.json'), at('q-secret.json'), at('a3s.json'), at('hooks')]
}

function write(file: string, value: unknown): void {
  writeFileSync(at(file), JSON.stringify(value))
}

function writeHook(name: string, trigger: string, script: string, more = ''): void {
  const run = at('hooks', name, 'scripts/run.sh')
  mkdirSync(join(run, '..'), { recursive: true })
  const head = `name: ${name}\ndescription: d\ntrigger: ${trigger}\npriority: 10\n${more}`
  writeFileSync(at('hooks', name, 'HOOK.md'), `---\n${head}---\n`)
  // In its place, not over it: one that nobody waits for may just be starting, and cannot be written then.
  writeFileSync(`${run}.new`, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  renameSync(`${run}.new`, run)
}

function env(): NodeJS.ProcessEnv {
  return calledBefore({
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CONFIG_HOME: at('config'),
    XDG_STATE_HOME: at('state'),
    XDG_CACHE_HOME: at('cache'),
    CROSSHOOK_MANAGED_DIR: at('managed'),
    CROSSHOOK_NO_DAEMON: '1',
    DEPLOY_TOKEN: FROM_ENVIRONMENT,
  })
}

function crosshook(args: string[], input = ''): string {
  const main = join(import.meta.dirname, '../dist/cli/main.cjs')
  const ended = spawnSync(process.execPath, [main, ...args], {
    input,
    env: env(),
    cwd: folder,
    encoding: 'utf8',
  })
  expect(ended.status).toBeLessThanOrEqual(2)
  return `$ crosshook ${args[0]}\n${ended.stdout}${ended.stderr}`
}

/** How often the hook that nobody waits for has said all that it says, and its supervisor has written how it ended. */
function endedInBackground(): number {
  const logs = globSync('crosshook/background/*.log', { cwd: at('state') })
  const lines = logs.flatMap((file) => readFileSync(at('state', file), 'utf8').split('\n'))
  const waiting = spool(at('state', 'crosshook'))
  if (waiting.ids().some((id) => !waiting.end(id))) return -1
  return lines.filter((line) => line === BACKGROUND_END).length
}
