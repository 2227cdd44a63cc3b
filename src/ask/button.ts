/**
 * What a button or link carries: one answer to one question about one input, sealed with the state's key. It works once,
 * because a question has one answer.
 */

import { isMac, mac, stateKey } from '../config/state-key.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Question } from './question.ts'

export interface Pressed {
  id: string
  decision: 'allow' | 'deny'
  digest: string
}

export function button(
  stateDir: string,
  channel: string,
  { id, digest }: Pick<Question, 'id' | 'digest'>,
  decision: Pressed['decision'],
): string {
  const text = `${id}.${decision}.${digest}`
  return `${text}.${mac(stateKey(stateDir), 'ask', `button ${channel} ${text}`)}`
}

export function pressed(stateDir: string, channel: string, token: unknown): Pressed {
  const at = typeof token === 'string' ? token.lastIndexOf('.') : -1
  const text = typeof token === 'string' ? token.slice(0, at) : ''
  const [id, decision, digest] = text.split('.')
  const isWhole = id !== undefined && digest !== undefined && (decision === 'allow' || decision === 'deny')
  if (
    !isWhole ||
    !isMac((token as string).slice(at + 1), stateKey(stateDir), 'ask', `button ${channel} ${text}`)
  )
    throw new CrosshookError('refused', 'this button was not made here, or was altered', {
      fix: 'Answer on the page or with `crosshook approvals`.',
    })
  return { id, decision, digest }
}
