import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { workTime } from '../../test/work-time.ts'
import { checkPattern, compilePattern } from './pattern.ts'

const found = async (pattern: string, text: string) => (await compilePattern(pattern)).test(text)

test.each<[string, string, boolean]>([
  ['', 'anything', true],
  ['Shell', 'MyShell', true],
  ['Edit|Write', 'WriteFile', true],
  ['Edit|Write', 'Read', false],
  ['^Shell$', 'MyShell', false],
  ['^(Edit|Write)$', 'Write', true],
  ['^(?:Edit|Write)$', 'WriteFile', false],
  ['mcp__.*', 'x mcp__a', true],
  ['\\.env', 'a.env', true],
  ['\\.env', 'aenv', false],
  ['a\\|b', 'a|b', true],
  ['a\\|b', 'a', false],
  ['(?i)shell', 'SHELL', true],
  ['a(?i:b)c', 'aBc', true],
  ['a(?i:b)c', 'aBC', false],
  ['(?s)a.b', 'a\nb', true],
  ['a.b', 'a\nb', false],
  ['(?m)^b$', 'a\nb\nc', true],
  ['^b$', 'a\nb\nc', false],
  ['(?m:^b$)', 'a\nb\nc', true],
  ['(?m:^b$)|c$', 'c\nd', false],
  ['(?P<name>a+)b', 'aab', true],
  ['(?<name>a+)b', 'aab', true],
  ['\\Aa', 'ba', false],
  ['a\\Z', 'a', true],
  ['a\\Z', 'a\n', false],
  ['a$', 'a\n', true],
  ['[a]$', 'a\n', true],
  ['[a]$', 'a\n\n', false],
  ['[a$]b', '$b', true],
  ['x{,2}y$', 'xxy', true],
  ['^x{,2}y$', 'xxxy', false],
  ['\\u0041+', 'AA', true],
  ['[\\u0041-\\u0043]+z', 'Bz', true],
  ['a(?#a note)b', 'ab', true],
  ['(?ai)A', 'a', true],
  ['\\é+', 'é', true],
  ['\\Q$.\\E', '$.', true],
  ['[[:alpha:]]+$', 'ab', true],
  ['[]a]+$', ']', true],
])('%j in %j: %s', async (pattern, text, expected) => {
  expect(await found(pattern, text)).toBe(expected)
})

test.each([
  ['a(?=b)', 'look-ahead'],
  ['a(?!b)', 'negative look-ahead'],
  ['(?<=a)b', 'look-behind'],
  ['(?<!a)b', 'negative look-behind'],
  ['(a)\\1', 'back-reference `\\1`'],
  ['(?P<n>a)(?P=n)', 'back-reference `(?P=…)`'],
  ['(?>a)b', 'atomic group'],
  ['a++', 'possessive repetition'],
  ['a{2}+', 'possessive repetition'],
  ['(?(1)a|b)', 'conditional group'],
  ['(?x) a', 'verbose mode'],
  ['(a', 'not a valid regular expression'],
  ['[z-a]', 'not a valid regular expression'],
  ['a{2000}', 'not a valid regular expression'],
])('%j is refused by name and with advice', async (pattern, word) => {
  const message = await checkPattern(pattern)
  expect(message).toContain(`Pattern \`${pattern}\``)
  expect(message).toContain(word)
  await expect(compilePattern(pattern)).rejects.toThrow(message!)
})

test('a valid pattern has no problem', async () => {
  expect(await checkPattern('^rm\\s+-rf?\\s+/')).toBeNull()
})

describe('no text stalls a pattern', () => {
  test.each([['(a+)+$'], ['^(a|a)*$'], ['(a*)*b'], ['(.*)(.*)(.*)(.*)x$']])('%s', async (pattern) => {
    const compiled = await compilePattern(pattern)
    const hostile = `${'a'.repeat(5000)}!`
    expect(workTime(100, () => expect(compiled.test(hostile)).toBe(false))).toBeLessThan(100)
  })
})

test('a plain pattern does not load the engine', () => {
  const program = `
    import { registerHooks } from 'node:module'
    registerHooks({
      resolve(name, context, next) {
        if (name === 're2js') console.log('engine')
        return next(name, context)
      },
    })
    const { compilePattern } = await import(${JSON.stringify(new URL('./pattern.ts', import.meta.url).href)})
    for (const text of ['Shell', '^Shell$', 'a|b', 'mcp__.*', '^(a|b)$', 'a\\\\.b']) await compilePattern(text)
    console.log('plain')
    await compilePattern('a+')
  `
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(output).toBe('plain\nengine\n')
})

/** Pieces of patterns whose meaning is the same in JavaScript. */
const pieces = fc.array(
  fc.constantFrom(
    'a',
    'b',
    '.',
    'a*',
    'b+',
    '(a|b)',
    '(?:ab)?',
    '[ab]',
    '[^a]',
    '^',
    '$',
    '|',
    '\\.',
    'a{1,2}',
    '\\b',
    '\\w',
  ),
  { maxLength: 8 },
)
const subjects = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'c', ' '), maxLength: 12 })

test('patterns agree with the built-in regular expressions', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, subjects, async (parts, text) => {
      const pattern = parts.join('')
      expect(await found(pattern, text)).toBe(new RegExp(pattern).test(text))
    }),
    { numRuns: 500 },
  )
})

test('literal search and the regular expression engine agree', async () => {
  const plain = fc
    .array(fc.constantFrom('a', 'b', '|', '^', '$', '\\.', '.*', ' '), { maxLength: 6 })
    .map((parts) => parts.join(''))
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '.', ' ', '\n'), maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(plain, texts, async (pattern, text) => {
      expect(await found(pattern, text)).toBe(await found(`(?:${pattern})`, text))
    }),
    { numRuns: 1000 },
  )
})

test('any text is a pattern or a clear message', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom(...'ab(){}[]?*+|^$\\.,:<>=!PQZmisxu01-#') }),
      fc.string(),
      async (pattern, text) => {
        const problem = await checkPattern(pattern)
        if (problem === null) expect(typeof (await found(pattern, text))).toBe('boolean')
        else expect(problem).toContain('Pattern `')
      },
    ),
    { numRuns: 2000 },
  )
})

test('an escaped bar is a bar, not an alternative', async () => {
  const pattern = await compilePattern('^(?:startup\\|resume)$')
  expect([pattern.test('resume'), pattern.test('startup|resume')]).toEqual([false, true])
})
