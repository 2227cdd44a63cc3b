/** `crosshook log NUMBER`: one event in full. */

import { assemble } from '../host/assemble.ts'
import { oneEvent } from '../host/views/one-event.ts'
import { CrosshookError } from '../spec/errors.ts'
import { actsTree } from './acts-words.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { print, printJson } from './print.ts'
import { recordWords } from './record-words.ts'
import { visible } from './visible.ts'

export async function showOne(args: Arguments, number: string): Promise<number> {
  if (!/^\d{1,15}$/.test(number))
    throw new CrosshookError('usage', `"${number}" is no number of a record`, {
      fix: '`crosshook log --json` shows it as `seq`.',
    })
  const runtime = assemble({ env: args.env, source: 'cli' })
  try {
    const found = await oneEvent(runtime, Number(number))
    if (!found)
      throw new CrosshookError('not_found', `the journal has no record ${number}`, {
        fix: 'It may have been removed because of its age: see `journal` in config.toml.',
      })
    if (args.flag('json')) printJson(found)
    else print(words(found, painter(1)))
    return 0
  } finally {
    await runtime.close()
  }
}

function words(
  { record, acts, lacks, sent, fire, case: text }: NonNullable<Awaited<ReturnType<typeof oneEvent>>>,
  paint: Painter,
): string {
  const { reply, agent } = record
  const parts: [string, string][] = [
    ['what it does', actsTree(acts, paint) + lacks.map((each) => `Not known: ${each}.\n`).join('')],
    ...sent.map(({ hook, text, problem }): [string, string] => [
      `what ${hook} is sent`,
      text ?? problem ?? '',
    ]),
    [
      'what the agent got',
      reply
        ? `exit code ${reply.exit_code}\n${visible(reply.stdout + reply.stderr)}`
        : agent
          ? 'Nothing but to go on.'
          : 'No agent asked.',
    ],
    ['the same again', visible(fire)],
    ['as a case', visible(text)],
  ]
  const body = parts.map(([head, content]) => `\n${paint.bold(head)}\n${content.trimEnd()}\n`)
  return recordWords(record, paint) + body.join('')
}
