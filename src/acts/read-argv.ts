/** Reads the arguments of a command by the row of its program. */

import type { Call, GivenOption, OperandRole, Program, Role } from './program.ts'
import type { Flow, Word } from './word.ts'

export interface Context {
  input: Flow | null
  env: ReadonlyMap<string, Word>
}

export function readCall(name: string, program: Program, args: readonly Word[], context: Context): Call {
  const reading: Reading = {
    row: program,
    table: optionTable(program),
    commands: [],
    options: [],
    operands: [],
  }
  let at = 0
  if (program.bundle && args[0] && /^[A-Za-z]+$/.test(args[0].text)) {
    const values = readCluster(reading, `-${args[0].text}`, args, 0, true)
    at = 1 + values
  }
  for (; at < args.length; at++) {
    const { text } = args[at]!
    if (text === '--') {
      // git checkout -- file: what follows are operands, and still may be a nested command.
      for (const operand of args.slice(at + 1)) takeOperand(reading, operand)
      break
    }
    if (isOption(reading, text)) {
      at += readOption(reading, args, at)
      const last = reading.options.at(-1)
      if (last && names(reading.row.ends).includes(last.name)) {
        reading.operands.push(...args.slice(at + 1))
        break
      }
      continue
    }
    if (!takeOperand(reading, args[at]!) && endsOptions(reading)) {
      reading.operands.push(...args.slice(at + 1))
      break
    }
  }
  const given = (wanted: string) => {
    const list = names(wanted)
    return reading.options.some((option) => list.includes(option.name))
  }
  const call: Call = {
    name,
    commands: reading.commands,
    args,
    operands: reading.operands,
    options: reading.options,
    row: withGiven(reading),
    ...context,
    given,
    values(wanted) {
      const list = names(wanted)
      return reading.options.flatMap(({ name, value }) => (value && list.includes(name) ? [value] : []))
    },
  }
  return call
}

/** The words of a call with the role of each: values of options first, then operands. */
export function roles(call: Call): { role: Role; word: Word; option?: string; rest?: readonly Word[] }[] {
  const table = optionTable(call.row)
  const found: { role: Role; word: Word; option?: string; rest?: readonly Word[] }[] = []
  for (const { name, value } of call.options) {
    const role = table.get(name)
    if (value && role && role !== 'flag') found.push({ role, word: value, option: name })
  }
  const keys = Object.entries(call.row.keys ?? {}) as [Role, string][]
  const plain: Word[] = []
  for (const operand of call.operands) {
    const key = keys.length === 0 ? null : /^(\w+)=/.exec(operand.text)
    const role = key && keys.find(([, list]) => names(list).includes(key[1]!))?.[0]
    if (role) found.push({ role, word: { ...operand, text: operand.text.slice(key[0].length) } })
    else plain.push(operand)
  }
  found.push(...operandRoles(call.row.operands, plain))
  return found
}

function operandRoles(
  spec: Program['operands'],
  words: readonly Word[],
): { role: Role; word: Word; rest?: readonly Word[] }[] {
  if (spec === undefined) return []
  const list: readonly OperandRole[] =
    typeof spec === 'string' ? [REST.has(spec) ? spec : (`${bare(spec)}*` as OperandRole)] : spec
  const found: { role: Role; word: Word; rest?: readonly Word[] }[] = []
  let at = 0
  for (const [index, entry] of list.entries()) {
    if (at >= words.length) break
    const role = bare(entry)
    if (REST.has(entry)) {
      found.push({ role, word: words[at]!, rest: words.slice(at) })
      return found
    }
    if (!entry.endsWith('*')) {
      found.push({ role, word: words[at++]! })
      continue
    }
    const after = list.slice(index + 1)
    const keep = after.some((next) => REST.has(next)) ? 0 : after.length
    while (at < words.length - keep) {
      if (role === 'env' && !ASSIGNS.test(words[at]!.text)) break
      found.push({ role, word: words[at++]! })
    }
  }
  return found
}

interface Reading {
  row: Program
  table: Map<string, Role>
  commands: string[]
  options: GivenOption[]
  operands: Word[]
}

