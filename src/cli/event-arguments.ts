/** Reads an event from the command line or stdin. */

import { resolve } from 'node:path'
import type { SourceSetting } from '../config/settings.ts'
import { resolvedPath } from '../fast/normal-path.ts'
import { eventName } from '../pipeline/decode/complete-event.ts'
import type { NamedTool } from '../pipeline/decode/named-tool.ts'
import { CrosshookError } from '../spec/errors.ts'
import { parseJson } from '../spec/json.ts'
import { TOOLS } from '../spec/tool.ts'
import type { Arguments } from './options.ts'
import { warn } from './print.ts'
import { hasStdin, parseObject, readStdin } from './stdin.ts'

export interface GivenEvent {
  name: string
  fields: Record<string, unknown>
  sources: SourceSetting[] | undefined
  /** A sentence about a tool that no agent has. It may be one of a program that uses the library. */
  unknownTool: string | undefined
}

export async function givenEvent(args: Arguments): Promise<GivenEvent> {
  const [word] = args.words
  if (word === undefined)
    throw new CrosshookError('usage', 'which event?', {
      fix: `For example: crosshook ${args.command.name} before_tool --tool Shell --input '{"command":"ls"}'`,
    })
  const name = eventName(word)
  const byFlags =
    args.value('tool') !== undefined || args.value('input') !== undefined || args.values('field').length > 0
  const fields = byFlags || !hasStdin() ? {} : parseObject(readStdin(), 'the event on stdin')
  const tool = args.value('tool')
  const input = args.value('input')
  const session = args.value('session')
  const workDir = args.value('work-dir')
  if (tool !== undefined) fields.tool_name = tool
  if (input !== undefined)
    fields.tool_input = parseObject(input, '--input', `Write it as --input '{"command":"ls"}'.`)
  if (session !== undefined) fields.session_id = session
  for (const text of args.values('field')) {
    const at = text.indexOf('=')
    if (at < 1)
      throw new CrosshookError('usage', `--field ${text}: there is no "="`, {
        fix: 'Write it as --field name=value.',
      })
    fields[text.slice(0, at)] = value(text.slice(at + 1))
  }
  if (workDir !== undefined) fields.work_dir = resolvedPath(workDir)
  else if (typeof fields.work_dir === 'string' && fields.work_dir !== '')
    fields.work_dir = resolvedPath(fields.work_dir)
  const known = await knownTool(name, fields)
  return { name, fields: known.fields, sources: givenSources(args), unknownTool: known.unknown }
}

export async function withKnownTool(
  event: string,
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const known = await knownTool(event, fields)
  if (known.unknown !== undefined) warn(known.unknown)
  return known.fields
}

/** Any agent's own name of a tool will do. Canonical names, which most calls have, load nothing. */
async function knownTool(event: string, fields: Record<string, unknown>): Promise<NamedTool> {
  const { tool_name: name } = fields
  if (typeof name !== 'string' || Object.hasOwn(TOOLS, name)) return { fields }
  const { inCanonicalWords } = await import('../pipeline/decode/named-tool.ts')
  return await inCanonicalWords(event, fields)
}

export function givenSources(args: Arguments): SourceSetting[] | undefined {
  const format = args.value('format')
  const given = args
    .values('source')
    .map((path) => ({ path: resolve(path), ...(format === undefined ? {} : { format }) }))
  return given.length > 0 ? given : undefined
}

/** Parsed as JSON if it is JSON, otherwise the text. */
function value(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
