/** The tools beside the shell: what a call does by the canonical tool, or by the names of its tool and fields. */

import { parseMcpName } from '../spec/tool.ts'
import { cutShort } from './cut.ts'
import type { Effect, Language } from './program.ts'
import { isNarrowPattern } from './search-pattern.ts'
import type { Word } from './word.ts'

type Input = Readonly<Record<string, unknown>>

/** What a tool does to the paths in its input. */
type Verb = 'read' | 'write' | 'delete' | 'move' | 'copy' | 'look' | 'run' | 'send' | 'unknown'

export function toolEffects(name: string, input: Input): Effect[] {
  const canonical = Object.hasOwn(CANONICAL, name) ? CANONICAL[name]! : undefined
  if (canonical) return canonical(input)
  const verb = verbOf(parseMcpName(name)?.tool ?? name)
  const changes = verb === 'read' || verb === 'look' ? [] : patched(input)
  return [...byFields(verb, name, input), ...changes, ...wholeFolders(verb, name, input)]
}

const CANONICAL: Readonly<Record<string, (input: Input) => Effect[]>> = {
  Shell: (input) => commands(input),
  ReadFile: (input) => located(input, 'read'),
  WriteFile: (input) => located(input, 'write'),
  EditFile: (input) => [...located(input, 'write'), ...patched(input)],
  DeleteFile: (input) => located(input, 'delete'),
  Search: (input) => [...located(input, 'read'), ...searched(input), ...shownWhole(input)],
  FindFiles: () => [],
  ListFolder: () => [],
  WebFetch: (input) => urls(input),
  WebSearch: () => [],
  Subagent: () => [],
  Todo: () => [],
}

const VERBS: readonly (readonly [RegExp, Verb])[] = [
  [/^(?:move|rename|mv)$/, 'move'],
  [/^(?:copy|cp|duplicate|clone|zip|compress|archive|backup)$/, 'copy'],
  [/^(?:delete|remove|unlink|trash|rm|rmdir|erase|destroy)$/, 'delete'],
  [
    /^(?:run|exec|execute|shell|bash|terminal|command|process|stdin|spawn|eval|sh|zsh|powershell|cmd)$/,
    'run',
  ],
  [
    /^(?:write|create|save|put|append|edit|update|insert|replace|patch|modify|set|make|mkdir|touch|apply|overwrite|store|chmod|chown|symlink|link|extract|unzip|unpack|mount|restore)$/,
    'write',
  ],
  [/^(?:upload|send|post|publish|push|share)$/, 'send'],
  [/^(?:list|ls|stat|exists|glob|find|tree|info|directory|metadata)$/, 'look'],
  [
    /^(?:read|get|view|show|cat|open|load|fetch|download|head|tail|search|grep|content|contents|diff|query|parse|print)$/,
    'read',
  ],
]

/** `read_text_file`, `moveFile`, `fs.write`: the first word that says what it does. */
function verbOf(name: string): Verb {
  if (/stdin/i.test(name)) return 'run'
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  const verbs = words.flatMap((word) => VERBS.find(([test]) => test.test(word))?.[1] ?? [])
  // `directory_tree_delete`, `find_and_replace`: what only looks is not the end of it.
  return (verbs[0] === 'look' ? verbs.find((verb) => CHANGES.has(verb)) : undefined) ?? verbs[0] ?? 'unknown'
}

const CHANGES: ReadonlySet<Verb> = new Set(['write', 'delete', 'move'])

/** One of several operations in a list says itself what it does. */
function verbAround(around: Input): Verb | undefined {
  for (const field of ['type', 'op', 'kind', 'operation', 'action', 'method']) {
    const verb = typeof around[field] === 'string' ? verbOf(around[field]) : 'unknown'
    if (verb !== 'unknown') return verb
  }
  return undefined
}

const PATHS =
  /^(?:(?:absolute|relative|full|local|input|target|notebook|directory|dir|file|folder|image|repo)?_?(?:path|paths|file|files|filename|filenames|filepath|file_?paths?|file_?names?)|target|location|document|directory|folder|root|uri|resource)$/i
const SOURCES = /^(?:source|src|from|old_?path|source_?(?:path|file)|origin|from_?path)$/i
const TARGETS =
  /^(?:destination|dest|dst|to|new_?path|destination_?(?:path|file)|target_?(?:path|file)?|output|output_?(?:path|file)|save_?(?:path|to)|to_?path|out)$/i
const COMMANDS = /^(?:command|cmd|script|shell_?command|command_?line|commands|chars|bash|shell|exec)$/i
const URLS = /^(?:url|urls|uri|href|link|endpoint|address|webhook(?:_url)?|base_url)$/i

/** Texts and folders to work in, not files that are changed. */
const NO_FILES =
  /content|body|text|message|title|description|prompt|query|pattern|string|comment|summary|sql|code|command|cwd|work|root/i
