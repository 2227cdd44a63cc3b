/** `crosshook approvals sign`: an approver's signed answer. `crosshook approvals key`: the secrets of channels. */

import { readSecret, secretFile, writeSecret } from '../ask/channel-secrets.ts'
import { post } from '../ask/post.ts'
import { SCOPES } from '../ask/question.ts'
import { type SignedAnswer, signedText } from '../ask/signed-answer.ts'
import { newWebhookSecret } from '../ask/standard-webhooks.ts'
import { paths } from '../config/paths.ts'
import { loadKey } from '../sign/key-files.ts'
import { sign } from '../sign/signature.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import type { Arguments } from './options.ts'
import { print, printJson } from './print.ts'
import { hasStdin, readStdin } from './stdin.ts'

/** Runs on the approver's machine, on what a channel or the API of the other machine showed. */
export async function signAnswer(args: Arguments): Promise<number> {
  const [, id, decision] = args.words
  const [digest, by, url] = [args.value('digest'), args.value('as'), args.value('send')]
  if (id === undefined || (decision !== 'allow' && decision !== 'deny') || !digest || !by)
    throw new CrosshookError('usage', 'sign needs a question, an answer, --digest and --as', {
      fix: 'For example: crosshook approvals sign k3x9w2qa allow --digest 5f0c… --as alice --send https://host:8123',
    })
  const key = loadKey(paths(args.env).state)
  if (!key)
    throw new CrosshookError('not_found', 'you have no key', { fix: 'Make one with `crosshook key new`.' })
  const scope = SCOPES.find((each) => each === (args.value('scope') ?? 'once'))
  if (!scope) throw new CrosshookError('usage', `scopes are: ${SCOPES.join(', ')}`)
  const answer: SignedAnswer = {
    id,
    decision,
    digest,
    words: args.value('words') ?? '',
    scope,
    by,
    at: new Date().toISOString(),
  }
  const signed = { ...answer, signature: sign(key, 'answer', signedText(answer)) }
  if (url === undefined) printJson(signed)
  else {
    await post(`${url.replace(/\/$/, '')}/v1/approvals/answers/key`, JSON.stringify(signed), {})
    print(`sent: ${decision} ${id}\n`)
  }
  return 0
}

const CHANNELS = ['webhook', 'slack', 'ntfy'] as const

/** Generated for a webhook; read from stdin for services with their own secret or token. */
export function channelKey(args: Arguments): number {
  const [, channel = ''] = args.words
  const { state } = paths(args.env)
  if (!CHANNELS.some((each) => each === channel))
    throw new CrosshookError('usage', `"${channel}" has no secret.${didYouMean(channel, CHANNELS)}`, {
      fix: `Use one of: ${CHANNELS.join(', ')}.`,
    })
  const given = channel !== 'webhook' && hasStdin() ? readStdin().toString().trim() : ''
  if (given !== '') writeSecret(state, channel, given)
  else if (channel === 'webhook' && readSecret(state, channel) === undefined)
    writeSecret(state, channel, newWebhookSecret())
  const secret = readSecret(state, channel)
  if (secret === undefined)
    throw new CrosshookError('usage', `which secret? ${channel} has its own`, {
      fix: `Pipe it in: crosshook approvals key ${channel} < FILE`,
    })
  if (args.flag('json'))
    printJson({ channel, file: secretFile(state, channel), ...(channel === 'webhook' ? { secret } : {}) })
  else print(channel === 'webhook' ? `${secret}\n` : `kept in ${secretFile(state, channel)}\n`)
  return 0
}
