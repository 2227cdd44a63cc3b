/** `if` conditions: permission rules such as `Bash(git *)` as matchers. */

import type { Matcher } from '../../spec/matcher.ts'
import { escapePattern, toolNames } from '../lib/foreign-matchers.ts'
import { ID } from './events.ts'
import { tools } from './tools.ts'

/** Undefined when it is no rule. */
export function ruleMatcher(rule: string): Matcher | undefined {
  const [, tool, content] = /^\s*([\w-]+)\s*(?:\((.*)\))?\s*$/s.exec(rule) ?? []
  if (tool === undefined) return undefined
  const names = toolNames({ id: ID, tools }, [tool])
  if (content === undefined || content === '' || content === '*') return names
  const name = tools[tool]?.name
  if (name === 'Shell') return { ...names, command: `^${commandPattern(content)}$` }
  if (name === 'WebFetch') {
    const domain = content.replace(/^domain:/, '')
    return { ...names, pattern: `^https?://(?:[^/]*\\.)?${escapePattern(domain)}(?:[/:?#]|$)` }
  }
  return { ...names, path: content.replace(/^\/\//, '/') }
}

/** `git *` also stands for a bare `git`; `npm run:*` is the older way to say "begins with". */
function commandPattern(content: string): string {
  const prefix = /^(.*):\*$/s.exec(content)?.[1]
  if (prefix !== undefined) return `${escapePattern(prefix)}(?:\\s.*)?`
  const glob = content.split('*').map(escapePattern).join('.*')
  return glob.replace(/ \.\*$/, '(?: .*)?')
}
