/**
 * What a button or link carries: one answer to one question about one input, sealed with a key of this machine or hub.
 * It works once, because a question has one answer.
 */

import { isMac, mac } from '../config/state-key.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { ChannelSecrets } from './channel-secrets.ts'
import type { Question } from './question.ts'

export interface Pressed {
  id: string
  decision: 'allow' | 'deny'
  digest: string
}

export function button(
  secrets: ChannelSecrets,
  channel: string,
  { id, digest }: Pick<Question, 'id' | 'digest'>,
  decision: Pressed['decision'],
): string {
  const text = `${id}.${decision}.${digest}`
  return `${text}.${mac(secrets.key(), 'ask', `button ${channel} ${text}`)}`
}

export function pressed(secrets: ChannelSecrets, channel: string, token: unknown): Pressed {
  const at = typeof token === 'string' ? token.lastIndexOf('.') : -1
  const text = typeof token === 'string' ? token.slice(0, at) : ''
  const [id, decision, digest] = text.split('.')
  const isWhole = id !== undefined && digest !== undefined && (decision === 'allow' || decision === 'deny')
  if (!isWhole || !isMac((token as string).slice(at + 1), secrets.key(), 'ask', `button ${channel} ${text}`))
    throw new CrosshookError('refused', 'this button was not made here, or was altered', {
      fix: 'Answer on the page or with `crosshook approvals`.',
    })
  return { id, decision, digest }
}
