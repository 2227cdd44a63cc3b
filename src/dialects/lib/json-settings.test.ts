import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { times } from '../../../test/times.ts'
import { append, parseSettings, removeEach, setNew } from './json-settings.ts'

const ours = { type: 'command', command: 'crosshook hook x A' }

function isOurs(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && (value as { command?: unknown }).command === ours.command
  )
}

function findOurs(root: unknown): (string | number)[] | undefined {
  const hooks = (root as { hooks?: Record<string, unknown[]> }).hooks ?? {}
  for (const [event, list] of Object.entries(hooks)) {
    const index = Array.isArray(list) ? list.findIndex(isOurs) : -1
    if (index >= 0) return ['hooks', event, index]
  }
  return undefined
}

function addAll(text: string | undefined, events = ['A', 'B', 'C']): string {
  return events.reduce<string | undefined>((edited, event) => append(edited, ['hooks', event], ours), text)!
}

const ORIGINALS: Record<string, string | undefined> = {
  'no file': undefined,
  'an empty file': '',
  'a blank line': '\n',
  'spaces only': '   \r\n ',
  'a byte order mark alone': '\uFEFF',
  'an empty object': '{}',
  'an empty object with a line break': '{}\n',
  'an empty object with inner space': '{ }\n',
  'an empty object over two lines': '{\n}\n',
  'an object with only a comment': '{\n  // nothing yet\n}\n',
  'an empty hooks object': '{"hooks": {}}',
  'an empty hooks object over lines': '{\n  "hooks": {\n  }\n}\n',
  'an empty list': '{\n  "hooks": {\n    "A": []\n  }\n}\n',
  'an empty list with space': '{"hooks":{"A":[ ]}}',
  'an empty list over lines': '{\n\t"hooks": {\n\t\t"B": [\n\t\t]\n\t}\n}',
  minified: '{"a":1,"hooks":{"A":[{"command":"x"}],"Z":[]},"b":[1,2]}',
  'foreign entries': '{\n  "hooks": {\n    "A": [\n      {"command": "x"}\n    ]\n  },\n  "z": null\n}\n',
  'CRLF and tabs':
    '{\r\n\t"a": true,\r\n\t"hooks": {\r\n\t\t"B": [\r\n\t\t\t{ "command": "y" }\r\n\t\t]\r\n\t}\r\n}\r\n',
  'a byte order mark': '\uFEFF{\n    "a": 1\n}',
  'comments everywhere':
    '// top\n{\n  "a": 1, // one\n  /* two */ "hooks": { // three\n    "A": [ // four\n      {"command": "x"} // five\n      // six\n    ] // seven\n  } // eight\n  // nine\n}\n// ten\n',
  'trailing commas': '{\n  "a": 1,\n  "hooks": {\n    "A": [\n      {"command": "x"},\n    ],\n  },\n}\n',
  'a trailing comma and a comment': '{\n  "a": 1, // why\n}\n',
  'odd spacing': '{"a" :1\n,   "hooks":\n{ "A":[ {"command":"x"}\n,{"command":"y"} ]\n }}',
  'leading blank lines': '\n\n{\n  "a": 1\n}\n\n\n',
  'mixed line ends': '{\r\n  "a": 1,\n  "b": 2\r\n}\n',
  'a block comment behind the last value': '{\n  "a": 1 /* keep */\n}\n',
  'unicode and escapes': '{\n  "näme": "\\u00e9 \\"//\\" 🎣",\n  "x": "/* no comment */"\n}\n',
}

describe('append and removeEach', () => {
  for (const [name, text] of Object.entries(ORIGINALS)) {
    it(`give back the same bytes: ${name}`, () => {
      const edited = addAll(text)
      const hooks = (parseSettings(edited) as { hooks: Record<string, unknown[]> }).hooks
      for (const event of ['A', 'B', 'C']) expect(hooks[event]).toContainEqual(ours)
      expect(removeEach(edited, findOurs)).toBe(text)
    })
  }

  it('keep every value of the original, at any depth', () => {
    for (const text of Object.values(ORIGINALS)) {
      const before = parseSettings(text ?? '') as Record<string, unknown>
      const after = parseSettings(addAll(text)) as Record<string, unknown>
      const { hooks: _b, ...restBefore } = before
      const { hooks: _a, ...restAfter } = after
      expect(restAfter).toEqual(restBefore)
    }
  })

  it('give back any JSON, however it is spaced', () => {
    const settings = fc.record(
      {
        x: fc.jsonValue(),
        hooks: fc.dictionary(
          fc.constantFrom('A', 'B', 'Q'),
          fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
        ),
        y: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(
        settings,
        fc.constantFrom(undefined, 1, 2, 4, '\t'),
        fc.constantFrom('\n', '\r\n'),
        (v, space, eol) => {
          const text = JSON.stringify(v, null, space).replaceAll('\n', eol)
          expect(removeEach(addAll(text), findOurs)).toBe(text)
        },
      ),
      { numRuns: times(100, 1000) },
    )
  })

  it('keep what a person put around our entries in the meantime', () => {
    const edited = addAll('{}').replace('"hooks"', '"model": "m", "hooks"').replace('"B"', '/* mine */ "B"')
    const left = removeEach(edited, findOurs)!
    expect(parseSettings(left)).toMatchObject({ model: 'm' })
  })

  it('leave a comment that a person wrote before our entry', () => {
    const edited =
      '{\n  "hooks": {\n    "A": [\n      {"command": "x"},\n      // mine\n      {"command": "crosshook hook x A"}\n    ]\n  }\n}'
    expect(removeEach(edited, findOurs)).toBe(
      '{\n  "hooks": {\n    "A": [\n      {"command": "x"}\n      // mine\n    ]\n  }\n}',
    )
  })

  it('print new entries in the way of the file', () => {
    expect(append('{\n\t"a": 1\n}\n', ['hooks', 'A'], { command: 'c' })).toBe(
      '{\n\t"a": 1,\n\t"hooks": {\n\t\t"A": [\n\t\t\t{\n\t\t\t\t"command": "c"\n\t\t\t}\n\t\t]\n\t}\n}\n',
    )
    expect(append('{"a":1}', ['hooks', 'A'], { command: 'c' })).toBe(
      '{"a":1, "hooks": { "A": [ { "command": "c" } ] }}',
    )
  })
})

describe('setNew', () => {
  it('sets a property that removeEach takes away again', () => {
    const edited = setNew('{"a": 1}', ['b', 'c'], true)
    expect(parseSettings(edited)).toEqual({ a: 1, b: { c: true } })
    const find = (root: unknown) => ((root as { b?: unknown }).b ? ['b', 'c'] : undefined)
    expect(removeEach(edited, find)).toBe('{"a": 1}')
  })
})

describe('settings that cannot be edited', () => {
  for (const [name, text] of Object.entries({
    'cut off': '{"hooks": {"A": [',
    'not JSON': 'hooks = 1',
    'a list': '[]',
    'hooks is a list': '{"hooks": []}',
    'an event is an object': '{"hooks": {"A": {}}}',
    'hooks twice': '{"hooks": {}, "hooks": {}}',
  })) {
    it(`are refused with a reason: ${name}`, () => {
      expect(() => append(text, ['hooks', 'A'], ours)).toThrowError(
        expect.objectContaining({ code: 'bad_settings' }),
      )
    })
  }
})
