/** Edits of JSON and JSONC settings that leave every other byte alone, and can be undone to the byte. */

import { type JSONPath, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { CrosshookError } from '../../spec/errors.ts'
import { type Layout, layoutOf, print } from './json-layout.ts'

export type Path = readonly (string | number)[]

/*
 * What `remove` has to leave behind is told by the character after an opening bracket:
 * a child that follows it at once was put into a container that was there before;
 * a container that we made ourselves begins with white space and goes when its last child goes.
 * For the whole file: `{` + line break is a file that we made, `{ ` one that was blank.
 */

/** Appends `value` to the list at `path`; lists and objects that are missing on the way are made. */
export function append(text: string | undefined, path: readonly string[], value: unknown): string {
  return insert(
    text,
    path,
    (found) => {
      if (found !== undefined && found.type !== 'array') throw wrongType(path, 'a list', found)
      return found
    },
    value,
  )
}

/** Sets the property at `path`, which must not be there yet. */
export function setNew(text: string | undefined, path: readonly string[], value: unknown): string {
  return insert(
    text,
    path,
    (found) => {
      if (found !== undefined) throw new CrosshookError('bad_settings', `"${path.join('.')}" is already set.`)
      return undefined
    },
    value,
    false,
  )
}

/** Takes out whatever `find` points at, one after another. Undefined when the file was ours alone. */
export function removeEach(text: string, find: (root: unknown) => Path | undefined): string | undefined {
  let { bom, body } = split(text)
  for (;;) {
    const root = parse(body)
    if (root === undefined) return bom + body
    const path = find(toValue(root))
    if (path === undefined) return bom + body
    const node = at(root, path)
    if (!node) throw new CrosshookError('internal', `Nothing at ${path.join('.')} in the settings.`)
    const shorter = cut(body, node)
    if (shorter === undefined) return undefined
    body = shorter
  }
}

/** The settings as a value; an empty file is an empty object. */
export function parseSettings(text: string): unknown {
  const root = parse(split(text).body)
  return root === undefined ? {} : toValue(root)
}

/** The line, from 1, on which the value at `path` starts. */
export function lineOf(text: string, path: Path): number | undefined {
  const { body } = split(text)
  const root = parse(body)
  const node = root && at(root, path)
  return node && body.slice(0, node.offset).split('\n').length
}

function insert(
  text: string | undefined,
  path: readonly string[],
  check: (found: Node | undefined) => Node | undefined,
  value: unknown,
  inList = true,
): string {
  const { bom, body } = split(text ?? '')
  const layout = layoutOf(body)
  const root = parse(body)
  const whole = (from: number) => wrap(path.slice(from), inList ? [value] : value)
  if (root === undefined) {
    if (text === undefined) return print(whole(0), layout, 0) + layout.eol
    const [open, ...rest] = print(whole(0), layout, 0).split(layout.eol)
    return `${bom}${open} ${rest.join(layout.eol).trimStart()}${body}`
  }
  if (root.type !== 'object') throw wrongType([], 'an object', root)
  let parent = root
  for (const [i, key] of path.entries()) {
    const found = property(parent, key)
    const last = i === path.length - 1
    const target = last ? check(found) : found
    if (target === undefined)
      return (
        bom +
        addChild(body, parent, layout, i + 1, (inline) => {
          const printed = print(whole(i + 1), inline ? { ...layout, inline } : layout, i + 1)
          return `${JSON.stringify(key)}: ${printed}`
        })
      )
    if (!last && target.type !== 'object') throw wrongType(path.slice(0, i + 1), 'an object', target)
    parent = target
  }
  return (
    bom +
    addChild(body, parent, layout, path.length + 1, (inline) =>
      print(value, inline ? { ...layout, inline } : layout, path.length + 1),
    )
  )
}

function addChild(
  body: string,
  parent: Node,
  layout: Layout,
  depth: number,
  printChild: (inline: boolean) => string,
): string {
  const children = parent.children ?? []
  const last = children.at(-1)
  if (!last) return splice(body, parent.offset + 1, printChild(layout.inline))
  const end = last.offset + last.length
  const inline = !body.slice(parent.offset, end).includes('\n')
  if (inline) return splice(body, end, `, ${printChild(true)}`)
  const lead = spacesBefore(body, last.offset)
  const ownLine = /[\r\n]/.test(body[last.offset - lead.length - 1] ?? '')
  const child = `${layout.eol}${ownLine ? lead : layout.indent.repeat(depth)}${reindent(printChild(false), layout, depth, ownLine ? lead : undefined)}`
  // A comment behind the last value stays on its line: the comma goes before it, our child after it.
  const comment = /^[^\S\r\n]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[^\S\r\n]*(?=[\r\n]))/.exec(body.slice(end))
  if (!comment) return splice(body, end, `,${child}`)
  return splice(splice(body, end + comment[0].length, child), end, ',')
}

