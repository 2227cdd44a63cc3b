// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
/** No input throws, and none takes long: over the budget it is `unknown`. */

import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { ANY_CHARACTER } from '../../test/any-text.ts'
import { times } from '../../test/times.ts'
import { inNoTime, workTime } from '../../test/work-time.ts'
import { type Act, DOES, PLACES } from '../spec/act.ts'
import { type ActsOf, loadActs } from './acts.ts'
import { thisWorld } from './world.ts'

const MEGABYTE = 1_000_000
/** Milliseconds of work for a megabyte of anything. */
const LIMIT_MS = 200

const world = thisWorld('/home/me/project', { HOME: '/home/me' })
let acts: ActsOf
beforeAll(async () => {
  acts = loadActs()
  // What is compiled on first use is not what is measured.
  for (let round = 0; round < 20; round++)
    acts({ tool_name: 'Shell', tool_input: { command: 'a=1; sudo sh -c "rm -rf $a *"' } }, world)
})

const filled = (text: string) => text.repeat(Math.ceil(MEGABYTE / text.length)).slice(0, MEGABYTE)

describe('a megabyte of', () => {
  test.each([
    ['text', `echo ${filled('x')}`],
    ['commands', filled('rm -rf a b; ')],
    ['substitutions', filled('$(')],
    ['backticks', filled('`')],
    ['braces', `echo ${filled('{a,b}')}`],
    ['nested braces', filled('{a,')],
    ['parentheses', filled('(')],
    ['here-documents', filled('cat <<A ')],
    ['quotes', filled(`"'`)],
    ['parameters', filled('${a:-')],
    ['patterns of parameters', `a=${'a'.repeat(250)}; echo ${filled('${a%%*a*a*a*b}')}`],
    ['wrappers', `${filled('sudo ')} rm`],
    ['eval', `${filled('eval ')} rm`],
    ['a here-document', `cat > f <<E\n${filled('abc $x def\n')}\nE\n`],
    ['code', `python3 - <<'E'\n${filled('open("x", [f("y")])\n')}\nE\n`],
    ['open calls', `python3 - <<'E'\n${filled('f(')}\nE\n`],
    ['methods', `php -r '${filled('$a.$b(')}'`],
    ['formatted texts', `python3 - <<'E'\n${filled('f"{a}".format(')}\nE\n`],
    ['loops in code', `python3 -c '${filled('for a in b:\n ')}'`],
    [
      'loops over many names',
      `python3 -c '${Array.from({ length: 50_000 }, (_, n) => `for a in b${n}:\n `).join('')}'`,
    ],
    ['blocks', `ruby -e '${filled('a[1].each{|x| ')}'`],
    ['variables of the environment', `node -e '${filled('process.env.API_KEY ')}'`],
    ['queries', `python3 -c '${filled('.execute("')}'`],
    ['awk', `awk '${filled('system("')}'`],
    ['pipes of awk', `awk '${filled('|sh ')}'`],
    ['words of PowerShell', `pwsh -c '${filled('"a"+')}'`],
    ['variables of PowerShell', `pwsh -c "\\$x='${'a'.repeat(10_000)}'; ${filled('\\$x ')}"`],
    ['words of cmd', `cmd /c '${filled('="')}'`],
    ['sql', `psql -c "${filled('copy a to ')}"`],
    ['file names', `rm ${filled('*a*b*c* ')}`],
    ['growing variables', `a=xx; ${filled('a=$a$a; ')}`],
    ['pipes', filled('cat|')],
    [
      'functions',
      `${Array.from({ length: 30_000 }, (_, n) => `f${n}() { f${n + 1}; f${n + 1}; }`).join('; ')}; f0`,
    ],
    ['loops', filled('for a in 1 2 3 4 5 6 7 8; do ')],
    ['redirections', `x ${filled('>a ')}`],
    ['a path', `rm ${filled('a/')}`],
    ['short options', `rm -${filled('r')}`],
    ['tr', `echo ${'a'.repeat(90_000)} | tr ${filled('a-z')} b`],
    ['xargs', `printf '${filled('a\\n')}' | xargs rm`],
    ['nothing', filled('\0')],
  ])('%s', (_, command) => {
    const call = { tool_name: 'Shell', tool_input: { command } }
    expect(workTime(LIMIT_MS, () => acts(call, world))).toBeLessThan(LIMIT_MS)
  })

  test.each<[string, Record<string, unknown>]>([
    ['EditFile', { patch: filled('*** Update File: a\n') }],
    ['mcp__x__read', { path: filled('a/') }],
    ['mcp__x__y', { params: Array.from({ length: 50_000 }, () => ({ path: '.env' })) }],
    ['mcp__db__query', { sql: filled('delete from a;') }],
  ])('the input of %s', (tool_name, tool_input) => {
    const call = { tool_name, tool_input }
    expect(workTime(LIMIT_MS, () => acts(call, world))).toBeLessThan(LIMIT_MS)
  })
})

