/** The tools beside the shell: what a call does by the canonical tool, or by the names of its tool and fields. */

import { parseMcpName } from '../spec/tool.ts'
import { windowsShells } from './code/powershell.ts'
import { pathField, usualField } from './field-words.ts'
import { wordsOf } from './name-words.ts'
import type { Effect } from './program.ts'
import { isNarrowPattern, seeksKeys } from './search-pattern.ts'
import { codeIn, isExplained, isSelect, isSql } from './tool-code.ts'
import { STARTED, walk } from './tool-fields.ts'
import { patched } from './tool-patches.ts'
import { programEffects } from './tool-programs.ts'
import { rightsEffects } from './tool-rights.ts'
import { serviceEffects } from './tool-services.ts'
import type { Word } from './word.ts'

type Input = Readonly<Record<string, unknown>>

/** What a tool does to the paths in its input. */
type Verb = 'read' | 'write' | 'delete' | 'move' | 'copy' | 'look' | 'run' | 'send' | 'unknown'

export function toolEffects(name: string, input: Input): Effect[] {
  const canonical = Object.hasOwn(CANONICAL, name) ? CANONICAL[name]! : undefined
  if (canonical) {
    const effects = canonical(input)
    // The path may be in a field that the table of the agent does not know.
    return effects.length === 0 && ON_FILES.has(name) ? byFields(verbOf(name), name, input) : effects
  }
  const { server, tool } = parseMcpName(name) ?? { server: '', tool: name }
  const verb = verbOf(tool)
  const changes = verb === 'read' || verb === 'look' ? [] : patched(input, /patch|diff/i.test(tool))
  return [
    ...byFields(verb, name, input),
    ...changes,
    ...wholeFolders(verb, name, input),
    ...serviceEffects(server, tool, input),
    ...rightsEffects(server, tool, input),
    ...programEffects(server, tool, input),
  ]
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

const ON_FILES: ReadonlySet<string> = new Set(['ReadFile', 'WriteFile', 'EditFile', 'DeleteFile'])

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
  const verbs = wordsOf(name).flatMap((word) => VERBS.find(([test]) => test.test(word))?.[1] ?? [])
  // `get_file_info`: nothing of the content.
  if (/^(?:read look|look read)$/.test(verbs.join(' ')) && ABOUT.test(name)) return 'look'
  // `directory_tree_delete`, `find_and_replace`: what only looks is not the end of it.
  return (verbs[0] === 'look' ? verbs.find((verb) => CHANGES.has(verb)) : undefined) ?? verbs[0] ?? 'unknown'
}

const ABOUT =
  /(?:get|view|show)(?:[\W_]?(?:file|dir|directory|path|item|entry))*[\W_]?(?:info|metadata|stats?)$/i
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
  /^(?:(?:absolute|relative|full|local|input|target|notebook|directory|dir|file|folder|image|repo)?_?(?:path|paths|file|files|filename|filenames|filepath|file_?paths?|file_?names?)|target|location|document|directory|folder|root|uri|resource|attachments?|attachment_?(?:paths?|files?))$/i
const SOURCES = /^(?:source|src|from|old_?path|source_?(?:path|file)|origin|from_?path)$/i
const TARGETS =
  /^(?:destination|dest|dst|to|new_?path|destination_?(?:path|file)|target_?(?:path|file)?|output|output_?(?:path|file)|save_?(?:path|to)|to_?path|out)$/i
const COMMANDS =
  /^(?:command|cmd|script|shell_?command|command_?line|cli_?command|cmd_?line|line|run|(?:shell|bash)_?(?:script|command)|commands|chars|bash|shell|exec)$/i
const URLS = /^(?:(?:\w+_)?urls?|\w+Url|uri|href|link|endpoint|address|webhook(?:_url)?|base_url)$/i

/** Texts and folders to work in, not files that are changed. */
const NO_FILES =
  /content|body|text|message|title|description|prompt|query|pattern|string|comment|summary|sql|code|command|cwd|work|root/i
const KEYS = /input|interact|terminal|pty|keys|keystrokes|(?:^|_)(?:z|ba|fi)?sh(?:_|$)|shell/i

