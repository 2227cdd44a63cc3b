import { homedir } from 'node:os'
import fc from 'fast-check'
import picomatch from 'picomatch'
import { expect, test } from 'vitest'
import { ANY_CHARACTER } from '../../test/any-text.ts'
import { workTime } from '../../test/work-time.ts'
import { compileGlob, compilePathGlob, compileSuffixGlob } from './glob.ts'

test.each<[string, string, boolean]>([
  ['*', '', true],
  ['', '', true],
  ['', 'a', false],
  ['a*c', 'abc', true],
  ['a*c', 'abd', false],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['@db/*', '@db/x/y', true],
  ['mcp__*__get', 'mcp__a__b__get', true],
  ['a.c', 'abc', false],
])('name glob %j on %j: %s', (pattern, text, expected) => {
  expect(compileGlob(pattern)(text)).toBe(expected)
})

test.each<[string, string, boolean]>([
  ['**/.env', '.env', true],
  ['**/.env', '/project/.env', true],
  ['**/.env', 'a/b/.env', true],
  ['**/.env', '/etc/x/.env', true],
  ['**/.env', 'a/.env.local', false],
  ['**/.env*', 'a/.env.local', true],
  ['.env', 'a/b/.env', true],
  ['*.ts', 'a/b.ts', true],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', '/project/src/x/y/a.ts', true],
  ['src/**/*.ts', './src/x/a.ts', true],
  ['src/**/*.ts', 'other/src/a.ts', false],
  ['./src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/x/a.ts', false],
  ['src/**', 'src/x/.hidden', true],
  ['secrets/**', 'docs/../secrets/key', true],
  ['/etc/**', '../etc/passwd', true],
  ['/etc/*', '/etc/passwd', true],
  ['*.{ts,js}', 'x/a.js', true],
  ['src/{a,b/{c,d}}/*', 'src/b/d/x', true],
  [String.raw`{a\,b,c}/x`, 'a,b/x', true],
  [String.raw`{a\,b,c}/x`, 'a/x', false],
  [String.raw`\{a,b\}/{c,d\}}`, '{a,b}/d}', true],
  [String.raw`\{a,b\}/c`, 'a/c', false],
  [String.raw`{a\\,b}/c`, 'b/c', true],
  ['{a}{b,c}', '{a}c', true],
  ['file[0-9].txt', 'file7.txt', true],
  ['file[!0-9].txt', 'file7.txt', false],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['!(a).ts', 'b.ts', true],
  ['!(a).ts', 'a.ts', false],
  ['~/.ssh/**', `${homedir()}/.ssh/id`, true],
  ['~/.ssh/**', '~/.ssh/id', true],
  ['**/.ssh/*', '~/.ssh/id', true],
])('path glob %j on %j: %s', async (pattern, path, expected) => {
  expect((await compilePathGlob(pattern))(path, '/project')).toBe(expected)
})

test.each<[string, string, boolean]>([
  ['*.rs', 'src/main.rs', true],
  ['*.rs', 'main.rsx', false],
  ['*_test.rs', 'src/a_test.rs', true],
  ['src/*.rs', 'src/main.rs', true],
  ['src/*.rs', 'src/a/main.rs', false],
  ['src/**/*.rs', 'src/main.rs', true],
  ['src/**/*.rs', 'src/a/b/main.rs', true],
  ['src/**', 'src/a/b', true],
  ['**/x', 'x', true],
  ['**/x', 'ax', false],
  ['main.rs', 'main.rs', true],
  ['main.rs', 'src/main.rs', false],
])('suffix glob %j on %j: %s', (pattern, path, expected) => {
  expect(compileSuffixGlob(pattern)(path)).toBe(expected)
})

const names = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/'), maxLength: 12 })

test('path globs agree with another implementation', async () => {
  const segment = fc.constantFrom('a', 'b', '*', '**', 'a*', '*b', '?', '[ab]', '[^a]', '.a', '{a,b}', '*.a')
  const patterns = fc
    .array(segment, { minLength: 2, maxLength: 5 })
    .map((parts) => parts.join('/'))
    // There `a/**` is also the folder a, but `*/**` is not; here both are.
    .filter((pattern) => !/[*?\]}][^/]*(?:\/\*\*)+$/.test(pattern))
  const paths = fc
    .array(fc.constantFrom('a', 'b', 'ab', '.a', 'a.a', 'c'), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join('/'))
  await fc.assert(
    fc.asyncProperty(patterns, paths, async (pattern, path) => {
      expect((await compilePathGlob(pattern))(path, '')).toBe(picomatch.isMatch(path, pattern, { dot: true }))
    }),
    { numRuns: 2000 },
  )
})

test('name globs mean what their pattern means', () => {
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '/'), maxLength: 8 })
  fc.assert(
    fc.property(patterns, names, (pattern, text) => {
      const source = pattern.replaceAll('*', '.*').replaceAll('?', '.')
      expect(compileGlob(pattern)(text)).toBe(new RegExp(`^${source}$`, 's').test(text))
    }),
    { numRuns: 1000 },
  )
})

test('no glob crashes or stalls on any text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: ANY_CHARACTER }),
      fc.string({ unit: ANY_CHARACTER }),
      async (pattern, text) => {
        compileGlob(pattern)(text)
        compileSuffixGlob(pattern)(text)
        ;(await compilePathGlob(pattern))(text, '/project')
      },
    ),
  )
  const stars = 'a*'.repeat(30)
  const text = `${'a'.repeat(4000)}!/`
  const path = await compilePathGlob(`**/${stars}b`)
  const took = workTime(500, () => {
    expect(compileGlob(`${stars}b`)(text)).toBe(false)
    expect(compileSuffixGlob(`${stars}/b`)(text)).toBe(false)
    expect(path(text, '/project')).toBe(false)
  })
  expect(took).toBeLessThan(500)
})

test('a path that was judged before is judged anew in another folder and for another home', async () => {
  const inside = await compilePathGlob('src/*.ts')
  expect(inside('/a/src/x.ts', '/a')).toBe(true)
  expect(inside('/a/src/x.ts', '/b')).toBe(false)
  expect(inside('/a/src/x.ts', '/a')).toBe(true)
  const ofHome = await compilePathGlob('~/keys/**')
  expect(ofHome('~/keys/k', '/a', '/home/x')).toBe(true)
  expect(ofHome('/home/x/keys/k', '/a', '/home/x')).toBe(true)
  expect(ofHome('/home/x/keys/k', '/a', '/home/y')).toBe(false)
  for (let i = 0; i < 100; i++) expect(inside(`src/${i}.ts`, '/a')).toBe(true)
})

test('the prefix check of a glob rejects nothing that the glob matches', async () => {
  const letters = fc.array(fc.constantFrom('a', 'b', '/', '*', '**', '?', '[ab]', '\\a'), { maxLength: 7 })
  const texts = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(letters, texts, async (parts, chars) => {
      // An empty beginning rules out nothing: every text of `{,x}p` is one of `p` or of `xp`.
      const [pattern, text] = [parts.join(''), chars.join('')]
      const plain = (await compilePathGlob(`/${pattern}`))(`/${text}`, '')
      const braced = (await compilePathGlob(`{/,?}${pattern}`))(`/${text}`, '')
      expect(plain && !braced).toBe(false)
    }),
  )
})