const KEYS = /input|interact|terminal|pty|keys|keystrokes/i

function byFields(own: Verb, name: string, input: Input): Effect[] {
  const effects: Effect[] = []
  walk(input, 0, (field, value, around) => {
    const verb = around === input ? own : (verbAround(around) ?? own)
    // A field with another name may be a file all the same.
    if (verb !== 'read' && verb !== 'look' && !NO_FILES.test(field) && /^(?:[~/]|file:)\S*$/.test(value))
      effects.push({ guards: text(value), certain: false, why: 'a tool is given it, and may change it' })
    if (/^(?:input|text|keys|data)$/i.test(field) && KEYS.test(name)) effects.push({ script: text(value) })
    if (/kill|stop|terminate|signal/i.test(name) && /crosshook/.test(value))
      effects.push({ does: 'change_guards', why: 'ends the engine of the hooks' })
    if (/^(?:database|db|db_?path|db_?file|database_?path)$/i.test(field) && !isSelect(input))
      effects.push({ guards: text(value), certain: false, why: 'writes to it as a database' })
    if (
      COMMANDS.test(field) &&
      (verb === 'run' || verb === 'unknown' || field === 'command' || field === 'cmd')
    ) {
      effects.push(...commands({ command: value, args: around.args ?? around.arguments }))
      return
    }
    if (field === 'code' && verb === 'run')
      effects.push({ code: languageOf(name, around), text: text(value) })
    if (
      /^(?:sql|query|statement)$/i.test(field) &&
      (/sql|postgres|database|sqlite|mysql|db|bigquery|snowflake/i.test(name) || field === 'sql')
    ) {
      effects.push({ code: 'sql', text: text(value) })
      return
    }
    if (/^(?:https?|ftp|wss?):\/\//i.test(value)) {
      if (URLS.test(field))
        effects.push(
          { does: 'connect', host: text(value) },
          ...(verb === 'send' ? [{ does: 'send', host: text(value), certain: false } as const] : []),
        )
      return
    }
    if (/^(?:revision|rev|ref|object|commit|treeish)$/i.test(field)) {
      const path = /^[^:\s]+:(.+)$/.exec(value)?.[1]
      if (path) effects.push({ does: 'read', path: text(path) })
      return
    }
    if (SOURCES.test(field))
      effects.push({
        does: verb === 'move' ? 'delete' : 'read',
        path: text(value),
        ...(verb === 'move' && { recursive: true }),
      })
    else if (TARGETS.test(field) && !(field === 'target' && verb !== 'move' && verb !== 'copy')) {
      if (isPathLike(value, field))
        effects.push(...pathEffects(verb === 'delete' || verb === 'read' ? verb : 'write', value))
    } else if (PATHS.test(field)) effects.push(...pathEffects(verb, value))
  })
  return effects
}

function isSelect(input: Input): boolean {
  const statement = input.query ?? input.sql ?? input.statement
  return typeof statement === 'string' && /^\s*(?:select|explain)\b/i.test(statement)
}

/** Copied, packed or searched with a pattern that every line fits. */
function wholeFolders(verb: Verb, name: string, input: Input): Effect[] {
  if (/search|grep/i.test(name)) return shownWhole(input)
  const effects: Effect[] = []
  if (verb === 'copy' || verb === 'send')
    walk(input, 0, (field, value) => {
      if (SOURCES.test(field) || PATHS.test(field)) effects.push({ takes: text(value) })
    })
  return effects
}

function shownWhole(input: Input): Effect[] {
  const pattern = input.pattern ?? input.regex ?? input.query ?? input.search
  const folder = input.path ?? input.directory ?? input.folder ?? '.'
  if (typeof pattern !== 'string' || typeof folder !== 'string' || isNarrowPattern(pattern)) return []
  return [{ takes: text(folder) }]
}

/** `to: alice@example.org` is no path. */
function isPathLike(value: string, field: string): boolean {
  return /path|file|dest|dst/i.test(field) || /[/\\.]/.test(value)
}

function pathEffects(verb: Verb, value: string): Effect[] {
  const path = text(value)
  switch (verb) {
    case 'read':
      return [{ does: 'read', path }]
    case 'write':
      return [{ does: 'write', path }]
    case 'delete':
      return [{ does: 'delete', path, recursive: true }]
    case 'move':
      return [{ does: 'delete', path, recursive: true }]
    case 'copy':
      return [{ does: 'read', path }]
    case 'send':
      return [
        { does: 'read', path },
        { does: 'send', path },
      ]
    case 'run':
      return [{ does: 'run', path, certain: false }]
    case 'look':
      return []
    default:
      return [{ does: 'read', path, certain: false, why: 'the tool may read it' }]
  }
}

const DEEPEST = 40
const MOST_FIELDS = 20_000

