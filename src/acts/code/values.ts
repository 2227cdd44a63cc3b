/** Values of expressions: texts and lists, joined and formatted as code does it. */

import type { Value } from './calls.ts'

export const MAX_ITEMS = 50

/** `'rm %s' % x`, `'rm {}'.format(x)`. */
export function formatted(format: Text, slots: RegExp, given: Value): Text {
  const values = given && 'items' in given ? given.items : [given]
  let at = 0
  let isUnknown = format.isUnknown === true
  const text = format.text.replace(slots, (slot) => {
    const value = values[/^\{\d+\}$/.test(slot) ? Number(slot.slice(1, -1)) : at++]
    if (value && 'text' in value && !value.isUnknown) return value.text
    isUnknown = true
    return slot
  })
  return { text, ...(isUnknown && { isUnknown }) }
}

export function isPath(value: Value): boolean {
  return value !== null && 'text' in value
}

export type Text = Extract<Value, { text: string }>

export function joined(left: Value, right: Value, between: string): Value {
  for (const [side, other] of [
    [left, right],
    [right, left],
  ])
    if (
      side &&
      'items' in side &&
      side.isOneOf &&
      side.items.length <= MAX_ITEMS &&
      !(other && 'items' in other)
    )
      return {
        items: side.items.map((item) =>
          side === left ? joined(item, other!, between) : joined(other!, item, between),
        ),
        isOneOf: true,
      }
  if (left && right && 'items' in left && 'items' in right) return { items: [...left.items, ...right.items] }
  const text = (value: Value): Text =>
    value && 'text' in value
      ? value
      : value?.items.length === 1
        ? text(value.items[0]!)
        : { text: '$x', isUnknown: true }
  const [a, b] = [text(left), text(right)]
  return {
    text: a.text + between + b.text,
    ...((a.isUnknown || b.isUnknown) && { isUnknown: true }),
    ...((a.isGlob || b.isGlob) && { isGlob: true }),
    ...(a.isPath && { isPath: true }),
  }
}

export function isPathValue(value: Value): boolean {
  return value !== null && 'text' in value && value.isPath === true
}

export function decoded(name: string, text: string, args: readonly Value[]): string {
  const second = args[1] && 'text' in args[1] ? args[1].text : ''
  if (/rot/.test(name + second))
    return text.replace(/[a-z]/gi, (letter) => {
      const base = letter <= 'Z' ? 65 : 97
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
    })
  return Buffer.from(text, /hex/.test(name + second) ? 'hex' : 'base64').toString('utf8')
}

export function asPath(value: Value): Value {
  return value && 'text' in value ? { ...value, isPath: true } : value
}

export function join(args: readonly Value[]): Value {
  return args.reduce<Value>((all, item, at) => (at === 0 ? item : joined(all, item, '/')), { text: '' })
}
