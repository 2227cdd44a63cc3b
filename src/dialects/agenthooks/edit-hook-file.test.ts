import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editFields, readFields, writeFields } from './edit-hook-file.ts'
import { generatedHook, someEdit } from './generated-hooks.testing.ts'

const root = join(import.meta.dirname, '../../..')
const gallery = globSync('{gallery,src/dialects/agenthooks/fixtures}/*/HOOK.md', { cwd: root }).map(
  (file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8'),
  }),
)

const lines = (text: string) => text.split('\n')
/** Lines of the first that the second does not have at the same distance from the beginning or the end. */
function changedLines(before: string, after: string): [string[], string[]] {
  const [a, b] = [lines(before), lines(after)]
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  return [a.slice(head, a.length - tail), b.slice(head, b.length - tail)]
}

describe.each(gallery)('$file', ({ text }) => {
  it('is the same, byte for byte, when nothing is changed', () => {
    expect(writeFields(text, readFields(text))).toBe(text)
  })

  it('has one other line when one field is changed, and is what it was when it is changed back', () => {
    const { description, priority } = readFields(text)
    const edited = editFields(text, [{ path: ['description'], value: 'Something: "else" # here' }])
    const [gone, come] = changedLines(text, edited)
    expect([gone.length, come.length]).toEqual([1, 1])
    expect(readFields(edited)).toEqual({ ...readFields(text), description: 'Something: "else" # here' })
    const other = editFields(text, [{ path: ['description'], value: 'Something else.' }])
    expect(editFields(other, [{ path: ['description'], value: description }])).toBe(text)
    const ranked = editFields(text, [{ path: ['priority'], value: 7 }])
    expect(changedLines(text, ranked)[1]).toEqual(['priority: 7'])
    expect(
      editFields(ranked, [
        priority === undefined ? { path: ['priority'] } : { path: ['priority'], value: priority },
      ]),
    ).toBe(text)
  })

  it('takes a condition more and gives it back', () => {
    const more = editFields(text, [{ path: ['matcher', 'agent'], value: ['one', 'two'] }])
    expect((readFields(more).matcher as Record<string, unknown>).agent).toEqual(['one', 'two'])
    expect(editFields(more, [{ path: ['matcher', 'agent'] }])).toBe(text)
  })
})

