/** What every dialect must keep, with the exceptions and their reasons. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../spec/dialect.ts'
import { canonicalEvent, EVENTS, eventRow, type HookEvent } from '../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import type { CommandLine, SettingsFile } from '../spec/installer.ts'
import type { Effect, Outcome } from '../spec/outcome.ts'

const HERE = import.meta.dirname

/** Dialect → check → why it does not hold there. A check may be narrowed to an event: `deny Elicitation`. */
const EXCEPTIONS: Record<string, Record<string, string>> = {
  antigravity: { 'silence PreToolUse': 'it refuses a tool for which no decision comes' },
  'amazon-q': {
    'every event': 'Kiro names the same events in another way, and has some that only it can fire',
    'empty reason': 'exit code 2 alone blocks',
    session: 'its payload has no session',
  },
  'claude-code': {
    'deny Elicitation': 'a declined question has no place for a reason',
    'blocks WorktreeCreate': 'every exit code but 0 stops it, and stdout is a path',
    'user_message WorktreeCreate': 'stdout is a path',
  },
  'claude-inference': {
    'silence prompt': 'a verdict is expected, also of what is allowed',
    'silence tool_call': 'the same',
  },
  cline: { 'exit code 2': 'exit codes mean nothing there' },
  kiro: { samples: 'its hooks are a list, and the file is ours alone' },
}

const ids = readdirSync(HERE).filter((name) => existsSync(join(HERE, name, 'index.ts')))
const loaded: [string, Dialect][] = await Promise.all(
  ids.map(
    async (id) =>
      [id, ((await import(`./${id}/index.ts`)) as { dialect: Dialect }).dialect] as [string, Dialect],
  ),
)

describe.each(loaded)('%s', (id, dialect) => {
  const skips = (check: string) => EXCEPTIONS[id]?.[check] !== undefined

  it('has the name of its folder and only events that exist', () => {
    expect(dialect.id).toBe(id)
    expect(dialect.title).not.toBe('')
    for (const names of Object.values(dialect.events))
      for (const name of [names].flat())
        expect([name, name.startsWith(`${id}/`) || Object.hasOwn(EVENTS, name)]).toEqual([name, true])
  })

  it('loads nothing heavy with its index', () => {
    expect(heavyImports(join(HERE, id, 'index.ts'))).toEqual([])
  })

  if (dialect.agent) describeAgent(id, dialect, dialect.agent, skips)
})

type Agent = NonNullable<Dialect['agent']>