/** The text without this value; undefined when nothing is left of a file that we made. */
function cut(body: string, node: Node): string | undefined {
  const unit = node.parent?.type === 'property' ? node.parent : node
  const parent = unit.parent
  if (!parent) return cutRoot(body, unit)
  const children = parent.children ?? []
  const end = unit.offset + unit.length
  const index = children.indexOf(unit)
  if (children.length === 1) {
    const open = parent.offset + 1
    const before = body.slice(open, unit.offset)
    const after = body.slice(end, parent.offset + parent.length - 1)
    if (before !== '' && /^\s*$/.test(before) && /^\s*,?\s*$/.test(after)) return cut(body, parent)
    return body.slice(0, unit.offset) + body.slice(end).replace(/^\s*,/, '')
  }
  const next = children[index + 1]
  if (next) {
    const kept = withoutComma(body.slice(end, next.offset))
    return body.slice(0, unit.offset) + kept.trimStart() + body.slice(next.offset)
  }
  const previous = children[index - 1]!
  const from = previous.offset + previous.length
  const kept = withoutComma(body.slice(from, unit.offset)).trimEnd()
  return body.slice(0, from) + kept + body.slice(end)
}

function cutRoot(body: string, root: Node): string | undefined {
  const rest = body.slice(0, root.offset) + body.slice(root.offset + root.length)
  const wasBlank = body[root.offset + 1] === ' '
  return wasBlank || rest.trim() !== '' ? rest : undefined
}

/** The first comma that is not inside a comment goes. */
function withoutComma(between: string): string {
  return between.replace(/^((?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*),/, '$1')
}

/** Printed at one depth, needed at the depth that the neighbours really have. */
function reindent(printed: string, layout: Layout, depth: number, lead: string | undefined): string {
  if (lead === undefined) return printed
  const expected = layout.eol + layout.indent.repeat(depth)
  return printed.replaceAll(expected, layout.eol + lead)
}

function wrap(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
}

/** One text is asked for its entries, then for the line of each. Nobody changes a tree. */
let parsedLast: { body: string; root: Node | undefined } | undefined

function parse(body: string): Node | undefined {
  if (parsedLast?.body === body) return parsedLast.root
  const errors: ParseError[] = []
  const root = parseTree(body, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const first = errors[0]
  if (first) {
    const line = body.slice(0, first.offset).split('\n').length
    const what = printParseErrorCode(first.error)
    throw new CrosshookError(
      'bad_settings',
      `The settings are not valid JSON: ${what} in line ${line}. Nothing was changed.`,
    )
  }
  parsedLast = { body, root }
  return root
}

function property(object: Node, key: string): Node | undefined {
  const found = (object.children ?? []).filter((p) => p.children?.[0]?.value === key)
  if (found.length > 1)
    throw new CrosshookError(
      'bad_settings',
      `"${key}" is there twice, so it is not clear which one counts. Nothing was changed.`,
    )
  return found[0]?.children?.[1]
}

function at(root: Node, path: Path): Node | undefined {
  let node: Node | undefined = root
  for (const key of path) {
    if (!node) return undefined
    node = typeof key === 'number' ? node.children?.[key] : property(node, key)
  }
  return node
}

function toValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(toValue)
  if (node.type !== 'object') return node.value
  const entries = (node.children ?? []).filter((p) => p.children?.length === 2)
  return Object.fromEntries(entries.map((p) => [String(p.children![0]!.value), toValue(p.children![1]!)]))
}

function wrongType(path: JSONPath | readonly string[], wanted: string, node: Node): CrosshookError {
  const where = path.length === 0 ? 'The file' : `"${path.join('.')}"`
  return new CrosshookError(
    'bad_settings',
    `${where} must be ${wanted}, not ${node.type}. Nothing was changed.`,
  )
}

/** The white space of a line that ends here. A pattern with `$` would begin at each space of the text. */
function spacesBefore(text: string, end: number): string {
  let start = end
  while (start > 0 && /[^\S\r\n]/.test(text[start - 1]!)) start--
  return text.slice(start, end)
}

function splice(text: string, at: number, inserted: string): string {
  return text.slice(0, at) + inserted + text.slice(at)
}

function split(text: string): { bom: string; body: string } {
  return text.startsWith('\uFEFF') ? { bom: '\uFEFF', body: text.slice(1) } : { bom: '', body: text }
}
