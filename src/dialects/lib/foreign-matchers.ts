/** The matchers of other formats in the engine's words. Loaded only while reading settings. */

import { RE2JS } from 're2js'
import type { Matcher } from '../../spec/matcher.ts'
import type { ToolTable } from '../../spec/tool.ts'

export interface MatcherWords {
  /** The dialect's id: in its own agent only its own tool names count. */
  id: string
  tools: ToolTable
  /** Other names that its matchers accept for a tool. */
  aliases?: Readonly<Record<string, readonly string[]>>
}

/** One of these tools, by its exact native name. */
export function toolNames(words: MatcherWords, names: readonly string[]): Matcher {
  const natives = [...new Set(names.flatMap((name) => words.aliases?.[name] ?? [name]))]
  const elsewhere = [...new Set([...natives, ...canonicalNames(words.tools, natives)])]
  if (!natives.some((name) => hasSiblings(words.tools, name))) return { tool_names: elsewhere }
  return {
    any: [
      { agents: [words.id], tool_names: natives },
      { not: { agents: [words.id] }, tool_names: elsewhere },
    ],
  }
}

/** A pattern searched in the native tool name; undefined when it is no pattern at all. */
export function toolPattern(words: MatcherWords, pattern: string): Matcher | undefined {
  const test = searchFor(pattern)
  if (!test) return undefined
  const known = [...Object.keys(words.tools), ...Object.keys(words.aliases ?? {})].filter(test)
  const byName = known.length > 0 ? [toolNames(words, known)] : []
  // Look-around has no linear-time form: the names that we know stand for it.
  return isLinear(pattern) ? { any: [{ tool: pattern }, ...byName] } : (byName[0] ?? undefined)
}

/** The event's subject is one of these words. */
export function subjectWords(words: readonly string[]): Matcher {
  return { subject_pattern: `^(?:${words.map(escapePattern).join('|')})$` }
}

/** A pattern searched in the subject; undefined when it is no pattern, or none that runs in linear time. */
export function subjectPattern(pattern: string): Matcher | undefined {
  return isLinear(pattern) ? { subject_pattern: pattern } : undefined
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}/-]/g, '\\$&').replaceAll('|', '[|]')
}

export function isLinear(pattern: string): boolean {
  try {
    RE2JS.compile(pattern)
    return true
  } catch {
    // The caller says what a pattern that cannot be used means.
    return false
  }
}

/** Does a text contain the pattern? Undefined when it is none. For short texts of our own only. */
export function searchFor(pattern: string): ((name: string) => boolean) | undefined {
  try {
    const compiled = isLinear(pattern) ? RE2JS.compile(pattern) : undefined
    if (compiled) return (name) => compiled.matcher(name).find()
    const native = new RegExp(pattern)
    return (name) => native.test(name)
  } catch {
    // Neither engine takes it, so it never matches.
    return undefined
  }
}

/** Canonical names, of those tools that stand first for theirs. */
function canonicalNames(tools: ToolTable, natives: readonly string[]): string[] {
  return natives.flatMap((native) => {
    const name = Object.hasOwn(tools, native) ? tools[native]!.name : undefined
    return name !== undefined && Object.keys(tools).find((key) => tools[key]!.name === name) === native
      ? [name]
      : []
  })
}

function hasSiblings(tools: ToolTable, native: string): boolean {
  if (!Object.hasOwn(tools, native)) return false
  return Object.values(tools).filter((row) => row.name === tools[native]!.name).length > 1
}
