/** find: where it looks, what it deletes, what it runs on what it finds. */

import type { Call, Effect, Programs } from '../program.ts'
import type { Below, Word } from '../word.ts'

const VALUES =
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -user -group -uid -gid -perm -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -samefile -inum -links -maxdepth -mindepth -fstype -used -regextype -context -printf -fprint -fprint0 -fls -D -files0-from'

export const FIND = (): Programs => ({
  'find gfind bfs': { single: true, stops: true, options: { value: VALUES }, acts: find, lists, finds },
  'fd fdfind': {
    options: {
      value:
        '-e --extension -t --type -E --exclude -d --max-depth --min-depth -c --color -S --size --changed-within --changed-before -o --owner --base-directory -j',
    },
    stops: true,
    operands: 'value',
    hides: true,
    acts: fd,
    finds: ({ operands, args }) => (args.some(({ text }) => EXECUTES.test(text)) ? [] : fdBelow(operands)),
  },
  'locate plocate mlocate': { operands: 'value', hides: true, lists: () => '/' },
  updatedb: { operands: 'value', hides: true },
})

/** Primaries that take words, by how many. */
const TAKES: Readonly<Record<string, number>> = Object.fromEntries(
  VALUES.split(' ')
    .map((name): [string, number] => [name, 1])
    .concat([['-fprintf', 2]]),
)

function find({ args }: Call): readonly Effect[] {
  const { where, tests, commands, effects, deletes } = read(args)
  const found = narrowed(where, tests)
  // Whatever is looked for from the top of the machine is looked for in the system.
  const isNarrow = named(tests).length > 0 && !tests.some(isOr)
  const tops = where.filter(({ text }) => text === '/' || (!isNarrow && /^~\/?$/.test(text)))
  if (deletes || commands.some(isRemoval))
    effects.push(...tops.map((path): Effect => ({ does: 'delete', path, recursive: true })))
  if (deletes && isOnlyEmpty(where, tests))
    effects.push({ does: 'delete', certain: false, why: 'deletes what is empty' })
  else if (deletes)
    effects.push(
      ...found.map(
        (path): Effect => ({ does: 'delete', path, ...(isWhole(tests) ? { recursive: true } : {}) }),
      ),
    )
  for (const command of commands) {
    effects.push({ written: command })
    const isOfFiles = tests.some(({ name, value }) => name === '-type' && value?.text === 'f')
    for (const path of found)
      effects.push({ argv: withFound(isOfFiles ? withModeOfFiles(command) : command, path, isWhole(tests)) })
  }
  return effects
}

/** `find . -type d -empty -delete`: in the folder that the line is in, or below it. */
function isOnlyEmpty(where: readonly Word[], tests: readonly Test[]): boolean {
  return (
    tests.some(({ name }) => name === '-empty') &&
    !tests.some(({ name }) => /^(?:-o|-or|-not|[!,])$/.test(name)) &&
    where.every(({ text, unknown }) => !unknown && !/^[/~]|\.\./.test(text))
  )
}

function isRemoval(command: readonly Word[]): boolean {
  const program = command.find(({ text }) => !/^(?:.*\/)?(?:sudo|doas|env|command|nice|-\S*)$/.test(text))
  return /^(?:.*\/)?(?:rm|unlink|shred)$/.test(program?.text ?? '')
}

/** Without a test that chooses among the files, the folder stands for everything below it. */
function lists({ args }: Call): string | undefined {
  const { where, tests, commands, deletes } = read(args)
  if (!isWhole(tests) || deletes || commands.length > 0 || where.some(({ unknown }) => unknown))
    return undefined
  return where.map(({ text }) => text).join('\n')
}

/** By name, or all of them. Another test may leave anything out, so that nothing is said of what it finds. */
function finds({ args }: Call): readonly Below[] {
  const { where, tests, commands, deletes } = read(args)
  if (deletes || commands.length > 0) return []
  return where.flatMap((start) => belowOf(start, tests))
}

function belowOf({ text: folder, unknown }: Word, tests: readonly Test[]): Below[] {
  if (unknown) return []
  if (isWhole(tests)) return [{ folder }]
  return named(tests).map((test) => ({ folder, name: lastName(test) }))
}

