// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
/** What is harmful stays visible however much stands around it, or the call is said not to be followed to its end. */

import { describe, expect, test } from 'vitest'
import { inNoTime, workTime } from '../../test/work-time.ts'
import type { Act } from '../spec/act.ts'
import { loadActs } from './acts.ts'
import { thisWorld } from './world.ts'

const world = thisWorld('/home/me/project', { HOME: '/home/me' })
const acts = loadActs()
const HARM = 'rm -rf ~'

function actsOf(command: string): Act[] {
  return acts({ tool_name: 'Shell', tool_input: { command } }, world)
}

const isSeen = (found: readonly Act[]) =>
  found.some(({ does, path }) => does === 'delete' && path === '/home/me')
const isIncomplete = (found: readonly Act[]) => found.some((act) => act.incomplete === true)
const numbers = (count: number, of = (n: number) => String(n)) =>
  Array.from({ length: count }, (_, n) => of(n)).join(' ')

describe('harm beside', () => {
  const paddings: [string, (size: number) => string][] = [
    ['a long word after it', (n) => `${HARM}; echo ${'x'.repeat(n)}`],
    ['a long word before it', (n) => `echo ${'x'.repeat(n)}; ${HARM}`],
    ['a long quoted text', (n) => `echo '${'it is {so} $( '.repeat(n / 14)}'; ${HARM}`],
    ['a long comment', (n) => `# ${'don"t '.repeat(n / 6)}\n${HARM}`],
    ['commands before it', (n) => `${'echo x y;'.repeat(n / 9)} ${HARM}`],
    ['commands after it', (n) => `${HARM}; ${'echo x y;'.repeat(n / 9)}`],
    ['braces', (n) => `${'echo ${x}; { a; }; '.repeat(n / 19)} ${HARM}`],
    ['open braces', (n) => `echo ${'{a,'.repeat(n / 3)}; ${HARM}`],
    ['substitutions', (n) => `${'echo $(x); '.repeat(n / 11)} ${HARM}`],
    ['backticks', (n) => `${'echo `x`; '.repeat(n / 10)} ${HARM}`],
    ['here-documents', (n) => `${'cat <<A\nx\nA\n'.repeat(n / 12)}${HARM}`],
    ['a here-document', (n) => `cat > f <<'A'\n${'{"a": [1]}\n'.repeat(n / 11)}A\n${HARM}`],
    ['a line that is not parsed', (n) => `${'echo x y;'.repeat(n / 9)} ${HARM}; if`],
    ['the values of a loop', (n) => `for i in ${numbers(n / 8, (each) => `a${each}`)} ~; do rm -rf $i; done`],
    ['the numbers of a loop', (n) => `for i in ${numbers(n / 8)} ~; do rm -rf $i; done`],
    [
      'the lines of a loop',
      (n) => `printf '%s\\n' ${numbers(n / 8, (each) => `a${each}`)} ~ | while read f; do rm -rf $f; done`,
    ],
    ['the words of a variable', (n) => `x="${numbers(n / 8)} /home/me"; rm -rf $x`],
    ['the words of braces', () => 'rm -rf {{1..9999},~}'],
    [
      'many choices of braces',
      (n) => `rm -rf {${numbers(n / 8, (each) => `b${each}`).replaceAll(' ', ',')},~}`,
    ],
    ['braces after braces', () => `rm -rf ${'{,}'.repeat(45)}{~,x}`],
    ['what xargs is given', (n) => `printf '%s\\n' ${numbers(n / 8)} /home/me | xargs rm -rf`],
    ['what parallel is given', (n) => `parallel rm -rf ::: ${numbers(n / 8)} /home/me`],
    ['the items of an array', (n) => `x=(${numbers(n / 8)} /home/me); rm -rf "\${x[@]}"`],
    [
      'the lines of mapfile',
      (n) => `mapfile -t x < <(printf '%s\\n' ${numbers(n / 8)} /home/me); rm -rf "\${x[@]}"`,
    ],
    ['a value', (n) => `x='${'echo x y;'.repeat(n / 9)} ${HARM}'; eval "$x"`],
    ['a value that is changed', (n) => `x='${'echo@'.repeat(n / 5)};rm@-rf@~'; eval "\${x//@/ }"`],
    ['text for a shell', (n) => `bash <<A\n${'echo x y\n'.repeat(n / 9)}${HARM}\nA`],
    ['quoted text for a shell', (n) => `bash <<'A'\n${'echo x y\n'.repeat(n / 9)}${HARM}\nA`],
    ['text that is printed for a shell', (n) => `printf '%s\\n' ${"'echo x' ".repeat(n / 9)} '${HARM}' | sh`],
    [
      'text of two commands for a shell',
      (n) =>
        `{ echo '${'echo x y;'.repeat(n / 18)}'; echo '${'echo x y;'.repeat(n / 18)}'; echo '${HARM}'; } | sh`,
    ],
    [
      'code',
      (n) => `python3 - <<'A'\n${'f("x", y)\n'.repeat(n / 10)}import shutil; shutil.rmtree("/home/me")\nA`,
    ],
    [
      'calls with effects',
      (n) =>
        `python3 - <<'A'\nimport os, shutil\n${'os.remove("x")\n'.repeat(n / 15)}shutil.rmtree("/home/me")\nA`,
    ],
    ['wrappers', (n) => `${'sudo '.repeat(n / 5)} ${HARM}`],
    ['shells in shells', () => `${'eval '.repeat(40)}${HARM}`],
    ['branches', (n) => `x=~; ${numbers(n / 40, (each) => `if a; then x=b${each}; fi;`)} rm -rf $x`],
    ['letters of an option', (n) => `rm -${'v'.repeat(n)}rf ~`],
  ]
  test.each(paddings.flatMap(([name, line]) => [600, 20_000, 400_000].map((n) => [name, n, line] as const)))(
    '%s, about %i characters',
    (_, size, line) => {
      const found = actsOf(line(size))
      expect(isSeen(found) || isIncomplete(found)).toBe(true)
    },
  )
})