const REST: ReadonlySet<string> = new Set(['command', 'script*', 'words*'])
const ASSIGNS = /^[A-Za-z_]\w*\+?=/

function bare(role: OperandRole): Role {
  return (role.endsWith('*') ? role.slice(0, -1) : role) as Role
}

const split = new Map<string, readonly string[]>()

export function names(list: string | true | undefined): readonly string[] {
  if (typeof list !== 'string' || list === '') return NONE
  let found = split.get(list)
  if (!found) {
    found = list.split(/\s+/).filter(Boolean)
    split.set(list, found)
  }
  return found
}

const NONE: readonly string[] = []
const tables = new WeakMap<Program, Map<string, Role>>()

function optionTable(program: Program): Map<string, Role> {
  let table = tables.get(program)
  if (!table) {
    table = new Map()
    for (const [role, list] of Object.entries(program.options ?? {}) as [Role, string][])
      for (const name of names(list)) table.set(name, role)
    for (const list of [
      program.inert,
      program.recursive,
      program.ends,
      program.decodes,
      ...Object.keys(program.with ?? {}),
    ])
      for (const name of names(list)) if (/^[-+/]/.test(name) && !table.has(name)) table.set(name, 'flag')
    for (const name of ['--help', '--version']) if (!table.has(name)) table.set(name, 'flag')
    tables.set(program, table)
  }
  return table
}

function isOption({ table }: Reading, text: string): boolean {
  if (text.length < 2) return false
  if (text.startsWith('-')) return true
  return (text.startsWith('/') || text.startsWith('+')) && table.has(text.toLowerCase().split(':')[0]!)
}

/** Returns how many words after this one belong to the option. */
function readOption(reading: Reading, args: readonly Word[], at: number): number {
  const { table, options, row } = reading
  const word = args[at]!
  const equals = word.text.indexOf('=')
  const head = equals === -1 ? word.text : word.text.slice(0, equals)
  const isLong = word.text.startsWith('--')
  const slash = word.text.startsWith('/') ? word.text.toLowerCase().split(':')[0]! : undefined
  const name = slash ?? (table.has(head) ? head : isLong ? longest(table, head) : undefined)
  if (name === undefined) {
    if (!isLong && !row.single && !word.text.startsWith('+'))
      return readCluster(reading, word.text, args, at, false)
    options.push(equals === -1 ? { name: head } : { name: head, value: part(word, equals + 1) })
    return 0
  }
  const role = table.get(name)!
  if (equals !== -1 && table.has(name)) {
    options.push({ name, value: part(word, equals + 1) })
    return 0
  }
  if (role === 'flag' || role === 'attached') {
    options.push({ name })
    return 0
  }
  if (role === 'command') {
    // `--exec prog args`: the rest of the words is the command.
    reading.operands.push(...args.slice(at + 1))
    options.push({ name, value: args[at + 1] ?? { text: '' } })
    return args.length
  }
  options.push({ name, value: args[at + 1] ?? { text: '' } })
  return 1
}

/** Letters of a cluster that are looked at. */
const MAX_CLUSTER_CHARS = 4_096

/** `-abx value`: each letter is an option; the first that takes a value takes the rest of the word, or the next one. */
function readCluster(
  { table, options }: Reading,
  text: string,
  args: readonly Word[],
  at: number,
  isBundle: boolean,
): number {
  const word = args[at]!
  let taken = 0
  for (let index = 1; index < Math.min(text.length, MAX_CLUSTER_CHARS); index++) {
    const name = `-${text[index]!}`
    const role = table.get(name)
    if (role === undefined || role === 'flag') {
      options.push({ name })
      continue
    }
    const rest = text.slice(index + 1).replace(/^=/, '')
    if (isBundle) options.push({ name, value: args[at + 1 + taken++] ?? { text: '' } })
    else {
      if (rest !== '') options.push({ name, value: { ...word, text: rest } })
      else if (role === 'attached') options.push({ name })
      else {
        options.push({ name, value: args[at + 1] ?? { text: '' } })
        return 1
      }
      return 0
    }
  }
  return taken
}

