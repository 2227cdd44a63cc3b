/** Entries of other hooks as a settings file of the shape `hooks: {Event: [{matcher, hooks: [{command}]}]}`. */

import type { NativeEntry } from '../../spec/dialect.ts'

export function nestedSettings(
  entries: readonly NativeEntry[],
  words: { matcher(tools: readonly string[]): string; timeout(milliseconds: number): number },
): string {
  const hooks: Record<string, object[]> = {}
  for (const { event, tools, command, timeout } of entries) {
    const group = {
      ...(tools && tools.length > 0 ? { matcher: words.matcher(tools) } : {}),
      hooks: [{ type: 'command', command, timeout: words.timeout(timeout) }],
    }
    hooks[event] = [...(hooks[event] ?? []), group]
  }
  return `${JSON.stringify({ hooks }, null, 2)}\n`
}

/** The same without groups: `hooks: {Event: [{matcher, command}]}`. */
export function flatSettings(
  entries: readonly NativeEntry[],
  words: {
    head?: Readonly<Record<string, unknown>>
    matcher(tools: readonly string[]): string
    entry(command: string, timeout: number): object
  },
): string {
  const hooks: Record<string, object[]> = {}
  for (const { event, tools, command, timeout } of entries) {
    const matcher = tools && tools.length > 0 ? { matcher: words.matcher(tools) } : {}
    hooks[event] = [...(hooks[event] ?? []), { ...words.entry(command, timeout), ...matcher }]
  }
  return `${JSON.stringify({ ...words.head, hooks }, null, 2)}\n`
}

/** Whole seconds, never fewer than asked for. */
export function wholeSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000))
}

/** A list of exact names. */
export function nameList(tools: readonly string[]): string {
  return tools.join('|')
}

/** The same where a matcher is searched for anywhere in the name. */
export function anchoredNames(tools: readonly string[]): string {
  return `^(?:${tools.map((name) => name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')})$`
}
