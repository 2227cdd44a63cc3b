import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANY_CHARACTER } from '../../../test/any-text.ts'
import { workTime } from '../../../test/work-time.ts'
import { parseFrontmatter } from './frontmatter.ts'

const value = (text: string) => {
  const parsed = parseFrontmatter(text)
  return 'error' in parsed ? parsed.error.message : parsed.value
}

describe('the frontmatter', () => {
  it('is what stands between the two lines', () => {
    expect(value('---\nname: a\n---\n# body\n---\nnot: this\n')).toEqual({ name: 'a' })
  })

  it('may have a byte order mark, Windows line ends, spaces after the dashes and no newline at the end', () => {
    expect(value('\ufeff--- \r\nname: a\r\nmatcher:\r\n  tool: Shell\r\n---')).toEqual({
      name: 'a',
      matcher: { tool: 'Shell' },
    })
  })

  it.each([
    '',
    '# Title\n---\nname: a\n---\n',
    ' ---\nname: a\n---\n',
    '---js\nname: a\n---\n',
    '---\nname: a\n',
    '---\n---\n',
    '---\n- a\n---\n',
    '---\nname\n---\n',
    '---\na: 1\na: 2\n---\n',
    '---\na: !!js/function "x"\n---\n',
    '---\na: [1\n---\n',
  ])('%j is an error', (text) => {
    expect(parseFrontmatter(text)).toMatchObject({
      error: { message: expect.any(String), fix: expect.any(String) },
    })
  })

  it('knows the line in the file of each key', () => {
    const parsed = parseFrontmatter(
      '---\n# why\nname: a\nmatcher:\n  tool: x\n  pattern: |\n    y\n\nlist: [{k: 1}]\n---\n',
    )
    expect('lines' in parsed && Object.fromEntries(parsed.lines)).toEqual({
      name: 3,
      matcher: 4,
      'matcher.tool': 5,
      'matcher.pattern': 6,
      list: 9,
      'list.0.k': 9,
    })
  })

  it('says the line in the file of a mistake', () => {
    expect(parseFrontmatter('---\nname: a\nb: "x\n---\n')).toMatchObject({ error: { line: 4 } })
  })

  it('keeps the backslash of an escape that YAML does not know, and says so', () => {
    const parsed = parseFrontmatter('---\na: "\\.(py|js)$"\nb: "\\d+\\.\\w"\n---\n')
    expect(parsed).toMatchObject({ value: { a: '\\.(py|js)$', b: '\\d+\\.\\w' } })
    expect('warnings' in parsed && parsed.warnings.map(({ line }) => line)).toEqual([2, 3, 3, 3])
  })

  it('reads yes and on as texts, as YAML 1.2 does', () => {
    expect(value('---\na: yes\nb: on\nc: true\nd: 010\n---\n')).toEqual({ a: 'yes', b: 'on', c: true, d: 10 })
  })

  it('gives no way to a prototype', () => {
    const parsed = value('---\n__proto__: {async: true}\nname: a\n---\n') as Record<string, unknown>
    expect(parsed.async).toBeUndefined()
    expect(({} as Record<string, unknown>).async).toBeUndefined()
  })

  it('refuses bombs in little time', () => {
    const laughs = [
      'a0: &a0 [x]',
      ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`),
    ]
    const bombs = [
      laughs.join('\n'),
      'a: &a [*a]',
      `a: ${'['.repeat(60_000)}`,
      `a: "${'\\.'.repeat(30_000)}"`,
      'a: 1\n'.repeat(12_000),
      `a: ${'x'.repeat(300_000)}`,
      `a: ${'{a: '.repeat(15_000)}`,
      `${'? '.repeat(30_000)}`,
      `${'- '.repeat(30_000)}`,
      `a: "${' \n'.repeat(30_000)}`,
      `${'&a '.repeat(20_000)}`,
      `${'%TAG ! x\n'.repeat(6_000)}`,
    ]
    for (const bomb of bombs) {
      const parse = () => expect(parseFrontmatter(`---\n${bomb}\n---\n`)).toHaveProperty('error')
      expect(workTime(2000, parse), bomb.slice(0, 20)).toBeLessThan(2000)
    }
  })

  it('answers to any text with a mapping or an error', () => {
    const yamlish = fc.array(
      fc.constantFrom(
        '---\n',
        '\n',
        'a',
        ': ',
        '- ',
        '"',
        "'",
        '\\',
        '{',
        '}',
        '[',
        ']',
        '&a ',
        '*a',
        '!!',
        '|\n',
        '>',
        '#',
        '\t',
        '  ',
        '\r',
        '\0',
        '\ufeff',
        '? ',
        ',',
        '\\x',
        '\\.',
        '<<',
        '…',
        '\ud800',
      ),
      { maxLength: 60 },
    )
    const texts = fc.oneof(
      fc.string({ unit: ANY_CHARACTER }),
      yamlish.map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        for (const whole of [text, `---\n${text}\n---\n`]) {
          const parsed = parseFrontmatter(whole)
          if ('error' in parsed) expect(parsed.error.line).toBeGreaterThan(0)
          else expect(typeof parsed.value).toBe('object')
        }
      }),
      { numRuns: 3000 },
    )
  })
})