/** `--forc` is `--force`: the shortest listed option that begins so. */
function longest(table: Map<string, Role>, head: string): string | undefined {
  let found: string | undefined
  if (head.length < 3) return undefined
  for (const name of table.keys())
    if (name.startsWith(head) && (found === undefined || name.length < found.length)) found = name
  return found
}

function part(word: Word, from: number): Word {
  return { ...word, text: word.text.slice(from) }
}

/** True when the word chose a sub-command. */
function takeOperand(reading: Reading, operand: Word): boolean {
  const { row, operands } = reading
  if (row.commands && operands.length === 0) {
    const chosen = command(row.commands, operand.text) ?? row.otherwise
    if (chosen) {
      reading.commands.push(operand.text)
      const merged = below(row, chosen)
      reading.row = merged
      reading.table = optionTable(merged)
      if (chosen === row.otherwise) operands.push(operand)
      return chosen !== row.otherwise
    }
  }
  operands.push(operand)
  return false
}

function endsOptions({ row, operands }: Reading): boolean {
  if (row.stops) return true
  const spec = typeof row.operands === 'string' ? [row.operands] : row.operands
  if (!spec) return false
  const rest = spec.findIndex((role) => REST.has(role))
  if (rest === -1) return false
  const plain =
    spec[0] === 'env*'
      ? operands.filter(({ text }) => !ASSIGNS.test(text)).length + (rest - 1)
      : operands.length - 1
  return plain >= rest
}

const lookups = new WeakMap<object, Map<string, Program>>()

/** Keys hold several names. */
export function command(rows: Readonly<Record<string, Program>>, name: string): Program | undefined {
  let lookup = lookups.get(rows)
  if (!lookup) {
    lookup = new Map()
    for (const [key, row] of Object.entries(rows)) for (const each of names(key)) lookup.set(each, row)
    lookups.set(rows, lookup)
  }
  return lookup.get(name)
}

const inherited = new WeakMap<Program, WeakMap<Program, Program>>()

/** A sub-command knows the options of the row above. */
function below(above: Program, row: Program): Program {
  let known = inherited.get(above)
  if (!known) inherited.set(above, (known = new WeakMap()))
  let merged = known.get(row)
  if (!merged) {
    merged = {
      ...(above.elsewhere === undefined ? {} : { elsewhere: above.elsewhere }),
      ...(above.single === undefined ? {} : { single: above.single }),
      ...(above.inert === undefined ? {} : { inert: above.inert }),
      ...(above.within && { within: above.within }),
      ...(above.language === undefined ? {} : { language: above.language }),
      ...(above.fetches === undefined ? {} : { fetches: above.fetches }),
      ...row,
      options: joined(above.options, row.options),
      ...(above.acts && { acts: (call: Call) => [...above.acts!(call), ...(row.acts?.(call) ?? [])] }),
    }
    known.set(row, merged)
  }
  return merged
}

function joined(
  above: Program['options'] = {},
  own: Program['options'] = {},
): NonNullable<Program['options']> {
  const listed = new Set(Object.values(own).flatMap((list) => names(list)))
  const all: Record<string, string> = {}
  for (const [role, list] of Object.entries(above))
    all[role] = names(list)
      .filter((name) => !listed.has(name))
      .join(' ')
  for (const [role, list] of Object.entries(own)) all[role] = `${all[role] ?? ''} ${list}`
  return all
}

/** The row with what the given options change. */
function withGiven({ row, options, operands }: Reading): Program {
  if (!row.with) return row
  let changed = row
  for (const [key, change] of Object.entries(row.with)) {
    const holds =
      key === ''
        ? operands.length === 0
        : names(key).some((name) =>
            name.startsWith('=')
              ? operands.some(({ text }) => text === name.slice(1))
              : options.some((option) => option.name === name),
          )
    if (!holds) continue
    changed = { ...changed, ...change, does: [...list(changed.does), ...list(change.does)] }
    if (change.options) changed.options = joined(row.options, change.options)
  }
  return changed
}

export function list<T>(value: T | readonly T[] | undefined): readonly T[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value as T]
}