function describeAgent(id: string, dialect: Dialect, agent: Agent, skips: (check: string) => boolean): void {
  const recordings = recordingsOf(id)
  const hint = (event?: string) => ({ ...(event ? { event } : {}), env: {}, cwd: '/hint' })

  it('knows what each of its events obeys', () => {
    if (!skips('every event'))
      expect(Object.keys(agent.capabilities).sort()).toEqual(Object.keys(dialect.events).sort())
    for (const [name, capability] of Object.entries(agent.capabilities))
      expect([name, [dialect.events[name]].flat().includes(capability.event)]).toEqual([name, true])
  })

  it.each(recordings)('decodes $file without losing anything', ({ event, native }) => {
    const decoded = agent.decode(native, hint(event))
    expect(decoded.native).toBe(native)
    expect(decoded.agent).toBe(id)
    expect(decoded.native_event).toBe(event)
    expect(decoded.timestamp).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect([dialect.events[event]].flat()).toContain(decoded.event_type)
    expect(canonicalEvent(decoded.event_type)).toBe(decoded.event_type)
    const row = EVENTS[decoded.event_type as keyof typeof EVENTS]
    if (row?.tool) {
      expect(decoded.native_tool_name).toEqual(expect.any(String))
      expect(decoded.tool_name).toEqual(expect.any(String))
      expect(decoded.tool_input).toEqual(expect.any(Object))
    }
  })

  it('decodes whatever it is given, even nothing', () => {
    for (const native of [undefined, null, 'text', 7, [], {}, { tool_name: 3, tool_input: 'x', cwd: 1 }]) {
      const decoded = agent.decode(native, hint(Object.keys(dialect.events)[0]))
      expect(decoded.native).toBe(native)
      expect(decoded.work_dir).toBe('/hint')
    }
  })

  describe.each(Object.entries(agent.capabilities))('answers %s', (name, capability) => {
    const recording = recordings.find((r) => r.event === name)
    const event = agent.decode(recording?.native ?? minimal(name), hint(name))
    const said = (outcome: Outcome) => {
      const { stdout, stderr, exit_code } = agent.encode(outcome, event)
      return { text: `${unescaped(stdout)}\n${stderr}`, stdout, stderr, exit_code }
    }

    it.skipIf(skips(`silence ${name}`))('with silence when there is nothing to say', () => {
      // An empty object where a plugin of ours takes silence for a program that did not run.
      const silence = { stdout: expect.stringMatching(/^(?:\{\}\n)?$/), stderr: '', exit_code: 0 }
      expect(agent.encode({}, event)).toEqual(silence)
      if (capability.event !== 'permission_request')
        expect(agent.encode({ decision: 'allow' }, event)).toEqual(silence)
    })

    it.runIf(capability.deny)('with a deny that carries its reason, and never an empty one', () => {
      for (const reason of skips('empty reason') ? ['WHY-NOT'] : ['WHY-NOT', undefined, '', '  ']) {
        const { text, stdout, stderr, exit_code } = said({
          decision: 'deny',
          ...(reason === undefined ? {} : { reason }),
        })
        if (!skips(`blocks ${name}`))
          expect(exit_code === 2 ? stderr.trim() : exit_code === 0 ? stdout.trim() : '').not.toBe('')
        if (!skips(`deny ${name}`)) expect(text).toContain(reason === 'WHY-NOT' ? reason : 'hook')
      }
    })

    it.each([...capability.effects])('with %s, alone and beside a deny', (effect) => {
      const outcome = effect === 'updated_input' ? rewrite(event) : EFFECTS[effect]
      const { text, stdout, exit_code } = said(outcome)
      if (effect === 'ask' && capability.event === 'permission_request') expect(stdout).toBe('')
      else expect(text).toContain(effect === 'retry' ? 'retry' : 'EFFECT')
      expect([0, 2]).toContain(exit_code)
      if (!capability.deny) return
      const { text: both, exit_code: code } = said({ ...outcome, decision: 'deny', reason: 'WHY-NOT' })
      if (!skips(`deny ${name}`) && effect !== 'stop') expect(both).toContain('WHY-NOT')
      if (!skips(`blocks ${name}`)) expect(code === 2 || both.trim() !== '').toBe(true)
    })
  })

  if (dialect.format) {
    const format = dialect.format
    it.each(recordings)('gives a hook of its own $file as it came', ({ event, native }) => {
      const decoded = agent.decode(native, hint(event))
      const input = format.encode(decoded, hookOf(id, event), {})
      expect(JSON.parse(input.text)).toEqual(native)
    })

    it('gives hooks the events of other agents in its own words', () => {
      for (const [name, events] of Object.entries(dialect.events)) {
        const type = [events].flat()[0]!
        if (type.includes('/')) continue
        const payload = JSON.parse(format.encode(foreign(type), hookOf(id, name), {}).text)
        // Whatever the member is called, the call is an object of its own.
        if (EVENTS[type as keyof typeof EVENTS].tool)
          expect(Object.values(payload).some((part) => part?.constructor === Object)).toBe(true)
        if (!skips('session')) expect(JSON.stringify(payload)).toContain('session-1')
      }
    })

    it('takes silence as no objection and exit code 2 as a block', () => {
      const name = Object.keys(dialect.events).find((key) =>
        [dialect.events[key]].flat().includes('before_tool'),
      )!
      const hook = hookOf(id, name)
      const event = foreign('before_tool')
      expect(format.decode({ exit_code: 0, stdout: '', stderr: '' }, event, hook).outcome).toEqual({})
      if (!skips('exit code 2'))
        expect(
          format.decode({ exit_code: 2, stdout: '', stderr: 'NO\n' }, event, hook).outcome,
        ).toMatchObject({
          decision: 'deny',
          reason: 'NO',
        })
    })
  }

  if (agent.install) describeInstaller(id, dialect, agent.install, skips)
}

