/** Translates Python's pattern syntax, which hook files use, to that of the linear-time engine. */

export type Translated = { source: string } | { problem: string }

interface State {
  text: string
  at: number
  out: string
  /** Is `(?m)` in force here? One entry for each open group. */
  multiline: boolean[]
  problem?: string
}

export function translatePattern(text: string): Translated {
  const state: State = { text, at: 0, out: '', multiline: [false] }
  while (state.at < text.length && state.problem === undefined) step(state)
  if (state.problem !== undefined) return { problem: state.problem }
  return { source: state.out }
}

function step(state: State): undefined {
  const char = state.text[state.at]!
  if (char === '\\') escapeSequence(state)
  else if (char === '[') characterClass(state)
  else if (char === '(') group(state)
  else if (char === ')') {
    if (state.multiline.length > 1) state.multiline.pop()
    copy(state, 1)
  } else if (char === '$' && !state.multiline.at(-1)) {
    // Without (?m), `$` also stands before one newline at the very end.
    replace(state, 1, '(?:\\n?\\z)')
  } else if ('*+?}'.includes(char) && state.text[state.at + 1] === '+' && state.at > 0) {
    if (char === '}' && !/\{\d*,?\d*\}$/.test(state.text.slice(Math.max(0, state.at - 20), state.at + 1)))
      copy(state, 1)
    else
      state.problem = `possessive repetition \`${char}+\` is not supported. Write \`${char}\` alone: the search never backtracks.`
  } else if (char === '{' && /^\{,\d+\}/.test(state.text.slice(state.at, state.at + 12)))
    replace(state, 1, '{0')
  else copy(state, 1)
}

function escapeSequence(state: State): undefined {
  const rest = state.text.slice(state.at + 1, state.at + 11)
  const next = rest[0]
  if (next === 'Z') return replace(state, 2, '\\z')
  if (next === 'Q') return quotedRun(state)
  const unicode = /^(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(rest)
  if (unicode) return replace(state, 1 + unicode[0].length, `\\x{${unicode[1] ?? unicode[2]}}`)
  if (/^[1-9]/.test(rest) && !/^[1-3][0-7]{2}/.test(rest)) {
    state.problem = `back-reference \`\\${next}\` cannot be searched in linear time. Spell out what may repeat, or compare the parts in the hook's script.`
    return
  }
  if (next !== undefined && next > '\x7f') return replace(state, 1, '')
  copy(state, 2)
}

/** `\Q…\E` is text as it is, so nothing in it may be translated. */
function quotedRun(state: State): undefined {
  const end = state.text.indexOf('\\E', state.at + 2)
  copy(state, (end === -1 ? state.text.length : end + 2) - state.at)
}

function characterClass(state: State): undefined {
  const { text } = state
  let end = state.at + 1
  if (text[end] === '^') end++
  if (text[end] === ']') end++
  while (end < text.length && text[end] !== ']') {
    if (text[end] === '\\') end++
    else if (text.startsWith('[:', end)) {
      const close = text.indexOf(':]', end)
      if (close !== -1 && /^[\^a-z]*$/.test(text.slice(end + 2, close))) end = close + 1
    }
    end++
  }
  const body = text
    .slice(state.at, end + 1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|[\s\S])/g, (whole, hex: string) => {
      return hex === undefined ? whole : `\\x{${hex}}`
    })
  replace(state, end + 1 - state.at, body)
}

const UNSUPPORTED: readonly (readonly [string, string])[] = [
  ['(?=', 'look-ahead `(?=…)` cannot be searched in linear time. Match what follows as part of the pattern.'],
  [
    '(?!',
    'negative look-ahead `(?!…)` cannot be searched in linear time. Put what must not match under `not`, or list what may match.',
  ],
  [
    '(?<=',
    'look-behind `(?<=…)` is not supported. Match what stands before as part of the pattern, or use `\\b`.',
  ],
  [
    '(?<!',
    'negative look-behind `(?<!…)` is not supported. Write what may stand before, such as `(?:^|[^a-z])`, or use `\\b`.',
  ],
  ['(?>', 'atomic group `(?>…)` is not supported. Write `(?:…)`: the search never backtracks.'],
  ['(?P=', 'back-reference `(?P=…)` cannot be searched in linear time. Spell out what may repeat.'],
  ['(?(', 'conditional group `(?(…)…)` cannot be searched in linear time. Write both cases as alternatives.'],
]

function group(state: State): undefined {
  const { text, at } = state
  for (const [opening, problem] of UNSUPPORTED) {
    if (!text.startsWith(opening, at)) continue
    state.problem = problem
    return
  }
  if (text.startsWith('(?#', at)) {
    const end = text.indexOf(')', at)
    return replace(state, (end === -1 ? text.length : end + 1) - at, '')
  }
  const inherited = state.multiline.at(-1)!
  const flags = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])/.exec(text.slice(at, at + 24))
  if (!flags) {
    state.multiline.push(inherited)
    return copy(state, 1)
  }
  const [whole, on = '', off = '', close] = flags
  if (on.includes('x')) {
    state.problem = 'verbose mode `(?x)` is not supported. Write the pattern without spaces and comments.'
    return
  }
  const multiline = on.includes('m') || (inherited && !off.includes('m'))
  // Drop Python's flags for how letters are understood: this engine has only one way.
  const kept = `${on.replace(/[auLU]/g, '')}${off === '' ? '' : `-${off}`}`
  if (close === ')') state.multiline[state.multiline.length - 1] = multiline
  else state.multiline.push(multiline)
  replace(state, whole.length, close === ')' && kept === '' ? '' : `(?${kept}${close}`)
}

function copy(state: State, length: number): undefined {
  replace(state, length, state.text.slice(state.at, state.at + length))
}

function replace(state: State, length: number, by: string): undefined {
  state.out += by
  state.at += length
}
