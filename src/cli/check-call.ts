/** The argument of `check`: a shell line, a path, or a payload. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SampleTool } from '../install/sample-call.ts'
import { CrosshookError } from '../spec/errors.ts'
import { withKnownTool } from './event-arguments.ts'
import type { Arguments } from './options.ts'
import { hasStdin, parseObject, readStdin } from './stdin.ts'

export type Given =
  | { kind: 'calls'; calls: SampleTool[] }
  /** An agent's own payload, or a canonical event. */
  | { kind: 'payload'; payload: Record<string, unknown> }

export async function givenCall(args: Arguments, workDir: string): Promise<Given> {
  const tool = args.value('tool')
  const text = args.words.length > 0 ? args.words.join(' ') : hasStdin() ? readStdin().trim() : ''
  if (text === '' && args.value('input') === undefined)
    throw new CrosshookError('usage', 'what is to be checked?', {
      fix: `A command (crosshook check 'git push -f'), a path (crosshook check ~/.ssh/id_rsa) or a payload (crosshook check '{"tool_name": …}').`,
    })
  if (args.value('input') !== undefined)
    return {
      kind: 'calls',
      calls: [await inCanonicalWords(tool ?? 'Shell', parseObject(args.value('input')!, '--input'))],
    }
  if (text.startsWith('{')) {
    const payload = parseObject(text, 'the payload')
    return isCanonicalCall(payload)
      ? { kind: 'calls', calls: [await inCanonicalWords(payload.tool_name, payload.tool_input)] }
      : { kind: 'payload', payload }
  }
  if (tool !== undefined) {
    const { name } = await inCanonicalWords(tool, {})
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

/** Tools may go by any agent's own names. */
async function inCanonicalWords(tool_name: string, tool_input: Record<string, unknown>): Promise<SampleTool> {
  const { tool_name: name, tool_input: input } = await withKnownTool('before_tool', { tool_name, tool_input })
  return { name: name as string, input: input as Record<string, unknown> }
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
