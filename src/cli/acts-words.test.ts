import { expect, test } from 'vitest'
import { loadActs } from '../acts/acts.ts'
import { actsTree, withReason } from './acts-words.ts'
import type { Painter } from './paint.ts'

const plain = new Proxy({}, { get: () => (text: string) => text }) as Painter
const acts = loadActs()
const files = Array.from({ length: 9 }, (_, n) => `f${n}`)
const tree = (command: string) =>
  actsTree(
    acts(
      { tool_name: 'Shell', tool_input: { command }, work_dir: '/w/p' },
      {
        workDir: '/w/p',
        home: '/home/x',
        user: 'x',
        platform: 'linux',
        variables: {},
        disk: {
          realpath: (path) => (path.endsWith('.git') ? undefined : path),
          entries: (path) => (path === '/data' ? files : []),
          stat: () => undefined,
          isFolder: () => false,
          text: () => undefined,
        },
        own: [],
      },
    ),
    plain,
  )

test('what code does stands below the command that has it, once', () => {
  expect(tree(`python3 -c 'import os; os.remove("/data/x")'`)).toBe(
    `python3 -c 'import os; os.remove("/data/x")'\n  delete /data/x [outside]\n`,
  )
})

test('words with spaces and signs in them stand in quotes', () => {
  expect(tree(`git commit -m "it's a; b" --author '' && ls $x "a b"`)).toBe(
    `git commit -m 'it'\\''s a; b' --author ''\nls $x 'a b'\n`,
  )
})

test('of many files of one pattern the first are named, the others counted', () => {
  const lines = tree('rm /data/f*').split('\n')
  expect(lines.filter((line) => /delete \/data\/f\d/.test(line))).toHaveLength(4)
  expect(lines).toContain('  … and 5 more files that the pattern fits')
})

test('words that only the run shows are called what is read', () => {
  expect(tree('xargs rm')).toContain('delete what it reads [unknown; a guess]')
})

test('every act of the JSON says why: by its own words, else by command or tool, act and target', () => {
  const deletes = { does: 'delete', certain: true, path: '/', recursive: true, command: 'rm -rf /' } as const
  expect(withReason(deletes, 'Shell').why).toBe('rm -rf /: delete / and all below')
  expect(withReason({ does: 'write', certain: true, path: '/a', spelled: 'a' }, 'WriteFile').why).toBe(
    'WriteFile: write /a (written a)',
  )
  expect(withReason({ ...deletes, why: 'its own' }, 'Shell').why).toBe('its own')
})
