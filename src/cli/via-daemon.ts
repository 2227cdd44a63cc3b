/** `crosshook fire … --via daemon`: sends the event to the running daemon. */

import { environmentHeader } from '../host/http/environment-header.ts'
import { askDaemon } from '../host/request.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { FireResult } from '../spec/outcome.ts'
import type { GivenEvent } from './event-arguments.ts'
import type { Arguments } from './options.ts'

export async function fireViaDaemon(
  args: Arguments,
  { name, fields, sources }: GivenEvent,
): Promise<FireResult> {
  const via = args.value('via')
  if (via !== 'daemon')
    throw new CrosshookError('usage', `--via ${via}: events can only be sent via the daemon`, {
      fix: 'Write --via daemon.',
    })
  if (sources || args.flag('dry-run') || args.flag('all'))
    throw new CrosshookError(
      'usage',
      'the daemon uses its own hooks and runs them: --source, --dry-run and --all cannot be combined with --via',
      {
        fix: 'Leave out --via to run the event in this process.',
      },
    )
  const body = { work_dir: process.cwd(), ...fields, event_type: name }
  const headers = environmentHeader(args.env)
  const answer = await askDaemon(args.env, { method: 'POST', path: '/v1/events', body, headers })
  if (answer.status === 200) return answer.body as FireResult
  const { detail, fix } = answer.body as { detail?: string; fix?: string }
  throw new CrosshookError(
    'refused',
    `The daemon answered ${answer.status}: ${detail ?? 'no detail'}`,
    fix ? { fix } : {},
  )
}
