// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
/** Shell lines that are made from known words must come back as these words. */

import { expect, test } from 'vitest'
import { times } from '../../test/times.ts'
import { loadActs } from './acts.ts'
import { thisWorld } from './world.ts'

const LINES = times(3_000, 100_000)
const world = { ...thisWorld('/home/me/project', { HOME: '/home/me' }), disk: null }

/** mulberry32: the same lines at every run. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Pick = (below: number) => number
const choose = <T>(pick: Pick, from: readonly T[]): T => from[pick(from.length)]!

const CHARACTERS = [...'abcXYZ019._/-=:,@%+ \t*?[]{}()<>|&;$`"\'\\!#~^é字\n']

function randomWord(pick: Pick): string {
  return Array.from({ length: pick(6) }, () => choose(pick, CHARACTERS)).join('')
}

/** One word, each piece of it quoted in another way. */
function quoted(pick: Pick, word: string): string {
  if (word === '') return choose(pick, ["''", '""', "$''"])
  let out = ''
  for (let at = 0; at < word.length; ) {
    const piece = word.slice(at, at + 1 + pick(3))
    at += piece.length
    out += choose(pick, QUOTES)(piece, pick)
  }
  return out
}

const escapedDouble = (piece: string) => piece.replace(/[\\"$`]/g, '\\$&')
const single = (piece: string) => `'${piece.replaceAll("'", "'\\''")}'`

const QUOTES: readonly ((piece: string, pick: Pick) => string)[] = [
  single,
  (piece) => `"${escapedDouble(piece)}"`,
  (piece) => [...piece].map((char) => (char === '\n' ? "'\n'" : `\\${char}`)).join(''),
  (piece) =>
    `$'${[...Buffer.from(piece)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`,
  (piece) => `$'${piece.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}'`,
  (piece) => `""${single(piece)}''`,
  (piece) => (/^[\w./:@%+-]+$/.test(piece) ? piece : single(piece)),
  (piece) => `"\${unset:-${/^\w+$/.test(piece) ? piece : ''}}"${/^\w+$/.test(piece) ? '' : single(piece)}`,
  (piece) => `${single(piece)}\\\n`,
  (piece) =>
    `"$(printf %s ${single(piece.endsWith('\n') ? '' : piece)})"${piece.endsWith('\n') ? single(piece) : ''}`,
]

/** Ways to run a line: each gives the line in which it is run. */
const WRAPPERS: readonly ((line: string, pick: Pick) => string)[] = [
  (line) => line,
  (line) => `sudo -u root -- ${line}`,
  (line) => `env -u A B='c d' ${line}`,
  (line) => `nohup timeout -k 1 5s ${line}`,
  (line) => `nice -n 5 ${line}`,
  (line) => `bash -c ${single(line)}`,
  (line) => `sh -ec "${escapedDouble(line)}"`,
  (line) => `eval ${single(line)}`,
  (line) => `{ ${line}\n}`,
  (line) => `( ${line}\n)`,
  (line) => `if true; then ${line}\nfi`,
  (line) => `for i in 1; do ${line}\ndone`,
  (line) => `true && ${line}`,
  (line) => `false || ! ${line}`,
  (line) => `echo x | ${line} | cat`,
  (line) => `x=$( ${line}\n)`,
  (line) => `f() { ${line}\n}; f`,
  (line) => `${line} > /dev/null 2>&1 &`,
  (line) => `A=1 ${line}`,
  (line) => `bash <<< ${single(line)}`,
  (line) => `bash <<'END${line.length}'\n${line}\nEND${line.length}\n`,
  (line) => `printf %s ${single(line)} | sh`,
]

test(`${LINES} lines rendered from words come back as these words`, { timeout: 120_000 }, async () => {
  const seen: string[][] = []
  const actsOf = loadActs({
    probe: {
      stops: true,
      acts({ args }) {
        seen.push(args.map(({ text }) => text))
        return []
      },
    },
  })
  const pick = random(20_261_116)
  for (let count = 0; count < LINES; count++) {
    const words = Array.from({ length: pick(4) }, () => randomWord(pick))
    const argument = (word: string, at: number) =>
      pick(8) === 0
        ? { line: `v${at}=${quoted(pick, word)}\n`, word: `"$v${at}"` }
        : { line: '', word: quoted(pick, word) }
    const parts = words.map(argument)
    const before = parts.map(({ line }) => line).join('')
    let line = [
      quoted(pick, choose(pick, ['probe', '/usr/bin/probe'])),
      ...parts.map(({ word }) => word),
    ].join(' ')
    // A variable must be set in the shell that uses it.
    if (before !== '') line = `{ ${before}${line}\n}`
    const depth = before === '' ? pick(4) : 0
    for (let level = 0; level < depth; level++) line = choose(pick, canWrap(line))(line, pick)
    seen.length = 0
    const acts = actsOf({ tool_name: 'Shell', tool_input: { command: line } }, world)
    const isFound = seen.some(
      (args) => args.length === words.length && args.every((arg, at) => arg === words[at]),
    )
    if (!isFound)
      expect({ line, seen, acts: acts.filter(({ does }) => does === 'unknown') }).toEqual({ line, words })
  }
})

/** Programs cannot start what only a shell understands. */
function canWrap(line: string) {
  const isSimple =
    /^(?:["'$\\p/]|(?:sudo|env|nohup|nice|bash|sh) )/.test(line) &&
    !/^(?:bash|sh|printf) .*<<|^printf|[|&]$/s.test(line)
  return isSimple
    ? WRAPPERS
    : WRAPPERS.filter((_, at) => at === 0 || (at >= 5 && at <= 10) || at === 15 || at === 16 || at >= 19)
}