function describeInstaller(
  id: string,
  dialect: Dialect,
  install: NonNullable<Agent['install']>,
  skips: (check: string) => boolean,
): void {
  const command: CommandLine = {
    line: (event) => `'/opt/cross hook/bin/crosshook' hook ${id} ${event}`,
    argv: (event) => ['/opt/cross hook/bin/crosshook', 'hook', id, event],
  }
  const http: CommandLine = {
    ...command,
    http: (event) => ({
      url: `http://127.0.0.1:17465/v1/agents/${id}/${event}`,
      headers: { Authorization: 'Bearer token', 'X-Depth': '$' + '{DEPTH}' },
      variables: ['DEPTH'],
    }),
  }
  const place = { home: '/home/dev', project: '/home/dev/project', env: {} }

  const over = dialect.agent?.http
  /** Where there are no URLs, both write the same: see below. */
  const forms = typeof over === 'object' ? [command, http] : [command]
  if (typeof over === 'object') {
    it('writes a URL for every event that can have one, and a command for the others', async () => {
      for (const event of Object.keys(over.except)) expect(Object.keys(dialect.events)).toContain(event)
      const [file] = (await install()).files({ ...place, level: 'user' })
      const entries = file!.find(file!.add(undefined, http))
      expect(entries.length).toBeGreaterThan(0)
      for (const { event, command: written, headers, ours } of entries) {
        const isUrl = !Object.hasOwn(over.except, event)
        const wanted = isUrl ? http.http!(event).url : http.line(event)
        expect([event, written, ours]).toEqual([event, wanted, true])
        expect([event, headers]).toEqual([event, isUrl ? http.http!(event).headers : undefined])
      }
    })

    it('has a command before the first URL, which sees to the daemon', async () => {
      const starting = Object.keys(dialect.events).filter((event) =>
        ['session_start', 'before_agent'].some((name) => [dialect.events[event]].flat().includes(name)),
      )
      expect(starting.length).toBeGreaterThanOrEqual(2)
      for (const event of starting) expect(Object.keys(over.except)).toContain(event)
    })

    it('answers in JSON wherever a URL is called', () => {
      for (const event of Object.keys(dialect.agent!.capabilities).filter((name) => !(name in over.except))) {
        const sample = { native_event: event, context: {}, work_dir: '/', native: {} } as unknown as HookEvent
        for (const outcome of [{ decision: 'deny', reason: 'NO' }, { stop: 'S' }, {}] as Outcome[]) {
          const { stdout, exit_code } = dialect.agent!.encode(outcome, sample)
          expect([event, exit_code, stdout.trim() === '' || stdout.startsWith('{')]).toEqual([event, 0, true])
        }
      }
    })
  } else
    it('writes commands where there are no URLs', async () => {
      for (const file of (await install()).files({ ...place, level: 'user' }))
        expect(file.add(undefined, http)).toBe(file.add(undefined, command))
    })

  it('adds its entries to every sample and takes them out again to the byte', async () => {
    const installer = await install()
    expect(installer.detect.programs.length + installer.detect.folders.length).toBeGreaterThan(0)
    for (const level of ['user', 'project'] as const)
      for (const file of installer.files({ ...place, level }))
        for (const [sample, text] of samplesFor(id, file))
          if (text === undefined || !skips('samples'))
            for (const form of forms) roundTrip(file, sample, text, form)
  })

  it('has entries for the events that somebody listens to, and goes from some to others to the byte', async () => {
    const calls = (file: SettingsFile, form: CommandLine, text?: string) =>
      file.isWanted?.(form) === false ? undefined : file.add(text, form)
    for (const file of (await install()).files({ ...place, level: 'user' })) {
      if (file.consent !== undefined) continue
      const eventsIn = (text: string) =>
        file
          .find(text)
          .filter(({ ours, command: call, argv }) => ours && (argv ?? call.includes(' hook ')))
          .map(({ event }) => event)
      const all = eventsIn(file.add(undefined, command))
      for (const event of all) {
        const some: CommandLine = { ...command, wants: (name) => name === event }
        const text = calls(file, some)!
        expect(eventsIn(text)).toEqual([event])
        expect(calls(file, command, text)).toBe(calls(file, command))
        expect(calls(file, some, file.add(undefined, command))).toBe(text)
      }
    }
  })

  it('does not read its own entries as hooks, which would call each other for ever', async () => {
    for (const file of (await install()).files({ ...place, level: 'user' })) {
      for (const form of [command, http]) {
        const text = file.add(undefined, form)
        const loaded = await dialect.format?.read({ path: file.path, scope: 'user', text })
        expect(loaded?.hooks ?? []).toEqual([])
      }
    }
  })

  it('finds nothing wrong with settings that hold only its own entries', async () => {
    for (const file of (await install()).files({ ...place, level: 'user' }))
      if (!(await needsReview(file)))
        expect(file.problems?.(file.add(undefined, command), { ...place, level: 'user' }) ?? []).toEqual([])
  })

  it('reads what it writes', async () => {
    const { write, read, files } = dialect.format ?? {}
    const path = files?.user[0]
    const event = Object.keys(dialect.events).find((name) =>
      [dialect.events[name]].flat().includes('before_tool'),
    )
    const [tool] = Object.entries(dialect.tools).find(([, row]) => row.name === 'Shell') ?? []
    if (!write || !read || !path || !event || !tool) return
    const text = await write([
      { event, tools: [tool], command: "say 'hi'", timeout: 5000 },
      { event, command: 'second', timeout: 2500 },
    ])
    const { hooks, problems } = await read({ path: `/home/dev/${path}`, scope: 'user', text })
    expect(problems).toEqual([])
    // A program that is started without a shell has words in place of a line.
    const ran = hooks.map(({ native_event, run }) => [
      native_event,
      'argv' in run ? run.argv : 'command' in run && run.command,
    ])
    expect([
      [
        [event, "say 'hi'"],
        [event, 'second'],
      ],
      [
        [event, ['say', 'hi']],
        [event, ['second']],
      ],
    ]).toContainEqual(ran)
    expect(hooks[0]!.timeout).toBe(5000)
    expect(hooks[1]!.timeout).toBeGreaterThanOrEqual(2500)
    expect([Object.keys(hooks[0]!.matcher).length > 0, hooks[1]!.matcher]).toEqual([true, {}])
  })

  /** Some agents also want the entries to be reviewed, which another file records. */
  async function needsReview(file: SettingsFile): Promise<boolean> {
    const all = (await install()).files({ ...place, level: 'user' })
    return file.consent === undefined && all.some((other) => other.consent !== undefined)
  }

  function roundTrip(file: SettingsFile, sample: string, text: string | undefined, form: CommandLine): void {
    const edited = file.add(text, form)
    const ours = file.find(edited).filter((entry) => entry.ours)
    for (const { event } of ours) expect(Object.keys(dialect.events)).toContain(event)
    expect([sample, ours.length > 0 || file.consent !== undefined]).toEqual([sample, true])
    const others = (list: ReturnType<SettingsFile['find']>) =>
      list.filter((entry) => !entry.ours).map(({ line: _, ...entry }) => entry)
    if (text !== undefined) expect(others(file.find(edited))).toEqual(others(file.find(text)))
    expect([sample, file.add(edited, form)]).toEqual([sample, edited])
    expect([sample, file.remove(edited)]).toEqual([sample, text])
    if (text !== undefined) expect([sample, file.remove(text)]).toEqual([sample, text])
  }
}

