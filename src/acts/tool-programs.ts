/**
 * A tool that stands for a program: `git_push { force: true }` is `git push --force`, `kubectl_delete { resourceType,
 * name }` is `kubectl delete TYPE NAME`. The row of the program says what it does.
 */

import { wordsOf } from './name-words.ts'
import type { Effect } from './program.ts'
import { splitWords } from './program-effects.ts'

type Input = Readonly<Record<string, unknown>>

const PROGRAMS: Readonly<Record<string, string>> = {
  git: 'git',
  gh: 'gh',
  kubectl: 'kubectl',
  kubernetes: 'kubectl',
  k8s: 'kubectl',
  helm: 'helm',
  docker: 'docker',
  podman: 'podman',
  terraform: 'terraform',
  tofu: 'tofu',
  pulumi: 'pulumi',
  npm: 'npm',
  cargo: 'cargo',
  aws: 'aws',
  gcloud: 'gcloud',
  az: 'az',
  azure: 'az',
  redis: 'redis-cli',
}

/** Words that say that a program is started, not what it is told. */
const STARTS = /^(?:run|exec|execute|call|command|cmd|cli|generic|tool|mcp|server|invoke|raw|api|operation)$/
/** Fields with words for the program, in the order in which it takes them. */
const WORDS =
  /^(?:sub_?command|action|operation|resource_?type|kind|resource|remote|branch(?:_?name)?|ref(?:_?spec)?|revision|target|commit|tag|release(?:_?name)?|name|volume|container|chart|paths?|files?|package|args|arguments|argv|flags|params|extra_?args)$/i
/** Of these, words that may stand in one text. */
const LINE = /^(?:args|arguments|argv|flags|params|extra_?args)$/i
const COMMAND = /^(?:command|cmd|cli_?command|command_?line)$/i
/** `mode: "hard"` is `--hard`. */
const NAMED_OPTION = /^(?:mode|reset_?(?:mode|type)|type|strategy)$/i
const FOLDER =
  /^(?:repo(?:sitory)?_?(?:path|dir)?|cwd|work(?:ing)?_?dir(?:ectory)?|path_to_repo|project_?(?:path|dir)|dir(?:ectory)?)$/i
/** Sub-commands of git that have their own. */
const NESTED = /^(?:stash|remote|worktree|submodule|reflog|bisect|lfs|notes|config)$/
const DASHED =
  /^(?:filter-(?:branch|repo)|cherry-pick|update-ref|symbolic-ref|rev-(?:list|parse)|ls-(?:files|tree|remote)|cat-file|format-patch|merge-base)$/
const MAX_WORDS = 500

export function programEffects(server: string, tool: string, input: Input): Effect[] {
  const words = wordsOf(tool)
  const own = words.findIndex((word) => Object.hasOwn(PROGRAMS, word))
  const named = own >= 0 ? words[own]! : wordsOf(server).find((word) => Object.hasOwn(PROGRAMS, word))
  if (named === undefined) return []
  const program = PROGRAMS[named]!
  const isContainer = words.includes('container') && words.some((word) => /^(?:run|create|start)$/.test(word))
  const said = isContainer ? ['run'] : words.filter((word, at) => at !== own && !STARTS.test(word))
  const given: Given = { words: [], options: [], folder: undefined, command: undefined }
  read(isContainer ? ofContainer(input, given) : input, given)
  const cwd = given.folder === undefined ? {} : { cwd: { text: given.folder } }
  if (given.command !== undefined) {
    // A command for somebody else: inside of a container, on another machine.
    if (
      words.some((word) => /^(?:exec|shell|ssh|terminal|sandbox)$/.test(word)) ||
      startsWith(given.command, program)
    )
      return []
    const flags = given.options.filter((each) => !each.includes('='))
    const rest = [...given.words, ...flags].map(quoted).join(' ')
    return [{ script: { text: `${program} ${given.command} ${rest}` }, ...cwd }]
  }
  const asked = program === 'aws' ? awsWords(input) : undefined
  if (asked) return [{ argv: [program, ...asked].slice(0, MAX_WORDS).map((text) => ({ text })) }]
  // `git_add_and_push { force: true }`
  if (program === 'git' && words.includes('and') && words.includes('push'))
    return [
      {
        argv: ['git', 'push', ...given.options, 'origin', ...given.words]
          .slice(0, MAX_WORDS)
          .map((text) => ({ text })),
        ...cwd,
      },
    ]
  const first = given.words[0] === program ? given.words.slice(1) : given.words
  // `git_stash { mode: "clear" }`: what the option says is the sub-command.
  const isNested = program === 'git' && NESTED.test(said.at(-1) ?? '')
  const options = isNested
    ? given.options.map((each) =>
        each.replace(/^--(?=(?:clear|drop|pop|apply|list|push|show|remove|prune|add)$)/, ''),
      )
    : given.options
  const argv = [program, ...(program === 'git' ? gitWords(said) : said), ...options, ...first]
  return [{ argv: argv.slice(0, MAX_WORDS).map((text) => ({ text })), ...cwd }]
}