describe('hooks as different people write them', () => {
  it('are the same, byte for byte, when nothing is changed', () => {
    fc.assert(
      fc.property(generatedHook, ({ text, fields }) => {
        expect(readFields(text)).toEqual(fields)
        expect(writeFields(text, fields)).toBe(text)
      }),
      { numRuns: 200 },
    )
  })

  it('say what was wanted after any edit, and keep every line that is not about it', () => {
    fc.assert(
      fc.property(generatedHook, someEdit, ({ text, fields }, { at, deep, what, value, key }) => {
        const names = Object.keys(fields)
        const name = names[at % names.length]!
        const inner =
          typeof fields[name] === 'object' && fields[name] !== null ? Object.keys(fields[name]) : []
        const isList = Array.isArray(fields[name])
        const place = inner.length > 0 && deep % 2 === 0 ? [inner[deep % inner.length]!] : []
        const at0 = isList && place.length > 0 ? [Number(place[0])] : place
        const path =
          what === 'add'
            ? isList
              ? [name, inner.length]
              : typeof fields[name] === 'object' && fields[name] !== null
                ? [name, key]
                : ['added']
            : [name, ...at0]
        const edited = editFields(text, [what === 'remove' ? { path } : { path, value }])
        const top = String(path[0])
        const { [top]: _, ...others } = fields
        const { [top]: changed, ...same } = readFields(edited)
        expect(same).toEqual(others)
        if (what !== 'remove')
          expect(
            path.slice(1).reduce((from, step) => (from as Record<string, unknown>)[step], changed),
          ).toEqual(value)
        const [gone, come] = changedLines(text, edited)
        // Only lines of that field go; only lines of that field come.
        const start = lines(text).findIndex((line) => line.startsWith(`${top}:`))
        const own =
          start < 0
            ? []
            : lines(text).slice(
                start,
                start +
                  1 +
                  lines(text)
                    .slice(start + 1)
                    .findIndex((line) => /^(?!\s|-\s|#|\r?$)/.test(line)),
              )
        for (const line of gone) expect(own).toContain(line)
        expect(come.filter((line) => /^[a-z-]+:/.test(line) && !line.startsWith(`${top}:`))).toEqual([])
        // Back again: the same data, and the same bytes where the field stays on its lines.
        expect(
          readFields(
            editFields(edited, [
              { path: [top], ...(Object.hasOwn(fields, top) ? { value: fields[top] } : {}) },
            ]),
          ),
        ).toEqual(fields)
      }),
      { numRuns: 400 },
    )
  })
})

describe('an edit', () => {
  const text =
    '---\nname: a   # the name\ndescription: "x"\ntrigger: before_tool\nmatcher: # when\n  # tools\n  tool: \'Shell\' # one\n\n  any:\n    - { does: delete } # first\n    - does: write\n      place: root\nnote: |\n  several\n  lines\nafter:\n- one\n- two # second\nmetadata: {level: daily}\n---\nbody\n'
  it.each([
    [
      'keeps the quotes and the comment',
      [{ path: ['matcher', 'tool'], value: "it's" }],
      "  tool: 'Shell' # one",
      "  tool: 'it''s' # one",
    ],
    [
      'changes a value inside braces',
      [{ path: ['matcher', 'any', 0, 'does'], value: 'a, b' }],
      '    - { does: delete } # first',
      "    - { does: 'a, b' } # first",
    ],
    [
      'adds a field inside braces',
      [{ path: ['matcher', 'any', 0, 'place'], value: ['root'] }],
      '    - { does: delete } # first',
      '    - { does: delete, place: [root] } # first',
    ],
    [
      'adds a field below a dash',
      [{ path: ['matcher', 'any', 1, 'host'], value: 'x' }],
      '      place: root',
      '      place: root\n      host: x',
    ],
    ['removes an item', [{ path: ['after', 1] }], '\n- two # second', ''],
    ['adds an item', [{ path: ['after', 2], value: 'three' }], '- two # second', '- two # second\n- three'],
    [
      'writes a text in several lines',
      [{ path: ['note'], value: 'other\nlines\n' }],
      'note: |\n  several\n  lines',
      'note: |\n  other\n  lines',
    ],
    [
      'puts a new field before metadata',
      [{ path: ['outcome', 'decision'], value: 'deny' }],
      'metadata:',
      'outcome:\n  decision: deny\nmetadata:',
    ],
    [
      'removes a field with all its lines',
      [{ path: ['matcher', 'any'] }],
      '\n  any:\n    - { does: delete } # first\n    - does: write\n      place: root',
      '',
    ],
  ])('%s', (_what, edits, before, after) => {
    expect(editFields(text, edits)).toBe(text.replace(before, () => after))
  })

  it('keeps patterns that YAML forbids as they are', () => {
    const odd =
      '---\nname: a\ndescription: b\ntrigger: before_tool\nmatcher:\n  tool: "\\.py$" # dot\n  path: "\\s"\ntimeout: 200\n---\n'
    expect(editFields(odd, [{ path: ['timeout'], value: 300 }])).toBe(odd.replace('200', '300'))
    expect(editFields(odd, [{ path: ['matcher', 'path'], value: 'x' }])).toBe(odd.replace('"\\s"', '"x"'))
  })

  it('of what an alias repeats leaves the other place as it was, or is refused', () => {
    const shared =
      '---\nname: a\ndescription: b\ntrigger: before_tool\nafter: &names [x, y]\nmetadata:\n  also: *names\n---\n'
    const edited = editFields(shared, [{ path: ['metadata', 'also'], value: ['z'] }])
    expect(readFields(edited)).toMatchObject({ after: ['x', 'y'], metadata: { also: ['z'] } })
    expect(() => editFields(shared, [{ path: ['after'], value: ['z'] }])).toThrow(/cannot be written/)
  })

  it('of a text that cannot be read says where it is broken', () => {
    expect(() => editFields('---\na: [1\n---\n', [])).toThrow(/line 2|line 3/)
  })
})
