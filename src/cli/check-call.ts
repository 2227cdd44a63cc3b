/** The argument of `check`: a shell line, a path, or a payload. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SampleTool } from '../install/sample-call.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { TOOLS, type ToolTable, toCanonicalTool } from '../spec/tool.ts'
import type { Arguments } from './options.ts'
import { warn } from './print.ts'
import { hasStdin, parseObject, readStdin } from './stdin.ts'

export type Given =
  | { kind: 'calls'; calls: SampleTool[] }
  /** An agent's own payload, or a canonical event. */
  | { kind: 'payload'; payload: Record<string, unknown> }

/** Tools may have any agent's native name; the first table that has it counts. */
export function givenCall(args: Arguments, workDir: string, tables: readonly ToolTable[]): Given {
  const tool = args.value('tool')
  const text = args.words.length > 0 ? args.words.join(' ') : hasStdin() ? readStdin().trim() : ''
  if (text === '' && args.value('input') === undefined)
    throw new CrosshookError('usage', 'what is to be checked?', {
      fix: `A command (crosshook check 'git push -f'), a path (crosshook check ~/.ssh/id_rsa) or a payload (crosshook check '{"tool_name": …}').`,
    })
  if (args.value('input') !== undefined)
    return {
      kind: 'calls',
      calls: [inCanonicalWords(tables, tool ?? 'Shell', parseObject(args.value('input')!, '--input'))],
    }
  if (text.startsWith('{')) {
    const payload = parseObject(text, 'the payload')
    return isCanonicalCall(payload)
      ? { kind: 'calls', calls: [inCanonicalWords(tables, payload.tool_name, payload.tool_input)] }
      : { kind: 'payload', payload }
  }
  if (tool !== undefined) {
    const { name } = inCanonicalWords(tables, tool, {})
    return { kind: 'calls', calls: [{ name, input: inputFor(name, text) }] }
  }
  if (isPath(text, workDir)) {
    const path = text.replace(/^~(?=\/|$)/, args.env.HOME ?? '~')
    return {
      kind: 'calls',
      calls: [
        { name: 'ReadFile', input: { path } },
        { name: 'WriteFile', input: { path, content: '' } },
      ],
    }
  }
  return { kind: 'calls', calls: [{ name: 'Shell', input: { command: text } }] }
}

function inCanonicalWords(
  tables: readonly ToolTable[],
  name: string,
  input: Record<string, unknown>,
): SampleTool {
  if (Object.hasOwn(TOOLS, name) || name.startsWith('mcp__')) return { name, input }
  const table = tables.find((each) => Object.hasOwn(each, name))
  if (table) return toCanonicalTool(table, name, input)
  const known = [...Object.keys(TOOLS), ...tables.flatMap((each) => Object.keys(each))]
  warn(
    `no agent has a tool called "${name}".${didYouMean(name, known)} \`crosshook help tools\` has the names.`,
  )
  return { name, input }
}

function isCanonicalCall(
  payload: Record<string, unknown>,
): payload is { tool_name: string; tool_input: Record<string, unknown> } {
  const { tool_name: name, tool_input: input } = payload
  const isPlain = Object.keys(payload).every((key) => key === 'tool_name' || key === 'tool_input')
  return isPlain && typeof name === 'string' && typeof input === 'object' && input !== null
}

/** A single word that is a path: a bare program name is a command. */
function isPath(text: string, workDir: string): boolean {
  if (/\s/.test(text)) return false
  return /^(?:~?\/|\.{1,2}\/)/.test(text) || (text !== '' && existsSync(resolve(workDir, text)))
}

const FIELDS: Readonly<Record<string, string>> = {
  Shell: 'command',
  WebFetch: 'url',
  WebSearch: 'query',
  Search: 'pattern',
  FindFiles: 'pattern',
  Subagent: 'prompt',
}

function inputFor(tool: string, text: string): Record<string, unknown> {
  return { [FIELDS[tool] ?? 'path']: text }
}