/** `{ service_name: "iam", operation_name: "attach_user_policy", parameters: { … } }`. */
function awsWords(input: Input): string[] | undefined {
  const { service_name, service = service_name, operation_name, operation = operation_name } = input
  if (typeof service !== 'string' || typeof operation !== 'string') return undefined
  const { parameters = {} } = input
  const options = typeof parameters === 'object' && parameters !== null ? Object.entries(parameters) : []
  return [
    service,
    wordsOf(operation).join('-'),
    ...options.flatMap(([name, value]) =>
      typeof value === 'string' ? [`--${wordsOf(name).join('-')}`, value] : [],
    ),
  ]
}

const MOUNTS = /^(?:volumes?|binds?|mounts?|host_?config)$/i

/** What of this machine a container is given; the rest of the fields is left. */
function ofContainer(input: Input, given: Given): Input {
  const rest: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(input)) {
    if (MOUNTS.test(field)) mounted(value, given)
    else if (field === 'image') given.words.push(String(value))
    // What runs in it is read apart from this.
    else if (!COMMAND.test(field)) rest[field] = value
  }
  return rest
}

/** `["/:/host"]`, `[{ source: "/", target: "/host" }]`, `{ "/": { bind: "/host" } }`, `{ Binds: [...], Privileged: true }`. */
function mounted(value: unknown, given: Given): void {
  if (typeof value === 'string') given.options.push('-v', value)
  else if (Array.isArray(value)) for (const item of value.slice(0, MAX_WORDS)) mounted(item, given)
  else if (typeof value === 'object' && value !== null) {
    const { source, src, Source, Privileged } = value as Input
    const from = source ?? src ?? Source
    if (Privileged === true) given.options.push('--privileged')
    if (typeof from === 'string') given.options.push('-v', `${from}:/mounted`)
    else
      for (const [key, inner] of Object.entries(value).slice(0, MAX_WORDS))
        if (/^[/~.]/.test(key)) given.options.push('-v', `${key}:/mounted`)
        else if (MOUNTS.test(key)) mounted(inner, given)
  }
}

interface Given {
  words: string[]
  options: string[]
  folder: string | undefined
  command: string | undefined
}

function read(input: Input, given: Given, depth = 0): void {
  for (const [field, value] of Object.entries(input)) {
    if (value === true) given.options.push(option(field))
    else if (typeof value === 'number') given.options.push(`${option(field)}=${value}`)
    else if (typeof value === 'string' && value !== '') {
      if (/^ref_?spec$/i.test(field) && value.startsWith('+')) given.options.push('--force')
      if (FOLDER.test(field)) given.folder = value
      else if (COMMAND.test(field)) given.command = value
      else if (WORDS.test(field))
        given.words.push(
          ...(LINE.test(field) ? splitWords({ text: value }).map(({ text }) => text) : [value]),
        )
      else if (NAMED_OPTION.test(field)) given.options.push(option(value))
      else given.options.push(`${option(field)}=${value}`)
    } else if (Array.isArray(value)) {
      if (WORDS.test(field) || COMMAND.test(field) || /^options$/i.test(field))
        given.words.push(...value.slice(0, MAX_WORDS).filter((word) => typeof word === 'string'))
    } else if (typeof value === 'object' && value !== null && depth < 4)
      read(value as Input, given, depth + 1)
  }
}

function option(field: string): string {
  const name = field.replace(/^-+/, '')
  if (name.length === 1) return `-${name}`
  // `forcePush`, `isForce`: the option is the other word.
  const words = wordsOf(name).filter((word) => !/^(?:is|use|push|should)$/.test(word))
  return `--${words.join('-') || name}`
}

/** `reset_hard`, `force_push`, `delete_branch`, `branch_delete`, `stash_drop`. */
function gitWords(said: readonly string[]): string[] {
  const [first = '', second, ...rest] = said
  if (first === 'discard') return ['checkout', '--']
  if (second === undefined) return [...said]
  if (DASHED.test(`${first}-${second}`)) return [`${first}-${second}`, ...rest.map(option)]
  if (NESTED.test(first)) return [first, second, ...rest.map(option)]
  if (NESTED.test(second)) return [second, first, ...rest.map(option)]
  if (/^(?:delete|force|hard|create|list|remove)$/.test(first))
    return [second, option(first === 'remove' ? 'delete' : first), ...rest.map(option)]
  return [first, option(second === 'remove' ? 'delete' : second), ...rest.map(option)]
}

function startsWith(command: string, program: string): boolean {
  return new RegExp(`^\\s*(?:\\S*/|sudo\\s+)?${program}(?:\\s|$)`).test(command)
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