function walk(
  value: unknown,
  depth: number,
  visit: (field: string, value: string, around: Input) => void,
): void {
  let left = MOST_FIELDS
  const step = (each: unknown, level: number, field: string, around: Input): void => {
    if (left-- <= 0) cutShort(`more than ${MOST_FIELDS} fields`)
    else if (level > DEEPEST) cutShort(`fields more than ${DEEPEST} levels deep`)
    else if (typeof each === 'string') visit(field, each, around)
    else if (Array.isArray(each)) for (const item of each) step(item, level + 1, field, around)
    else if (typeof each === 'object' && each !== null)
      for (const [key, inner] of Object.entries(each)) {
        // `files: { "path": "content" }`
        if (/^(?:[~/]|\.[\w.]).*\//.test(key)) visit('path', key, each as Input)
        if ((key === 'args' || key === 'arguments') && ('command' in each || 'cmd' in each)) continue
        step(inner, level + 1, key, each as Input)
      }
  }
  step(value, depth, '', {})
}

/** A line, a list of words, or a program with `args`. */
function commands({ command, args, cmd, script, chars }: Input): Effect[] {
  const given = command ?? cmd ?? script ?? chars
  if (typeof given === 'string') {
    if (Array.isArray(args) && args.every((arg) => typeof arg === 'string'))
      return [{ argv: [given, ...args].map(text) }]
    return [{ script: text(given) }]
  }
  if (!Array.isArray(given)) return []
  const words = given.filter((word) => typeof word === 'string')
  // A list is a program and its arguments, or, when its first item has a space, several lines.
  return words[0]?.includes(' ') ? words.map((line) => ({ script: text(line) })) : [{ argv: words.map(text) }]
}

function languageOf(name: string, around: Input): Language {
  const hint = `${name} ${typeof around.language === 'string' ? around.language : ''}`
  if (/node|javascript|typescript|\bjs\b|deno|bun/i.test(hint)) return 'javascript'
  if (/ruby/i.test(hint)) return 'ruby'
  if (/bash|shell/i.test(hint)) return 'shell'
  if (/\br\b/i.test(hint)) return 'r'
  return 'python'
}

function located(input: Input, does: 'read' | 'write' | 'delete'): Effect[] {
  const effects: Effect[] = []
  walk(input, 0, (field, value) => {
    if (
      /^(?:path|file_?path|absolute_path|notebook_path|paths|files|file_?paths|target_file|filename|uri)$/i.test(
        field,
      )
    )
      effects.push({ does, path: text(value), ...(does === 'delete' && { recursive: true }) })
  })
  return effects
}

/** A search that names a file by its glob reads that file; one over a folder reads what it finds there. */
function searched(input: Input): Effect[] {
  const folder = typeof input.path === 'string' ? `${input.path.replace(/\/+$/, '')}/` : ''
  return ['glob', 'include', 'file_pattern', 'include_pattern', 'globs', 'includes'].flatMap(
    (field): Effect[] => {
      const value = input[field]
      const globs = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string')
      return globs.map((glob) => {
        const plain = glob.replace(/^(?:\*\*\/)+/, '')
        const below = [{ folder: folder || '.', name: plain.slice(plain.lastIndexOf('/') + 1) }]
        return {
          does: 'read',
          path: { text: folder + plain, below, ...(/[*?[]/.test(plain) && { glob: true }) },
        }
      })
    },
  )
}

/** Files that a patch adds, changes, moves and deletes. */
function patched(input: Input): Effect[] {
  const effects: Effect[] = []
  for (const field of ['patch', 'input', 'diff', 'patch_text', 'patchText']) {
    const patch = input[field]
    if (typeof patch !== 'string') continue
    for (const [, does, path] of patch.matchAll(
      /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/gm,
    ))
      effects.push({ does: does === 'Delete File' ? 'delete' : 'write', path: text(path!) })
    for (const [, path] of patch.matchAll(/^\+\+\+ (?:b\/)?(?!\/dev\/null)(.+?)(?:\t.*)?$/gm))
      effects.push({ does: 'write', path: text(path!) })
    for (const [, path] of patch.matchAll(/^--- (?:a\/)?(?!\/dev\/null)(.+?)(?:\t.*)?\n\+\+\+ \/dev\/null/gm))
      effects.push({ does: 'delete', path: text(path!) })
    for (const [, path] of patch.matchAll(/^(?:rename|copy) to (.+)$/gm))
      effects.push({ does: 'write', path: text(path!) })
    for (const [, path] of patch.matchAll(/^rename from (.+)$/gm))
      effects.push({ does: 'delete', path: text(path!) })
  }
  return effects
}

function urls(input: Input): Effect[] {
  const effects: Effect[] = []
  walk(input, 0, (field, value) => {
    if (URLS.test(field) || /^(?:https?|file):\/\//.test(value))
      effects.push({ does: 'connect', host: text(value) })
  })
  return effects
}

function text(value: string): Word {
  return { text: value }
}