function byFields(own: Verb, name: string, input: Input): Effect[] {
  const effects: Effect[] = []
  const isDownload = /download|export|convert|screenshot/i.test(name)
  const visit = (given: string, value: string, around: Input): void => {
    const verb = around === input ? own : (verbAround(around) ?? own)
    const field = usualField(given)
    // A field with another name may be a file all the same.
    if (verb !== 'read' && verb !== 'look' && !NO_FILES.test(field) && /^(?:[~/]|file:)\S*$/.test(value))
      effects.push({ guards: text(value), certain: false, why: 'a tool is given it, and may change it' })
    if (/^(?:input|text|keys|data)$/i.test(field) && KEYS.test(name))
      effects.push(
        { script: text(value) },
        ...(/process|repl/i.test(name) ? [{ code: 'python', text: text(value) } as const] : []),
      )
    if (/kill|stop|terminate|signal/i.test(name) && /crosshook/.test(value))
      effects.push({ does: 'change_guards', why: 'ends the engine of the hooks' })
    if (/^(?:database|db|db_?path|db_?file|database_?path)$/i.test(field) && !isSelect(input))
      effects.push({ guards: text(value), certain: false, why: 'writes to it as a database' })
    const code = codeIn(verb, field === given ? name : `${name} ${given}`, field, value, around)
    if (code) {
      effects.push(...code)
      return
    }
    const args = around.args ?? around.arguments
    if (STARTED.test(field) && Array.isArray(args)) {
      effects.push(...commands({ command: value, args }))
      return
    }
    if (
      COMMANDS.test(field) &&
      (verb === 'run' || verb === 'unknown' || /^(?:cli_?command|command|cmd)$/i.test(field))
    ) {
      effects.push(...commands({ command: value, args }))
      if (/n?vim/i.test(name)) effects.push({ code: 'vim', text: text(value) })
      if (/sql/i.test(name)) effects.push({ code: 'sql', text: text(value) })
      return
    }
    if (isSql(name, field, value)) {
      if (!isExplained(name, input)) effects.push({ code: 'sql', text: text(value) })
      return
    }
    if (/^(?:view-source:)?file:/i.test(value) && (URLS.test(field) || verb === 'read')) {
      effects.push(
        ...pathEffects(
          verb === 'look' || verb === 'run' || verb === 'unknown' ? 'read' : verb,
          value.replace(/^view-source:/i, ''),
        ),
      )
      return
    }
    if (/^(?:https?|ftp|wss?):\/\//i.test(value)) {
      if (URLS.test(field))
        effects.push(
          ...(isDelete(around) || isDelete(input) || isDelete(input.options)
            ? [{ argv: ['curl', '-X', 'DELETE', value].map(text) }]
            : []),
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
    if (isDownload && verb === 'read' && /local/i.test(field) && pathField(field) === 'given')
      effects.push(...pathEffects('write', value))
    else if (SOURCES.test(field))
      effects.push({
        does: verb === 'move' ? 'delete' : 'read',
        path: text(value),
        ...(verb === 'move' && { recursive: true }),
      })
    else if (TARGETS.test(field) && !(field === 'target' && verb !== 'move' && verb !== 'copy')) {
      if (isPathLike(value, field))
        effects.push(...pathEffects(verb === 'delete' || verb === 'read' ? verb : 'write', value))
    } else if (PATHS.test(field)) effects.push(...pathEffects(verb, value))
    else effects.push(...byWords(field, value, isDownload && verb === 'read' ? 'download' : verb))
  }
  walk(input, 0, visit, (field, words) => {
    effects.push(
      ...(/commands$/i.test(field)
        ? words.map((line) => ({ script: text(line) }))
        : commands({ command: words })),
    )
  })
  return effects
}

/** `pathInProject`, `input_directory`, `target_zip_file`, `remotePath`. */
function byWords(field: string, value: string, verb: Verb | 'download'): Effect[] {
  const kind = pathField(field)
  if (kind === undefined || verb === 'run' || value.includes('\n')) return []
  // What is written on another machine is not of this one.
  if (kind === 'remote')
    return verb === 'delete' || verb === 'download'
      ? pathEffects(verb === 'download' ? 'read' : verb, value)
      : []
  if (verb === 'download') return pathEffects(kind === 'made' ? 'write' : 'read', value)
  return pathEffects(kind === 'made' && verb === 'copy' ? 'write' : verb, value)
}

/** A request that deletes, as `curl -X DELETE` does. */
function isDelete(around: unknown): boolean {
  if (typeof around !== 'object' || around === null) return false
  return ['method', 'http_method', 'httpMethod', 'verb', 'request_method'].some((field) => {
    const value = (around as Input)[field]
    return typeof value === 'string' && value.toUpperCase() === 'DELETE'
  })
}

/** Copied, packed or searched with a pattern that every line fits. */
function wholeFolders(verb: Verb, name: string, input: Input): Effect[] {
  if (/search|grep/i.test(name)) return shownWhole(input)
  const effects: Effect[] = []
  if (verb === 'copy' || verb === 'send')
    walk(input, 0, (field, value) => {
      if (SOURCES.test(field) || PATHS.test(field) || pathField(field) === 'given')
        effects.push({ takes: text(value) })
    })
  return effects
}

function shownWhole(input: Input): Effect[] {
  const pattern = input.pattern ?? input.regex ?? input.query ?? input.search
  const folder = input.path ?? input.directory ?? input.folder ?? '.'
  if (
    typeof pattern !== 'string' ||
    typeof folder !== 'string' ||
    (isNarrowPattern(pattern) && !seeksKeys(pattern))
  )
    return []
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

/** A line, a list of words, or a program with `args`. */
function commands({ command, args, cmd, script, chars }: Input): Effect[] {
  const given = command ?? cmd ?? script ?? chars
  if (typeof given === 'string') {
    if (Array.isArray(args) && args.every((arg) => typeof arg === 'string'))
      return [{ argv: [given, ...args].map(text) }]
    return [{ script: text(given) }, ...windowsShells(given).map((code) => ({ code, text: text(given) }))]
  }
  if (!Array.isArray(given)) return []
  const words = given.filter((word) => typeof word === 'string')
  // A list is a program and its arguments, or, when its first item has a space, several lines.
  return words[0]?.includes(' ') ? words.map((line) => ({ script: text(line) })) : [{ argv: words.map(text) }]
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