/** `fd [options] pattern folder… -x command`. */
function fd({ args, operands, values }: Call): readonly Effect[] {
  const at = args.findIndex(({ text }) => EXECUTES.test(text))
  if (at === -1) return []
  const command = args.slice(at + 1, args.findIndex(({ text }, index) => index > at && text === ';') >>> 0)
  const extension = values('-e --extension')[0]
  const given = operands.filter((word) => args.indexOf(word) < at)
  const [pattern, ...folders] =
    extension && given.length === 0
      ? [{ ...extension, text: `*.${extension.text.replace(/^\./, '')}`, glob: true }]
      : given
  const isEverything = !pattern || /^[.*^$]*$/.test(pattern.text)
  const starts = folders.length > 0 ? folders : [{ text: '.' }]
  const argv = command.some(({ text }) => text.includes('{')) ? command : [...command, { text: '{}' }]
  const found = starts.map((start) => ({
    argv: isEverything
      ? withFound(argv, start, true)
      : argv.map((word) =>
          /\{[/.]*\}/.test(word.text)
            ? {
                ...word,
                text: word.text.replace(/\{[/.]*\}/g, `${start.text}/${pattern.text}`),
                unknown: true,
                below: fdBelow([pattern, start]),
              }
            : word,
        ),
  }))
  return [{ written: command }, ...found]
}

const EXECUTES = /^(?:-x|-X|--exec|--exec-batch)$/

/** By name where the pattern is one; another pattern may leave anything out. */
function fdBelow([pattern, ...folders]: readonly Word[]): Below[] {
  const name = pattern?.text.replace(/^\^|\$$/g, '').replace(/\\(?=\W)/g, '')
  if (name === undefined || !/^[\w. -]+$/.test(name)) return []
  const starts = folders.length > 0 ? folders : [{ text: '.' }]
  return starts.map(({ text }) => ({
    folder: text,
    name: `${pattern!.text.startsWith('^') ? '' : '*'}${name}${pattern!.text.endsWith('$') ? '' : '*'}`,
  }))
}

interface Test {
  name: string
  value?: Word
}

function read(args: readonly Word[]) {
  const starts: Word[] = []
  const tests: Test[] = []
  const commands: Word[][] = []
  const effects: Effect[] = []
  let deletes = false
  let at = 0
  while (at < args.length && /^-(?:[HLP]|O\d?|D)$/.test(args[at]!.text)) at += args[at]!.text === '-D' ? 2 : 1
  while (at < args.length && !/^[-(!,)]/.test(args[at]!.text)) starts.push(args[at++]!)
  for (; at < args.length; at++) {
    const { text } = args[at]!
    if (/^-(?:exec|ok)(?:dir)?$/.test(text)) {
      const end = endOfCommand(args, at + 1)
      if (end === -1) {
        // find does not start it.
        effects.push({ written: args.slice(at + 1).filter(({ text: each }) => each !== '+') })
        break
      }
      commands.push(args.slice(at + 1, end))
      at = end
    } else if (text === '-delete') deletes = true
    else {
      const takes = TAKES[text] ?? (/^-newer..$/.test(text) ? 1 : 0)
      if (/^-f(?:print|ls)/.test(text) && args[at + 1]) effects.push({ does: 'write', path: args[at + 1]! })
      tests.push({ name: text, ...(takes > 0 && args[at + 1] ? { value: args[at + 1]! } : {}) })
      at += takes
    }
  }
  const where = starts.length > 0 ? starts : [{ text: '.' }]
  return { where, tests, commands, effects, deletes }
}

function endOfCommand(args: readonly Word[], from: number): number {
  for (let at = from; at < args.length; at++) {
    const { text } = args[at]!
    if (text === ';' || (text === '+' && args[at - 1]?.text === '{}')) return at
  }
  return -1
}

/** Tests that say nothing about which files: everything below is meant. */
function isWhole(tests: readonly Test[]): boolean {
  return tests.every(
    ({ name, value }) =>
      (/^-i?name$/.test(name) && /^[*.]+$/.test(value?.text ?? '')) ||
      /^-(?:type|xtype|mindepth|maxdepth|print|print0|depth|xdev|mount|a|o|and|or|true|not|prune)$|^[!(),]$/.test(
        name,
      ),
  )
}

/** What chooses the files by name or path; none where some are chosen without. */
function named(tests: readonly Test[]): Test[] {
  const groups = alternatives(tests).map((group) =>
    group.filter(
      ({ name, value }) =>
        value &&
        ((/^-i?name$/.test(name) && !/^[*.]+$/.test(value.text)) ||
          (PATHS.test(name) && /\w/.test(value.text) && pathOf({ name, value }) !== undefined)),
    ),
  )
  return groups.every((group) => group.length > 0) ? groups.flat() : []
}

