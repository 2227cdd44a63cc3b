import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AgentToolName, agentTools } from './agent-tools.ts'
import { globPattern } from './glob-pattern.ts'

let root = ''
let base = ''

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'crosshook-tools-'))
  root = join(base, 'project')
  mkdirSync(join(root, 'src', 'deep'), { recursive: true })
  mkdirSync(join(root, '.git'))
  mkdirSync(join(base, 'project-other'))
  writeFileSync(join(base, 'secret.txt'), 'secret\n')
  writeFileSync(join(base, 'project-other', 'secret.txt'), 'secret\n')
  writeFileSync(join(root, 'readme.md'), 'one\ntwo\nthree\n')
  writeFileSync(join(root, 'src', 'a.ts'), 'const answer = 42\n')
  writeFileSync(join(root, 'src', 'deep', 'b.ts'), 'export const b = 1\n// answer\n')
  writeFileSync(join(root, '.git', 'config'), 'answer\n')
  writeFileSync(join(root, 'binary'), Buffer.from([97, 0, 98]))
  writeFileSync(join(root, 'large.txt'), 'x'.repeat(100_000))
  symlinkSync(join(base, 'secret.txt'), join(root, 'link.txt'))
  symlinkSync(base, join(root, 'up'))
  symlinkSync('a.ts', join(root, 'src', 'same.ts'))
  execFileSync('mkfifo', [join(root, 'pipe')])
})

afterAll(() => rmSync(base, { recursive: true }))

function use(tool: AgentToolName, input: unknown, signal = AbortSignal.timeout(10_000)): Promise<string> {
  return agentTools(root, signal)[tool].execute(input)
}

describe('read_file', () => {
  test('reads a file, from a line on', async () => {
    expect(await use('read_file', { path: 'readme.md' })).toBe('one\ntwo\nthree\n')
    expect(await use('read_file', { path: './src/../readme.md', line: 3 })).toBe('three\n')
    expect(await use('read_file', { path: join(root, 'src/same.ts') })).toBe('const answer = 42\n')
  })

  test('reads no more than its limit, and says so', async () => {
    const text = await use('read_file', { path: 'large.txt' })
    expect(text.length).toBeLessThan(33_000)
    expect(text).toContain('[cut here')
  })

  test.each([
    '../secret.txt',
    'src/../../secret.txt',
    'link.txt',
    'up/secret.txt',
    'up/project/../secret.txt',
    '../project-other/secret.txt',
    '/etc/passwd',
    'missing.txt',
    'src',
    'pipe',
    'readme.md\0',
    '',
  ])('does not read %j', async (path) => {
    expect(await use('read_file', { path })).toMatch(/^error: there is no file/)
  })

  test('tells the model what is wrong with its call', async () => {
    expect(await use('read_file', { path: 'binary' })).toBe('error: binary is not a text file')
    for (const input of [{}, null, 'x', { path: 1 }]) {
      expect(await use('read_file', input)).toBe('error: path must be a text')
    }
  })
})

describe('list_folder', () => {
  test('lists the project and folders in it', async () => {
    expect(await use('list_folder', {})).toBe('.git/\nbinary\nlarge.txt\nlink.txt\npipe\nreadme.md\nsrc/\nup')
    expect(await use('list_folder', { path: 'src' })).toBe('a.ts\ndeep/\nsame.ts')
  })

  test.each(['..', 'up', '/', 'src/../..', '../project-other'])('does not list %s', async (path) => {
    expect(await use('list_folder', { path })).toMatch(/^error: there is no folder/)
  })
})

describe('search', () => {
  test('finds lines by a pattern, with file and line', async () => {
    expect(await use('search', { pattern: 'answer' })).toBe(
      'src/a.ts:1: const answer = 42\nsrc/deep/b.ts:2: // answer',
    )
  })

  test('can be narrowed to a folder, a file or a kind of file', async () => {
    expect(await use('search', { pattern: 'answer', path: 'src/deep' })).toBe('src/deep/b.ts:2: // answer')
    expect(await use('search', { pattern: 'answer', path: 'src/a.ts' })).toBe('src/a.ts:1: const answer = 42')
    expect(await use('search', { pattern: 't.o', glob: '*.md' })).toBe('readme.md:2: two')
    expect(await use('search', { pattern: 'answer', glob: '*.md' })).toBe('nothing found')
  })

  test('neither follows links nor leaves the project', async () => {
    expect(await use('search', { pattern: 'secret' })).toBe('nothing found')
    expect(await use('search', { pattern: 'secret', path: '..' })).toMatch(/^error/)
    expect(await use('search', { pattern: 'secret', path: 'up' })).toMatch(/^error/)
  })

  test('is not stalled by a hostile pattern', async () => {
    const started = performance.now()
    expect(await use('search', { pattern: '(x+x+)+y' })).toBe('nothing found')
    expect(await use('search', { pattern: '((a{100}){100}){100}' })).toMatch(/^error/)
    expect(await use('search', { pattern: 'a'.repeat(501) })).toMatch(/^error: a pattern may have/)
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  test('ends with the time limit', async () => {
    expect(await use('search', { pattern: 'x' }, AbortSignal.abort())).toMatch(/^error/)
  })
})

describe('glob', () => {
  test.each([
    ['**/*.ts', 'src/a.ts\nsrc/deep/b.ts'],
    ['src/*.ts', 'src/a.ts'],
    ['{readme,x}.md', 'readme.md'],
    ['src/**', 'src/a.ts\nsrc/deep/b.ts'],
    ['../**', 'nothing found'],
    ['*.none', 'nothing found'],
  ])('%s', async (pattern, found) => {
    expect(await use('glob', { pattern })).toBe(found)
  })

  test.each([
    ['a.b', 'a.b', true],
    ['a.b', 'axb', false],
    ['a?c', 'a/c', false],
    ['[a-c]x', 'bx', true],
    ['[!a]x', 'bx', true],
    ['[!a]x', '/x', false],
    ['**/x', 'x', true],
    ['a/**/x', 'a/x', true],
    ['a/**/x', 'a/b/c/x', true],
    ['{a,b{c,d}}', 'bd', true],
    ['{a', '{a', true],
    ['(a)+', '(a)+', true],
    ['[', '[', true],
  ])('%s on %s is %s', async (glob, path, matches) => {
    const { RE2JS } = await import('re2js')
    expect(RE2JS.compile(globPattern(glob)).matcher(path).find()).toBe(matches)
  })
})
