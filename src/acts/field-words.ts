/** What a field of a tool holds, by the words of its name: `script_content`, `pathInProject`, `target_zip_file`. */

import { wordsOf } from './name-words.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** The word that counts, and how the field is usually called. */
const CORES: Readonly<Record<string, string>> = {
  command: 'command',
  commands: 'command',
  cmd: 'command',
  cmdline: 'command',
  script: 'script',
  code: 'code',
  snippet: 'code',
}
const FILLERS = set(
  'content contents text string body block snippet cell python python3 py js javascript typescript ts node ruby php perl r bash sh zsh shell apple applescript osa jxa powershell pwsh full raw inline to run execute remote',
)
const MAX_WORDS = 4

/** `python_code` is `code`, `script_content` is `script`, `cmdline` is `command`; other names stay. */
export function usualField(field: string): string {
  if (!/code|script|snippet|cmd|command/i.test(field)) return field
  const words = wordsOf(field)
  if (words.length > MAX_WORDS) return field
  const core = words.find((word) => Object.hasOwn(CORES, word))
  const isUsual = core !== undefined && words.every((word) => Object.hasOwn(CORES, word) || FILLERS.has(word))
  return isUsual ? CORES[core]! : field
}

const NOUNS = set('path paths filepath filepaths file files directory directories dir folder folders')
/** A path with another word beside it is often none: of a node, a route, the project; or it is only used, as a key is. */
const BESIDE = set(
  'absolute relative full local input output target source src dest destination notebook document doc image audio video media pdf csv zip archive tar attachment upload download save original existing new old text markdown html env from to in data',
)
const WHERE_TO = set('target dest destination output save new to')

export type PathField = 'given' | 'made' | 'remote'

/** A path that the tool is given, one that it makes, or one of another machine; undefined when it is none of them. */
export function pathField(field: string): PathField | undefined {
  if (!/path|file|dir|folder/i.test(field)) return undefined
  const words = wordsOf(field)
  if (words.length < 2 || words.length > MAX_WORDS || !words.some((word) => NOUNS.has(word))) return undefined
  const beside = words.filter((word) => !NOUNS.has(word))
  if (beside.join(' ') === 'remote') return 'remote'
  if (/^path in (?:project|repo|repository|workspace)$/.test(words.join(' '))) return 'given'
  if (!beside.every((word) => BESIDE.has(word))) return undefined
  return beside.some((word) => WHERE_TO.has(word)) ? 'made' : 'given'
}
