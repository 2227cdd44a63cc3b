import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { read } from './config.ts'
import { dialect } from './index.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'agenthooks-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string | Uint8Array): string {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const BASE = { name: 'a', description: 'd', trigger: 'before_tool' }

function hookText(fields: Record<string, unknown> = {}): string {
  const all = Object.entries({ ...BASE, ...fields }).filter(([, value]) => value !== undefined)
  return `---\n${all.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join('\n')}\n---\n`
}

/** A hook folder with an entry point, read alone. */
function one(fields: Record<string, unknown>) {
  write('one/scripts/run.sh', '#!/bin/sh\n')
  write('one/HOOK.md', hookText(fields))
  return read({ path: join(root, 'one'), scope: 'user' })
}

const errors = (fields: Record<string, unknown>) =>
  one(fields).problems.filter(({ level }) => level === 'error')

describe('the fields', () => {
  it('make a hook with the defaults of the specification', () => {
    expect(one({})).toEqual({
      hooks: [
        {
          name: 'a',
          description: 'd',
          format: 'agenthooks',
          scope: 'user',
          unique_name: true,
          events: ['before_tool'],
          matcher: {},
          run: { type: 'command', entry: join(root, 'one') },
          order: 0,
          mode: 'sequence',
          timeout: 30_000,
          budget: 'total',
          on_failure: 'open',
          retries: 0,
          blocks: true,
          input_merge: 'replace',
          output_limit: 1024 * 1024,
          on_overflow: 'truncate',
          awaits_output: false,
          origin: { file: join(root, 'one/HOOK.md'), dir: join(root, 'one'), line: 2 },
        },
      ],
      problems: [],
    })
  })

  it('of the specification and ours reach the hook', () => {
    const { hooks, problems } = one({
      matcher: { tool: 'Shell', pattern: 'rm', path: '*.py', command: '^rm', agent: 'some' },
      timeout: 5000,
      async: true,
      priority: 999,
      metadata: { team: 'x' },
      on_failure: 'closed',
      retries: 2,
      when: 'true',
      cache: 60,
      after: 'b',
      sandbox: { write: ['out'] },
    })
    expect(problems).toMatchObject([{ level: 'warning', field: 'on_failure' }])
    expect(hooks[0]).toMatchObject({
      matcher: { tool: 'Shell', pattern: 'rm', path: '*.py', command: '^rm', agents: ['some'], when: 'true' },
      timeout: 5000,
      mode: 'background',
      blocks: false,
      order: -899,
      metadata: { team: 'x' },
      on_failure: 'closed',
      retries: 2,
      cache: { seconds: 60, key: 'input' },
      after: ['b'],
      sandbox: { write: ['out'] },
    })
  })

  it.each([
    ['name', ['a', '字'.repeat(64), '😀'.repeat(64)], [undefined, '', 'x'.repeat(65), 5, null, ['a']]],
    ['description', ['d', 'x'.repeat(1024)], [undefined, '', 'x'.repeat(1025), 5]],
    [
      'trigger',
      ['after_tool', 'pre-tool-call', 'some-agent/Event', 'PreToolUse'],
      [undefined, '', 'before', ['before_tool'], 'a/b/c', '../x'],
    ],
    ['timeout', [100, 600_000], [99, 600_001, '5s', 1.5, '5000', null]],
    ['priority', [0, 1000], [-1, 1001, 1.5, '5']],
    ['async', [true, false], ['yes', 'on', 1]],
    ['matcher', [{}, { tool: 'x' }], ['Shell', [], null, { tool: 3 }, { agent: [1] }]],
    ['metadata', [{}, { a: [1] }], ['x', [1]]],
    ['on_failure', ['open', 'closed'], ['shut', true]],
    ['retries', [0, 3], [-1, 4]],
    ['cache', [1], [0, 'long']],
    ['sandbox', [true, {}], ['yes', { reed: [] }]],
    ['after', ['b', ['b', 'c']], [3, [3]]],
    ['when', ['true'], ['', 3]],
    [
      'outcome',
      [{ decision: 'deny' }, { additional_context: 'x' }],
      ['deny', { decision: 'block' }, { decison: 'deny' }],
    ],
    [
      'run',
      [
        { command: 'true' },
        { http: { url: 'https://example.com' } },
        { prompt: { template: 'x', model: 'm' } },
        { module: 'scripts/run.ts' },
      ],
      [
        'true',
        {},
        { command: 'a', module: 'b' },
        { comand: 'x' },
        { module: '../x.ts' },
        { module: '/x.ts' },
        { command: '' },
      ],
    ],
  ])('%s: right and wrong values', (field, right, wrong) => {
    for (const value of right) expect(errors({ [field]: value }), JSON.stringify(value)).toEqual([])
    for (const value of wrong) {
      const { hooks, problems } = one({ [field]: value })
      expect(hooks, JSON.stringify(value)).toEqual([])
      expect(problems.some((p) => p.level === 'error' && p.field?.startsWith(field) && p.fix !== '')).toBe(
        true,
      )
    }
  })

  it('say what to write instead of yes', () => {
    expect(errors({ async: 'yes' })[0]).toMatchObject({ line: 5, field: 'async', fix: 'Use true.' })
  })

  it('name the events when the trigger is none of them, and the nearest', () => {
    const [error] = errors({ trigger: 'before_tol' })
    expect(error).toMatchObject({ line: 4, field: 'trigger' })
    expect(error?.message).toContain('Did you mean "before_tool"?')
    expect(error?.message).toContain('after_tool_failure')
  })

  it('that are unknown are warned of with the nearest name, and the hook loads', () => {
    const { hooks, problems } = one({ priorty: 5 })
    expect(hooks).toHaveLength(1)
    expect(problems.map(({ level, message }) => [level, message])).toEqual([
      ['warning', 'Unknown field `priorty`; it is ignored. Did you mean "priority"?'],
    ])
  })

  it('that are unknown conditions are errors: without its condition the hook would match everything', () => {
    const { hooks, problems } = one({ matcher: { tol: 'Shell', command: '^rm' } })
    expect(hooks).toEqual([])
    expect(problems).toMatchObject([
      {
        level: 'error',
        field: 'matcher.tol',
        message: '`matcher` has unknown fields: tol. Did you mean "tool"?',
      },
    ])
  })

  it('say which act was meant', () => {
    expect(errors({ matcher: { does: 'deletes' } })).toMatchObject([
      { field: 'matcher.does', message: expect.stringContaining('Did you mean "delete"?') },
    ])
    expect(errors({ matcher: { does: ['read', 'wirte'] } })).toMatchObject([
      { field: 'matcher.does.1', message: expect.stringContaining('Did you mean "write"?') },
    ])
    expect(one({ matcher: { does: 'delete', place: ['home', '!temp'] } }).hooks[0]?.matcher).toEqual({
      does: ['delete'],
      place: ['home', '!temp'],
    })
  })

  it('say whether another hook of its name may take its place', () => {
    expect(one({ replaceable: false }).hooks[0]!.replaceable).toBe(false)
    expect(one({ replaceable: true }).hooks[0]!).not.toHaveProperty('replaceable')
    expect(errors({ replaceable: 'no' })).toHaveLength(1)
  })

  it('of a matcher count only for tools, except the agent', () => {
    const { hooks, problems } = one({ trigger: 'before_stop', matcher: { tool: 'Shell', agent: ['x'] } })
    expect(hooks[0]?.matcher).toEqual({ agents: ['x'] })
    expect(problems).toMatchObject([{ level: 'warning', field: 'matcher' }])
  })

  it('warn of what an async hook cannot do, and of a first line that no system can start', () => {
    const warned = (fields: Record<string, unknown>, script = '#!/bin/sh\n') => {
      write('one/scripts/run.sh', script)
      write('one/HOOK.md', hookText(fields))
      return read({ path: join(root, 'one'), scope: 'user' }).problems.map(({ level, field }) => [
        level,
        field,
      ])
    }
    expect(warned({ async: true, outcome: { decision: 'deny' } })).toEqual([['warning', 'async']])
    expect(warned({ async: true, on_failure: 'closed' })).toEqual([['warning', 'on_failure']])
    expect(warned({ async: true }, '#!/bin/sh\nexit 2\n')).toEqual([['warning', 'async']])
    expect(warned({}, '#!/bin/sh\r\nexit 2\r\n')).toEqual([['warning', 'run']])
    expect(warned({}, '#!/bin/sh\nexit 2\n')).toEqual([])
  })

  it('warn of a backspace that was meant as a word boundary', () => {
    write(
      'b/HOOK.md',
      '---\nname: b\ndescription: d\ntrigger: before_tool\nmatcher: {pattern: "\\brm"}\nrun: {command: x}\n---\n',
    )
    expect(read({ path: join(root, 'b'), scope: 'user' }).problems).toMatchObject([
      { level: 'warning', field: 'matcher.pattern' },
    ])
  })

  it('warn of texts longer than the guides', () => {
    expect(one({ description: 'x'.repeat(500) }).problems).toMatchObject([{ level: 'warning' }])
    write('one/HOOK.md', `${hookText()}${'word '.repeat(1200)}`)
    expect(read({ path: join(root, 'one'), scope: 'user' }).problems).toMatchObject([{ level: 'warning' }])
  })
})

describe('what is run', () => {
  it('may be a line for bash, a server, a model, a module or a fixed answer', () => {
    const run = (fields: Record<string, unknown>) => one(fields).hooks[0]?.run
    expect(run({ run: { command: 'a | b' } })).toEqual({
      type: 'command',
      command: 'a | b',
      shell: 'bash',
      args: ['-c'],
    })
    expect(run({ run: { http: { url: 'https://x.example' } } })).toEqual({
      type: 'http',
      url: 'https://x.example',
    })
    expect(run({ run: { prompt: { template: 't', model: { name: 'm' } } } })).toEqual({
      type: 'prompt',
      template: 't',
      model: { name: 'm' },
    })
    expect(run({ run: { agent: { template: 't', max_turns: 3 } } })).toEqual({
      type: 'agent',
      template: 't',
      max_turns: 3,
    })
    expect(run({ run: { module: 'scripts/run.ts' } })).toEqual({
      type: 'module',
      file: join(root, 'one/scripts/run.ts'),
    })
    expect(run({ outcome: { decision: 'deny', additional_context: 'x' } })).toEqual({
      type: 'outcome',
      outcome: { decision: 'deny', additional_context: ['x'] },
    })
    expect(run({ outcome: { decision: 'deny' }, run: { command: 'x' } })).toBeUndefined()
  })

  it('is never a module outside the folder, also not through a link', () => {
    write('elsewhere/x.ts', '')
    mkdirSync(join(root, 'one'))
    symlinkSync(join(root, 'elsewhere'), join(root, 'one/link'))
    symlinkSync(join(root, 'elsewhere/x.ts'), join(root, 'one/x.ts'))
    for (const module of ['link/x.ts', 'x.ts', 'link/not-yet.ts', 'a/../../elsewhere/x.ts'])
      expect(errors({ run: { module } }), module).toHaveLength(1)
  })

  it('may be missing: the hook loads, with a warning', () => {
    write('a/HOOK.md', hookText())
    const { hooks, problems } = read({ path: join(root, 'a'), scope: 'user' })
    expect(hooks).toHaveLength(1)
    expect(problems).toMatchObject([
      { level: 'warning', message: 'No entry point found (scripts/run, scripts/run.sh, or scripts/run.py).' },
    ])
  })
})

describe('a folder of hooks', () => {
  const names = (path = root) => read({ path, scope: 'project' }).hooks.map(({ name }) => name)

  it('is read one level deep in the order of its folders, links followed, plain files left out', () => {
    write('hooks/b/HOOK.md', hookText({ name: 'two' }))
    write('hooks/a/HOOK.md', hookText({ name: 'one' }))
    write('hooks/x/y/HOOK.md', hookText({ name: 'deep' }))
    write('hooks/README.md', 'text')
    write('hooks/.logs/today', 'text')
    write('other/HOOK.md', hookText({ name: 'linked' }))
    symlinkSync(join(root, 'other'), join(root, 'hooks/c'))
    symlinkSync(join(root, 'nowhere'), join(root, 'hooks/d'))
    expect(names(join(root, 'hooks'))).toEqual(['one', 'two', 'linked'])
  })

  it('that does not exist has no hooks and no problems', () => {
    expect(read({ path: join(root, 'none'), scope: 'user' })).toEqual({ hooks: [], problems: [] })
  })

  it('keeps its good hooks when one is bad', () => {
    write('a/HOOK.md', 'no frontmatter')
    write('b/HOOK.md', hookText({ name: 'b' }))
    write('c/HOOK.md', '---\nname: [\n---\n')
    write('d/HOOK.md', Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]))
    write('e/HOOK.md', `---\n${'#'.repeat(300_000)}\n---\n`)
    mkdirSync(join(root, 'f/HOOK.md'), { recursive: true })
    mkdirSync(join(root, 'g'))
    execFileSync('mkfifo', [join(root, 'g/HOOK.md')])
    const { hooks, problems } = read({ path: root, scope: 'user' })
    expect(hooks.map(({ name }) => name)).toEqual(['b'])
    expect(
      problems.filter(({ level }) => level === 'error').map(({ file }) => file.slice(root.length)),
    ).toEqual(['a', 'c', 'd', 'e', 'f', 'g'].map((folder) => `/${folder}/HOOK.md`))
  })

  it('gives both of two hooks of one name, with a warning that the later counts; a bad one is left out', () => {
    write('a/HOOK.md', hookText({ name: 'same' }))
    write('b/HOOK.md', hookText({ name: 'same', run: { command: 'true' } }))
    write('c/HOOK.md', hookText({ name: 'same', timeout: 1 }))
    const { hooks, problems } = read({ path: root, scope: 'user' })
    expect(hooks.map(({ origin }) => origin.dir)).toEqual([join(root, 'a'), join(root, 'b')])
    expect(problems.filter(({ field }) => field === 'name')).toMatchObject([
      { level: 'warning', hook: 'same' },
    ])
  })

  it('keeps its hooks when a HOOK.md lies beside their folders, whatever is in it', () => {
    write('all/a/HOOK.md', hookText({ name: 'a', outcome: {} }))
    write('all/b/HOOK.md', hookText({ name: 'b', outcome: {} }))
    for (const [text, expected] of [
      [hookText({ name: 'stray', outcome: {} }), ['stray', 'a', 'b']],
      ['not a hook', ['a', 'b']],
      ['', ['a', 'b']],
    ] as const) {
      const stray = write('all/HOOK.md', text)
      const { hooks, problems } = read({ path: join(root, 'all'), scope: 'project' })
      expect(hooks.map(({ name }) => name)).toEqual(expected)
      expect(problems).toContainEqual(
        expect.objectContaining({
          level: 'warning',
          file: stray,
          message: expect.stringContaining('beside'),
        }),
      )
    }
  })

  it('keeps its hooks when a folder is called HOOK.md', () => {
    write('all/a/HOOK.md', hookText({ name: 'a', outcome: {} }))
    mkdirSync(join(root, 'all/HOOK.md'))
    expect(read({ path: join(root, 'all'), scope: 'project' }).hooks.map(({ name }) => name)).toEqual(['a'])
  })

  it('warns of a hook.md in lower case', () => {
    write('a/hook.md', hookText())
    const { hooks, problems } = read({ path: root, scope: 'user' })
    expect(hooks).toEqual([])
    expect(problems).toMatchObject([{ level: 'warning', file: join(root, 'a/hook.md') }])
    for (const path of [join(root, 'a'), join(root, 'a/hook.md')])
      expect(read({ path, scope: 'user' })).toEqual({ hooks, problems })
    expect(dialect.format?.recognises({ path: root, scope: 'user' })).toBe(1)
  })

  it('is recognised, as are a hook’s folder and its file', () => {
    const file = write('hooks/a/HOOK.md', hookText())
    write('empty/x/y.md', '')
    const recognised = (path: string) => dialect.format?.recognises({ path, scope: 'source' })
    expect([file, dirname(file), join(root, 'hooks')].map(recognised)).toEqual([2, 2, 2])
    expect([join(root, 'empty'), join(root, 'none'), join(root, 'empty/x/y.md')].map(recognised)).toEqual([
      0, 0, 0,
    ])
  })
})

it('reads any bytes without an exception', () => {
  const file = write('a/HOOK.md', '')
  chmodSync(file, 0o644)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, framed) => {
      const frame = Buffer.from('---\n')
      writeFileSync(file, framed ? Buffer.concat([frame, bytes, Buffer.from('\n---\n')]) : bytes)
      const { hooks, problems } = read({ path: file, scope: 'user' })
      expect(hooks.length + problems.length).toBeGreaterThan(0)
    }),
    { numRuns: 300 },
  )
})

it('takes any values in the frontmatter without an exception', () => {
  const keys = fc.constantFrom(
    'name',
    'trigger',
    'matcher',
    'run',
    'outcome',
    'sandbox',
    'after',
    'async',
    'cache',
    '__proto__',
    'constructor',
  )
  fc.assert(
    fc.property(fc.dictionary(keys, fc.jsonValue({ maxDepth: 3 })), (fields) => {
      const text = `---\n${JSON.stringify({ ...BASE, ...fields })}\n---\n`
      const { hooks, problems } = read({ path: join(root, 'HOOK.md'), text, scope: 'user' })
      expect(hooks.length === 1 || problems.some(({ level }) => level === 'error')).toBe(true)
    }),
    { numRuns: 500 },
  )
})
