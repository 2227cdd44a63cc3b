import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadCommands } from './acts.ts'
import { plainCommands } from './plain-commands.ts'

const reader = loadCommands()
const slowly = (line: string) => reader.line(line).map(({ text }) => text)

const program = fc.constantFrom(
  ...'cat cd cp echo grep head ls mkdir mv pwd rm tail tee touch true wc'.split(' '),
)
const word = fc.oneof(
  fc.constantFrom(
    '-rf',
    '-',
    '--',
    '-c',
    '--exec',
    '-f',
    'a=b',
    '/',
    '/etc/passwd',
    './x.sh',
    '../y',
    '.env',
    '10',
    'sh',
    'rm',
  ),
  fc.stringMatching(/^[\w./:=@%+,-]{1,8}$/),
  fc.stringMatching(/^"[\w ./:=@%+,-]{0,8}"$/),
  fc.stringMatching(/^'[\w ./:=@%+,-]{0,8}'$/),
)
const runner = fc
  .tuple(
    fc.constantFrom('npm run', 'npm test', 'yarn install', 'pnpm build', 'node', 'python3', 'python'),
    fc.array(word, { minLength: 1, maxLength: 3 }),
  )
  .map(([name, words]) => [name, ...words])
const ours = fc.tuple(program, fc.array(word, { maxLength: 4 })).map(([name, words]) => [name, ...words])
const git = fc
  .tuple(
    fc.constantFrom(
      'add',
      'branch',
      'checkout',
      'commit',
      'fetch',
      'log',
      'merge',
      'pull',
      'push',
      'remote',
      'reset',
      'stash',
      'tag',
    ),
    fc.array(
      fc.oneof(word, fc.constantFrom('-A', '-m', '-am', '--amend', '--force', '-u', '-x', '-c', '--hard')),
      {
        maxLength: 4,
      },
    ),
  )
  .map(([name, words]) => ['git', name, ...words])
const line = fc
  .array(
    fc.tuple(
      fc.oneof(ours, git, runner),
      fc.constantFrom('', ' 2>&1', ' > /dev/null', ' 2>/dev/null', ' >/dev/null 2>&1'),
      fc.constantFrom(' && ', '; ', ' | ', '||', ';'),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((all) =>
    all
      .map(([words, target, parts], at) => words.join(' ') + target + (at === all.length - 1 ? '' : parts))
      .join(''),
  )

test('a plain line has the commands that the full reading finds', () => {
  let plain = 0
  fc.assert(
    fc.property(line, (text) => {
      const quick = plainCommands(text)
      if (quick === undefined) return
      plain++
      expect(quick).toEqual(slowly(text))
    }),
    { numRuns: 5_000 },
  )
  expect(plain).toBeGreaterThan(200)
})

test.each([
  'sudo ls',
  'ls 2>x',
  'ls >/dev/sda',
  'ls >/dev/null/x',
  'node -e 1',
  'python3 -c 1',
  'npm exec ls',
  'sh x',
  'ls > x',
  'ls $(rm x)',
  'ls `rm x`',
  'ls & rm x',
  'echo x | sh',
  'ls\nrm x',
  'ls ~',
  'ls *',
  'ls {a,b}',
  'ls "a"b',
  'ls "$x"',
  'git -c alias.x=!ls x',
  'git rebase -x ls',
  'git commit --exec=x',
  'PATH=x ls',
  '/bin/ls',
  'ls;;',
  'ls &&',
  '',
  'ls # x',
  'ls \\\\x',
  '! ls',
])('%j is left to the full reading', (text) => {
  expect(plainCommands(text)).toBeUndefined()
})
