/** A matcher in few words. */

import type { Matcher } from '../spec/hook.ts'

/** One row for each condition; what is not listed here does not compile. */
const WORDS: { [Field in keyof Required<Matcher>]: (value: NonNullable<Matcher[Field]>) => string } = {
  tool: (text) => `tool ${text}`,
  tool_names: (names) => `tool ${names.join(' or ')}`,
  tool_globs: (globs) => `tool ${globs.join(' or ')}`,
  pattern: (text) => `input /${text}/`,
  path: (text) => `path ${text}`,
  path_suffix: (text) => `path ${text}`,
  command: (text) => `command /${text}/`,
  command_text: (text) => `command line /${text}/`,
  subject: (text) => `subject ${text}`,
  subject_pattern: (text) => `subject /${text}/`,
  agents: (ids) => `agent ${ids.join(' or ')}`,
  session: (id) => `session ${id}`,
  when: (text) => `when ${text}`,
  any: (choices) => `any of (${choices.map(matcherWords).join('; ')})`,
  not: (matcher) => `not (${matcherWords(matcher)})`,
}

export function matcherWords(matcher: Matcher): string {
  const parts: string[] = []
  for (const [field, value] of Object.entries(matcher)) {
    const word = WORDS[field as keyof Matcher] as ((value: unknown) => string) | undefined
    if (word && value !== undefined) parts.push(word(value))
  }
  return parts.length === 0 ? 'everything' : parts.join(', ')
}
