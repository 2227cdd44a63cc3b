/** `crosshook acts`: what a tool call does, and what could not be followed. Runs nothing. */

import { resolve } from 'node:path'
import { acts } from '../sdk/acts.ts'
import { CrosshookError } from '../spec/errors.ts'
import { actsTree, withReason } from './acts-words.ts'
import { withKnownTool } from './event-arguments.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson } from './print.ts'
import { hasStdin, parseObject, readStdin } from './stdin.ts'

export async function run(args: Arguments): Promise<number> {
  const { folder, ...call } = givenCall(args)
  const { tool_name: name, tool_input: input } = (await withKnownTool('before_tool', {
    tool_name: call.name,
    tool_input: call.input,
  })) as { tool_name: string; tool_input: Record<string, unknown> }
  const workDir = resolve(args.value('work-dir') ?? folder ?? '.')
  const found = await acts({ tool_name: name, tool_input: input, work_dir: workDir, env: args.env })
  if (args.flag('json')) printJson(found.map((act) => withReason(act, name)))
  else print(actsTree(found, painter(1)))
  return 0
}

function givenCall(args: Arguments): { name: string; input: Record<string, unknown>; folder?: string } {
  const name = args.value('tool') ?? 'Shell'
  const input = args.value('input')
  if (input !== undefined)
    return { name, input: parseObject(input, '--input', `Write it as --input '{"command":"ls"}'.`) }
  if (args.words.length > 0) return { name, input: { command: args.words.join(' ') } }
  if (!hasStdin())
    throw new CrosshookError('usage', 'which call?', {
      fix: `For example: crosshook acts 'git push -f', or --tool WriteFile --input '{"path": "x"}'`,
    })
  const event = parseObject(readStdin(), 'the event on stdin')
  return {
    name: typeof event.tool_name === 'string' ? event.tool_name : name,
    input:
      typeof event.tool_input === 'object' && event.tool_input
        ? (event.tool_input as Record<string, unknown>)
        : event,
    ...(typeof event.work_dir === 'string' && event.work_dir !== '' && { folder: event.work_dir }),
  }
}