const EFFECTS: Record<Exclude<Effect, 'updated_input'>, Outcome> = {
  ask: { decision: 'ask', reason: 'EFFECT' },
  // No agent is told of it: see src/pipeline/confine.ts.
  confine: {},
  updated_output: { updated_output: 'EFFECT' },
  additional_context: { additional_context: ['EFFECT'] },
  stop: { stop: 'EFFECT' },
  retry: { retry: 0 },
  updated_permissions: {
    updated_permissions: [{ scope: 'session', tool_name_pattern: 'EFFECT', behavior: 'allow' }],
  },
  initial_user_message: { initial_user_message: 'EFFECT' },
  watch_paths: { watch_paths: ['EFFECT'] },
}

/** Every text of the tool's input is another one; of other events, the field that can be rewritten. */
function rewrite(event: HookEvent): Outcome {
  const { fields } = eventRow(event.event_type)
  if (fields.prompt) return { updated_input: { prompt: 'EFFECT' } }
  if (fields.tools) return { updated_input: { tools: ['EFFECT'] } }
  const texts = Object.entries(event.tool_input ?? {}).filter(([, value]) => typeof value === 'string')
  return { updated_input: Object.fromEntries(texts.map(([key]) => [key, 'EFFECT'])) }
}

interface Recording {
  file: string
  event: string
  native: unknown
}

