/**
 * Files outside a hook's folder that it runs: scripts in its command line, imported modules. They are pinned with the
 * hook, or the hook is refused with the reason.
 */

import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { readBytes } from '../spec/read-file.ts'
import { type ShellWords, scriptReach } from './script-reach.ts'
import { bytesDigest, folderOf, type Snapshot } from './snapshot.ts'

/** A file outside the hook's folder that its command line names. */
export interface Outside {
  /** As in the command line, without a leading variable. */
  word: string
  path: string
  digest: string
}

export interface Reach {
  files: Outside[]
  /** What cannot be pinned, as sentences for the person who is asked to trust the hook. */
  unpinned: string[]
}

export function reachOf(hook: Hook, bytes: Snapshot, bases: readonly string[]): Reach {
  if (hook.run.type === 'module') refuseOutsideImports(hook, bytes)
  else if (hook.run.type !== 'command') return { files: [], unpinned: [] }
  const files = new Map<string, Outside>()
  const unpinned = new Set<string>()
  for (const words of commandsOf(hook)) {
    const [program = '', ...args] = withoutWrappers(words)
    for (const word of scriptsAmong(program, args)) {
      const found = fileNamed(word, hook, bases)
      if (found) files.set(found.path, found)
      else if (/[$`]/.test(word)) unpinned.add(`What \`${word}\` stands for is known only when it runs.`)
    }
    if (RUNS_PROJECT_CODE.has(basename(program)))
      unpinned.add(`\`${basename(program)}\` runs code from files of the project, which can change.`)
  }
  if (hook.origin.dir !== undefined) addScripts({ hook, bytes, bases }, files, unpinned)
  return { files: [...files.values()], unpinned: [...unpinned] }
}

function commandsOf({ run }: Hook): readonly (readonly string[])[] {
  if (run.type !== 'command' || 'entry' in run) return []
  return 'argv' in run ? [run.argv] : simpleCommands(run.command)
}

const SHELL: ShellWords = {
  commands: simpleCommands,
  program: (words) => basename(withoutWrappers(words)[0] ?? ''),
  started(words) {
    const [program = '', ...args] = withoutWrappers(words)
    return startedBy(program, args)
  },
  isRunner: (program) => RUNS_PROJECT_CODE.has(program),
}

/** What a script starts is pinned where it can be told which file that is. What it only names may be data: it is listed. */
function addScripts(
  { hook, bytes, bases }: { hook: Hook; bytes: Snapshot; bases: readonly string[] },
  files: Map<string, Outside>,
  unpinned: Set<string>,
): void {
  const { named, runners, dynamic } = scriptReach(bytes, SHELL)
  for (const { word, by, isRun } of named) {
    const found = fileNamed(word, hook, bases)
    if (isRun && found && (found.digest !== ABSENT || PLAIN_PATH.test(word))) files.set(found.path, found)
    else if (isRun && /[$`]/.test(word))
      unpinned.add(`What \`${word}\` in ${by} stands for is known only when it runs.`)
    else if (found && !files.has(found.path) && isProgram(found))
      unpinned.add(`\`${word}\`, which ${by} names, is a file of the project, which can change.`)
  }
  for (const { program, by } of runners)
    unpinned.add(`\`${program}\` in ${by} runs code from files of the project, which can change.`)
  for (const { what, by } of dynamic) unpinned.add(`What ${by} loads by ${what} is known only when it runs.`)
}

/** Words of a script that look like paths may be patterns or prose: these are paths also where there is no such file. */
const PLAIN_PATH = /^\.{0,2}\/[\w.@/-]+$/

function isProgram({ path, digest }: Outside): boolean {
  return digest !== ABSENT && (SCRIPT.test(path) || (statSync(path).mode & 0o111) !== 0)
}

/**
 * Is each file unchanged, and does its word still name that file in the folder where the hook runs? Undefined when so.
 */
export function changedOutside(files: readonly Outside[], workDir: string): string | undefined {
  for (const { word, path, digest } of files) {
    if (fileDigest(path) !== digest) return `${path}, which it runs, has changed`
    if (isAbsolute(word) || !word.includes('/')) continue
    const here = resolve(workDir, word)
    if (realOf(here) !== undefined && realOf(here) !== realOf(path))
      return `\`${word}\` would run ${here}, and you trusted ${path}`
  }
  return undefined
}

/** In place of the digest of a missing file. */
export const ABSENT = 'absent'

const MAX_PROGRAM_BYTES = 1024 * 1024 * 1024

function fileDigest(path: string): string {
  try {
    return bytesDigest(readBytes(path, MAX_PROGRAM_BYTES))
  } catch {
    return ABSENT // missing, or unreadable and therefore not runnable
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Simple commands of a shell line, as words. Imprecise on purpose: splitting too much only names more files. */
function simpleCommands(line: string): string[][] {
  const words =
    line.match(
      /'[^']*'|"(?:\\.|[^"\\])*"|\\.|[;|&\n(){}`<>]|\$\(|\s+|[^\s'"\\;|&(){}`<>$]+|\$\{[^}]*\}|\$\w*/g,
    ) ?? []
  const commands: string[][] = [[]]
  let word: string | undefined
  const end = () => {
    if (word !== undefined) commands.at(-1)!.push(word)
    word = undefined
  }
  for (const part of words) {
    if (/^\s+$/.test(part) && !part.includes('\n')) end()
    else if (/^(?:[;|&\n(){}`<>]|\$\(|\s+)$/.test(part)) {
      end()
      commands.push([])
    } else word = (word ?? '') + unquoted(part)
  }
  end()
  return commands.filter((command) => command.length > 0)
}

function unquoted(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1)
  if (part.startsWith('"')) return part.slice(1, -1).replace(/\\(["\\$`])/g, '$1')
  return part.startsWith('\\') ? part.slice(1) : part
}

const WRAPPERS = new Set([
  'env',
  'exec',
  'command',
  'builtin',
  'nohup',
  'nice',
  'time',
  'timeout',
  'sudo',
  'xargs',
  'stdbuf',
  'setsid',
  'if',
  'then',
  'else',
  'elif',
  'while',
  'until',
  'do',
  '!',
  'eval',
])

function withoutWrappers(words: readonly string[]): string[] {
  let at = 0
  const skip = () => /^[A-Za-z_]\w*=/.test(words[at] ?? '') || WRAPPERS.has(basename(words[at] ?? ''))
  while (at < words.length - 1 && skip()) {
    const isWrapper = WRAPPERS.has(basename(words[at]!))
    at++
    // Options of the wrapper, and the duration argument of `timeout`.
    while (isWrapper && at < words.length - 1 && /^(?:-|\d+(?:\.\d+)?[smhd]?$)/.test(words[at]!)) at++
  }
  return words.slice(at)
}

const INTERPRETERS =
  /^(?:\.|source|(?:ba|z|da|k|c|tc)?sh|fish|python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|pwsh|osascript|awk)$/
const SCRIPT = /\.(?:sh|bash|zsh|fish|py|m?js|cjs|m?ts|cts|rb|pl|php|lua|ps1)$/i
const RUNS_PROJECT_CODE = new Set([
  'npm',
  'npx',
  'pnpm',
  'pnpx',
  'yarn',
  'bunx',
  'uv',
  'uvx',
  'make',
  'just',
  'task',
  'cargo',
  'go',
  'mvn',
  'gradle',
  'pytest',
  'tox',
  'nox',
  'pre-commit',
  'prettier',
  'eslint',
  'jest',
  'vitest',
  'rake',
  'bundle',
  'composer',
])

/** Those that are started, and every word with a script's extension. */
function scriptsAmong(program: string, args: readonly string[]): string[] {
  return [...new Set([...startedBy(program, args), ...args.filter((arg) => SCRIPT.test(arg))])]
}

/** The program if it is a path, and the script of an interpreter. */
function startedBy(program: string, args: readonly string[]): string[] {
  const found = program.includes('/') || program.includes('$') ? [program] : []
  if (INTERPRETERS.test(basename(program))) {
    const script = args.find((arg) => !arg.startsWith('-'))
    if (script !== undefined && !args.some((arg) => /^-\w*[ce]$/.test(arg))) found.push(script)
  }
  return found
}

/** Programs of the system are not part of the hook. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib32|lib64|etc|opt|nix|dev|proc|sys|System|Library|snap)\//

/** Includes missing files: a file that appears later is not what the person has seen. */
function fileNamed(given: string, hook: Hook, bases: readonly string[]): Outside | undefined {
  const word = given.replace(/^(?:\$\{[^}]*\}|\$\w+|~)\/+/, '')
  if (/[$`]/.test(word)) return undefined
  const places = isAbsolute(word) ? [word] : [...bases, folderOf(hook)].map((base) => resolve(base, word))
  const path = places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile()) ?? places[0]!
  if (SYSTEM.test(path)) return undefined
  return { word: given === word ? word : path, path, digest: fileDigest(path) }
}

const MODULE = /\.(?:m|c)?[jt]s$/
const SPECIFIER =
  /(?:^|[;}\s])(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s*)?['"]([^'"\n]+)['"]|\b(?:import|require)\s*\(\s*['"]([^'"\n]+)['"]/g

/** A module runs from the sealed copy of its folder, where imports from outside cannot be resolved. */
function refuseOutsideImports(hook: Hook, bytes: Snapshot): void {
  for (const [path, content] of bytes) {
    if (!MODULE.test(path)) continue
    for (const match of content.toString('utf8').matchAll(SPECIFIER)) {
      const specifier = match[1] ?? match[2]!
      if (process.getBuiltinModule('node:module').isBuiltin(specifier) || isInFolder(path, specifier))
        continue
      throw new CrosshookError(
        'not_trusted',
        `${join(folderOf(hook), path)} imports "${specifier}", which is not in the folder of the hook and so cannot be pinned`,
        { fix: 'Copy or bundle what it needs into the folder of the hook.' },
      )
    }
  }
}

function isInFolder(from: string, specifier: string): boolean {
  if (!/^\.\.?(?:\/|$)/.test(specifier)) return false
  const target = normalize(join(dirname(from), specifier))
  return target !== '..' && !target.startsWith(`..${sep}`)
}
