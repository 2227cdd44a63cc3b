/** `crosshook fleet channels [set NAME URL | remove NAME]`: how the hub reaches people who answer questions. */

import { newWebhookSecret } from '../../ask/standard-webhooks.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { FleetCall } from '../fleet.ts'
import type { Arguments } from '../options.ts'
import { requirePerson } from '../person.ts'
import { print, printJson } from '../print.ts'
import { readStdin } from '../stdin.ts'
import { columns } from '../table.ts'
import { visible } from '../visible.ts'

interface Settings {
  channels: Record<string, { host: string; people?: Record<string, string> }>
}

/** What each needs beside its address, and the secret to show if it was generated here. */
const CHANNELS: Readonly<
  Record<string, (url: string, args: Arguments) => Promise<{ settings: object; made?: string }>>
> = {
  async webhook(url) {
    const secret = newWebhookSecret()
    return { settings: { url, secret }, made: secret }
  },
  async slack(url, args) {
    const secret = secretFrom('the signing secret of the Slack app')
    return { settings: { url, secret, people: peopleIn(args.values('person')) } }
  },
  async ntfy(url, args) {
    const token = process.stdin.isTTY ? '' : readStdin().trim()
    const answers = args.value('answers')
    return { settings: { url, ...(answers ? { answers } : {}), ...(token ? { token } : {}) } }
  },
}

export async function channels({ args, words, admin }: FleetCall): Promise<number> {
  const [verb = 'list', name = '', url] = words
  const hub = admin()
  if (verb === 'list') {
    const { channels: set } = await hub.get<Settings>('/v1/fleet/settings')
    if (args.flag('json')) printJson(set)
    else
      print(
        Object.keys(set).length === 0
          ? 'Questions are shown on the page of the hub and by `crosshook fleet approvals`, and ring nowhere.\n'
          : columns(
              Object.entries(set).map(([channel, { host, people = {} }]) => [
                channel,
                visible(host),
                Object.entries(people)
                  .map(([id, person]) => visible(`${id}=${person}`))
                  .join(' '),
              ]),
            ),
      )
    return 0
  }
  const setUp = Object.hasOwn(CHANNELS, name) ? CHANNELS[name] : undefined
  if (!setUp || !['set', 'remove'].includes(verb) || (verb === 'set' && url === undefined))
    throw new CrosshookError('usage', 'which channel, and where?', {
      fix: `Write crosshook fleet channels set ${Object.keys(CHANNELS).join('|')} URL, or remove NAME.`,
    })
  await requirePerson(args)
  const { settings, made } = verb === 'set' ? await setUp(url!, args) : { settings: null, made: undefined }
  await hub.post('/v1/fleet/settings', { channels: { [name]: settings } })
  if (args.flag('json')) printJson({ channel: name, set: verb === 'set', ...(made ? { secret: made } : {}) })
  else if (verb === 'remove') print(`${name} is told of no question any more.\n`)
  else
    print(
      `${name} is told of questions from now on.\n` +
        (made ? `Its secret, shown once; questions and answers are signed with it: ${made}\n` : ''),
    )
  return 0
}

function secretFrom(what: string): string {
  const secret = process.stdin.isTTY ? '' : readStdin().trim()
  if (secret !== '') return secret
  throw new CrosshookError('usage', `${what} is missing`, {
    fix: 'Give it on stdin, so that it is in no history: … < secret-file.',
  })
}

function peopleIn(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const [, id, person] = /^(\w+)=(.+)$/.exec(word) ?? []
      if (id === undefined)
        throw new CrosshookError('usage', `--person ${word}: this is nobody`, {
          fix: 'Write MEMBER=PERSON, such as U012AB3CD=ada.',
        })
      return [id, person!]
    }),
  )
}
