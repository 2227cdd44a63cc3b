/**
 * What the files in a hook's folder run outside it, as far as their text tells: they are sealed, but a script starts and
 * loads others. Read without running anything, so it misses what a script puts together only when it runs.
 */

import { dirname, extname, join, normalize } from 'node:path'
import type { Snapshot } from './snapshot.ts'

/** Something that a file of the folder names. */
export interface Named {
  /** As in the file. */
  word: string
  /** The file of the hook that names it. */
  by: string
  /** Started or loaded, or only named as a text. */
  isRun: boolean
}

export interface ScriptReach {
  named: Named[]
  /** Programs that run code of the project. */
  runners: { program: string; by: string }[]
  /** Ways to load what nobody can tell beforehand. */
  dynamic: { what: string; by: string }[]
}

/** How the words of a shell line are read; shared with `run.command`. */
export interface ShellWords {
  commands(text: string): readonly (readonly string[])[]
  /** Of one command: what it starts or loads. */
  started(words: readonly string[]): readonly string[]
  isRunner(program: string): boolean
  program(words: readonly string[]): string
}

const MAX_SCRIPT_BYTES = 1024 * 1024

export function scriptReach(bytes: Snapshot, shell: ShellWords): ScriptReach {
  const reach: ScriptReach = { named: [], runners: [], dynamic: [] }
  for (const [path, content] of bytes) {
    if (content.length > MAX_SCRIPT_BYTES) continue
    const language = languageOf(path, content)
    if (language === undefined) continue
    const text = content.toString('utf8')
    if (language === 'shell') readShell(path, text, { bytes, shell, reach })
    else readCode(path, text, { bytes, shell, reach, language })
  }
  return reach
}

type Language = 'shell' | 'python' | 'javascript' | 'other'

const LANGUAGES: Readonly<Record<string, Language>> = {
  ...{ '.sh': 'shell', '.bash': 'shell', '.zsh': 'shell', '.py': 'python' },
  ...{ '.js': 'javascript', '.mjs': 'javascript', '.cjs': 'javascript' },
  ...{ '.ts': 'javascript', '.mts': 'javascript', '.cts': 'javascript' },
  ...{ '.rb': 'other', '.pl': 'other', '.php': 'other', '.lua': 'other' },
}
const SHEBANGS: readonly [RegExp, Language][] = [
  [/\b(?:ba|da|z|k)?sh\b/, 'shell'],
  [/\bpython/, 'python'],
  [/\b(?:node|deno|bun|tsx)\b/, 'javascript'],
  [/./, 'other'],
]

function languageOf(path: string, content: Buffer): Language | undefined {
  const known = LANGUAGES[extname(path)]
  if (known !== undefined) return known
  if (content[0] !== 0x23 || content[1] !== 0x21) return undefined
  const [line = ''] = content.subarray(2, 200).toString('latin1').split('\n')
  return SHEBANGS.find(([pattern]) => pattern.test(line))?.[1]
}

interface Reading {
  bytes: Snapshot
  shell: ShellWords
  reach: ScriptReach
}

/** What is read and written by it is not run. */
const REDIRECTION = /[\d&]?(?:<<<|<<-?|<|>>|>)[&|]?\s*(?!\()(?:"[^"\n]*"|'[^'\n]*'|[^\s;|&()<>]+)/g

function readShell(by: string, text: string, { bytes, shell, reach }: Reading): void {
  const lines = text
    .replace(/^\s*#.*$/gm, '')
    .replace(/\\\n/g, ' ')
    .replace(REDIRECTION, ' ')
  for (const words of shell.commands(lines)) {
    const program = shell.program(words)
    if (shell.isRunner(program)) reach.runners.push({ program, by })
    for (const word of shell.started(words))
      if (!isInside(bytes, by, word)) reach.named.push({ word, by, isRun: true })
  }
}

/** A text in quotes with a slash or the ending of a program's file. */
const LITERAL = /(["'`])((?:\.{1,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*)\1/g

const DYNAMIC: Readonly<Partial<Record<Language, readonly [RegExp, string][]>>> = {
  javascript: [
    [/\bimport\s*\(\s*(?!["'`][^"'`$]*["'`]\s*[,)])/, 'import(…)'],
    [/\bcreateRequire\s*\(/, 'createRequire(…)'],
    [/\brequire\s*\(\s*(?!["'`][^"'`$]*["'`]\s*\))/, 'require(…)'],
  ],
  python: [
    [/\bsys\s*\.\s*path\b|\bfrom\s+sys\s+import\b[^\n]*\bpath\b/, 'sys.path'],
    [/\b(?:importlib|__import__|runpy)\b/, 'an import by name'],
  ],
}

function readCode(by: string, text: string, reading: Reading & { language: Language }): void {
  const { bytes, shell, reach, language } = reading
  for (const [pattern, what] of DYNAMIC[language] ?? [])
    if (pattern.test(text)) reach.dynamic.push({ what, by })
  for (const [, , word = ''] of text.matchAll(LITERAL)) {
    if (shell.isRunner(word)) reach.runners.push({ program: word, by })
    else if ((word.includes('/') || extname(word) in LANGUAGES) && !isInside(bytes, by, word))
      reach.named.push({ word, by, isRun: false })
  }
}

/** Scripts find their neighbours from the place of the script, from their folder, or by a variable that holds it. */
function isInside(bytes: Snapshot, by: string, word: string): boolean {
  const tail = word.replace(/^.*(?:\$\{[^}]*\}|\$\w+|\$[@*#?$!-]|[)`])\/*/s, '')
  return [tail, join(dirname(by), tail)].some((path) => bytes.has(normalize(path)))
}