test('beyond its budget the analysis adds an unknown act and keeps the acts found before', () => {
  const call = { tool_name: 'Shell', tool_input: { command: `rm -rf /; ${filled('ls;')}` } }
  const found = inNoTime(() => acts(call, world))
  expect(found).toContainEqual(expect.objectContaining({ does: 'delete', path: '/' }))
  expect(found).toContainEqual(expect.objectContaining({ does: 'unknown' }))
})

const PIECES = (
  '$( ) ` " \' \\ { } , $ ${ ; | & \n << <<< EOF <( >( (( [[ ]] * ? [ ] ~ ! # = += > >> < 2>&1 @( :- %% // ^^ : if then fi for x in do done while read case esac ' +
  'function f() f a= $a $@ "$*" eval source . exec sudo env bash -c sh xargs find -exec python3 -c node -e perl awk sed rm -rf / .env cat curl https://a.b -o | base64 -d printf -v set -- declare -n trap alias cd - \0 \u{1f600} é'
).split(' ')

test('no line throws, and every act is well formed', () => {
  const piece = fc.constantFrom(...PIECES)
  const line = fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 200 }),
    fc.array(piece, { maxLength: 40 }).map((all) => all.join(' ')),
    fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(line, (command) => {
      const call = { tool_name: 'Shell', tool_input: { command } }
      let found: readonly Act[] = []
      const took = workTime(LIMIT_MS, () => {
        found = acts(call, world)
      })
      expect([took < LIMIT_MS, ...found.filter((act) => !isWellFormed(act))]).toEqual([true])
    }),
    { numRuns: times(1000, 10_000) },
  )
})

function isWellFormed({ does, certain, places = [], why }: Act): boolean {
  return (
    DOES.includes(does) &&
    typeof certain === 'boolean' &&
    places.every((place) => PLACES.includes(place)) &&
    (does !== 'unknown' || Boolean(why))
  )
}

test('no input of a tool throws', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(
        'Shell',
        'ReadFile',
        'EditFile',
        'Search',
        'WebFetch',
        'mcp__fs__move',
        'mcp__x__run',
        'other',
      ),
      fc.dictionary(
        fc.constantFrom(
          'command',
          'path',
          'args',
          'patch',
          'source',
          'destination',
          'url',
          'code',
          'sql',
          'glob',
          'edits',
          'params',
        ),
        fc.anything({ maxDepth: 3 }),
      ),
      (tool_name, tool_input) => {
        acts({ tool_name, tool_input }, world)
      },
    ),
    { numRuns: times(700, 10_000) },
  )
})

test('an internal error of the model is an unknown act, not silence', async () => {
  const broken = loadActs({
    broken: {
      acts() {
        throw new Error('a row that throws')
      },
    },
  })
  expect(broken({ tool_name: 'Shell', tool_input: { command: 'rm x; broken' } }, world)).toContainEqual(
    expect.objectContaining({ does: 'unknown', why: expect.stringContaining('a row that throws') }),
  )
})