describe('followed to the end is', () => {
  test.each([
    ['a file of three megabytes', `cat > f <<'A'\n${'{"a": {"b": "it\'s"}}\n'.repeat(150_000)}A\n`],
    ['a text of three megabytes', `echo '${'word '.repeat(600_000)}' > f`],
    ['a script of 11 kB', 'if [ -f "$x" ]; then echo "a $b"; fi\n'.repeat(300)],
    ['code of 60 kB', `python3 - <<'A'\n${'value = f("x", y[1])\n'.repeat(3_000)}A\n`],
    ['a patch in a line', `git apply <<'A'\n${'+  const x = { a: `b ${c}` }\n'.repeat(20_000)}A\n`],
    [
      'two loops over numbers',
      'for i in {1..500}; do for j in $(seq 9); do for k in {1..99}; do echo $i $j $k > f$i; done; done; done',
    ],
    ['names with two rows of numbers', 'mkdir -p dir{1..100}/sub{01..50}'],
    ['two hundred files', `rm ${numbers(200, (each) => `build/a${each}.o`)}`],
    ['statements', `psql -c "${'insert into a values (1);'.repeat(2_000)}"`],
  ])('%s', (_, command) => {
    expect(inNoTime(() => actsOf(command)).filter((act) => act.incomplete)).toEqual([])
    expect(workTime(250, () => actsOf(command))).toBeLessThan(250)
  })
})

test('fields of a tool beyond what is looked at', () => {
  const decoys = Array.from({ length: 30_000 }, () => ({ path: 'a' }))
  const found = acts(
    { tool_name: 'mcp__x__read', tool_input: { files: [...decoys, { path: '.env' }] } },
    world,
  )
  expect(isIncomplete(found)).toBe(true)
  let deep: unknown = { path: '.env' }
  for (let level = 0; level < 60; level++) deep = { inner: deep }
  expect(isIncomplete(acts({ tool_name: 'mcp__x__read', tool_input: { deep } }, world))).toBe(true)
})

test('a key at the end of a long text', () => {
  const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
  const found = acts(
    { tool_name: 'WriteFile', tool_input: { path: 'a', content: `${'x '.repeat(1_000_000)}${key}` } },
    world,
  )
  expect(found).toContainEqual(expect.objectContaining({ does: 'reveal_secret', places: ['text'] }))
})