const PATHS = /^-(?:i?path|i?wholename|i?regex)$/

function isOr({ name }: Test): boolean {
  return /^(?:-o|-or|,)$/.test(name)
}

/** The tests between `-o`, without what must not hold and without what is only kept out (`-path x -prune -o`). */
function alternatives(tests: readonly Test[]): Test[][] {
  const groups: Test[][] = [[]]
  let level = 0
  /** The level of parentheses from which on nothing must hold. */
  let negated: number | undefined
  for (const test of tests) {
    if (test.name === '(') level++
    else if (test.name === ')') level--
    if (negated !== undefined) {
      if (level <= negated && test.name !== '(') negated = undefined
    } else if (test.name === '!' || test.name === '-not') negated = level
    else if (isOr(test)) groups.push([])
    else groups.at(-1)!.push(test)
  }
  return groups.filter(
    (group, at) => at === groups.length - 1 || !group.some(({ name }) => name === '-prune'),
  )
}

/** The pattern of a path; of a regular expression only if it is one of names. */
function pathOf({ name, value }: Test): string | undefined {
  const text = value?.text ?? ''
  if (!/regex$/.test(name)) return text
  const pattern = text
    .replace(/^\^|\$$/g, '')
    .replaceAll('.*', '*')
    .replace(/\\([./_-])/g, '$1')
  return /[\\()|^$+{}]/.test(pattern) ? undefined : pattern
}

function found(start: Word, tests: readonly Test[]): { below?: readonly Below[] } {
  return isWhole(tests) && !start.unknown ? { below: [{ folder: start.text }] } : {}
}

/** With `-name x` the files are `…/x`; a pattern stays one. */
function narrowed(where: readonly Word[], tests: readonly Test[]): Word[] {
  const byName = named(tests)
  if (byName.length === 0) return where.map((start) => ({ ...start, ...found(start, tests) }))
  // In the folder itself and one below it; deeper ones are not listed.
  return where.flatMap((start) =>
    byName.flatMap((test) =>
      textsOf(start.text.replace(/\/+$/, ''), test).map((text) => ({
        ...start,
        text,
        ...(/[*?[]/.test(text) ? { glob: true } : {}),
        ...(test.value!.unknown ? { unknown: true } : {}),
        ...(start.unknown ? {} : { below: [{ folder: start.text, name: lastName(test) }] }),
      })),
    ),
  )
}

function textsOf(start: string, test: Test): string[] {
  if (!PATHS.test(test.name))
    return ['', '*/', '.*/'].map((between) => `${start}/${between}${test.value!.text}`)
  const path = pathOf(test)!
  if (!path.startsWith('*')) return [path]
  const rest = path.replace(/^[*/]+/, '')
  return [path.startsWith('*/') ? rest : `*${rest}`, `*/${rest}`].map((each) => `${start}/${each}`)
}

function lastName(test: Test): string {
  const text = PATHS.test(test.name) ? pathOf(test)! : test.value!.text
  return text.slice(text.lastIndexOf('/') + 1)
}

/** What lets the owner read and write a file takes nothing away, as it would from a folder. */
function withModeOfFiles(command: readonly Word[]): readonly Word[] {
  if (!/(?:^|\/)chmod$/.test(command[0]?.text ?? '')) return command
  return command.map((word) => (/^0?6[0-7]{2}$/.test(word.text) ? { ...word, text: 'u+rw' } : word))
}

/** `{}` is what was found: the path itself when tests name it, otherwise everything below the folder. */
function withFound(command: readonly Word[], path: Word, whole: boolean): Word[] {
  const [program] = command
  const changes = program && /^(?:chmod|chown|chgrp|rm)$/.test(program.text.replace(/^.*\//, ''))
  const below = path.text.replace(/\/+$/, '')
  const everything = [`${below}/*`, `${below}/.*`].map((text) => ({ ...path, text, glob: true }))
  const words = command.flatMap((word) => {
    if (word.text !== '{}')
      return [
        {
          ...word,
          text: word.text.replaceAll('{}', path.text),
          ...(word.text.includes('{}') && path.glob && { glob: true }),
        },
      ]
    return whole && !changes ? everything : [path]
  })
  // These run on each file below the folder: the same as with -R.
  return whole && changes ? [program, { text: '-R' }, ...words.slice(1)] : words
}