function recordingsOf(id: string): Recording[] {
  const folder = join(HERE, id, 'fixtures')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>
      return { file, event: String(recorded.event), native: recorded.stdin ?? recorded.payload }
    })
}

/** Settings as people have them: the common ones and the dialect's own, of the same kind as the file. */
function samplesFor(id: string, file: SettingsFile): [string, string | undefined][] {
  const kind = /\.(json|toml)$/.exec(file.path)?.[0]
  const folders = [join(HERE, 'fixtures', 'settings'), join(HERE, id, 'fixtures', 'settings')].filter(
    existsSync,
  )
  const samples = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => kind !== undefined && name.endsWith(kind))
      .map((name): [string, string] => [name, readFileSync(join(folder, name), 'utf8')]),
  )
  return [['no file', undefined], ...samples]
}

function minimal(name: string): Record<string, unknown> {
  return {
    hook_event_name: name,
    session_id: 's',
    cwd: '/p',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  }
}

function foreign(type: string): HookEvent {
  return {
    event_type: type,
    timestamp: '2026-01-01T00:00:00.000Z',
    session_id: 'session-1',
    work_dir: '/p',
    context: {},
    agent: 'another',
    native: { other: 'words' },
    native_event: 'another_event',
    ...(EVENTS[type as keyof typeof EVENTS].tool
      ? { tool_name: 'Shell', tool_input: { command: 'ls' }, tool_use_id: 'c1', native_tool_name: 'terminal' }
      : {}),
  }
}

function hookOf(id: string, native: string): Hook {
  return {
    ...HOOK_DEFAULTS,
    name: 'h',
    format: id,
    scope: 'user',
    events: [],
    native_event: native,
    run: { type: 'command', argv: ['true'] },
    origin: { file: 'settings' },
  }
}

function unescaped(stdout: string): string {
  return stdout.replaceAll('\\n', '\n')
}

const HEAVY =
  /^(?:zod|js-yaml|undici|jsonc-parser|smol-toml|ai|@ai-sdk|@marcbachmann|re2js|unbash|picomatch)(?:\/|$)/

/** Heavy packages that come with a module, through every import that is not awaited. */
function heavyImports(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const source = readFileSync(file, 'utf8')
  return [...source.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from '([^']+)'/gm)].flatMap(([, name]) =>
    name!.startsWith('.')
      ? heavyImports(join(file, '..', name!), seen)
      : HEAVY.test(name!)
        ? [`${name} in ${file}`]
        : [],
  )
}
