/** Slack and compatible services: an incoming webhook with buttons, whose clicks come to an interaction endpoint. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { CrosshookError } from '../../spec/errors.ts'
import { button, pressed } from '../button.ts'
import type { OpenChannel, Received } from '../channel.ts'
import { requireSecret } from '../channel-secrets.ts'
import { post } from '../post.ts'
import type { Question } from '../question.ts'
import { proofOf } from '../who.ts'

const TOLERANCE_SECONDS = 300
/** Of one block, in characters: Slack takes 3000. */
const MAX_BLOCK_CHARS = 2500

export const open: OpenChannel = ({ settings, secrets, namesOf }) => {
  const url = settings.slack?.url
  if (url === undefined) return undefined
  const send = (text: string, blocks?: object[]) =>
    post(url, JSON.stringify({ text, ...(blocks ? { blocks } : {}) }), {})
  return {
    tell: (question) =>
      send(`${escaped(question.agent_title)} asks: ${escaped(question.summary)}`, [
        { type: 'section', text: { type: 'mrkdwn', text: sectionText(question) } },
        {
          type: 'actions',
          block_id: question.id,
          elements: (['allow', 'deny'] as const).map((decision) => ({
            type: 'button',
            action_id: decision,
            style: decision === 'allow' ? 'primary' : 'danger',
            text: { type: 'plain_text', text: decision === 'allow' ? 'Allow once' : 'Deny' },
            value: button(secrets, 'slack', question, decision),
          })),
        },
      ]),
    over: async (question, { decision, by, via }) => {
      if (via === 'slack') return // the person who clicked gets the response
      await send(
        `${decision === 'allow' ? 'Allowed' : 'Denied'} by ${escaped(by)}: ${escaped(question.summary)}`,
      )
    },
    flood: (question) =>
      send(
        `${escaped(question.agent_title)} asks too much: further questions of this session are refused for a minute.`,
      ),
    async receive(request) {
      verifySlack(requireSecret(secrets, 'slack'), request)
      const payload = payloadOf(request.body)
      const { id, decision, digest } = pressed(secrets, 'slack', payload.actions?.[0]?.value)
      const user = payload.user?.id ?? ''
      // A Slack account is not a key: only people listed in the settings count by name.
      const approver = settings.approvers?.find(({ slack }) => slack !== undefined && slack === user)
      const by = approver?.name
      return {
        id,
        given: {
          decision,
          digest,
          by: by ?? `slack:${user}`,
          names: by === undefined ? undefined : await namesOf(by),
          proof: approver && proofOf(approver, 'slack'),
          via: 'slack',
        },
        reply: {
          replace_original: true,
          text: `${decision === 'allow' ? 'Allowed' : 'Denied'} by <@${user}>.`,
        },
      }
    },
  }
}

/** `v0` signatures: https://api.slack.com/authentication/verifying-requests-from-slack */
export function verifySlack(secret: string, { headers, body }: Received, now = Date.now()): void {
  const { 'x-slack-request-timestamp': timestamp = '', 'x-slack-signature': given = '' } = headers
  const isRecent =
    /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS
  const right = Buffer.from(
    `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`,
  )
  const found = Buffer.from(given)
  if (!isRecent || found.length !== right.length || !timingSafeEqual(found, right))
    throw new CrosshookError('refused', 'the request is not signed by Slack just now', {
      fix: 'Give crosshook the signing secret of the app: `crosshook approvals key slack`.',
    })
}

interface Payload {
  user?: { id?: string }
  actions?: { value?: string }[]
}

function payloadOf(body: string): Payload {
  try {
    return JSON.parse(new URLSearchParams(body).get('payload') ?? '') as Payload
  } catch {
    throw new CrosshookError('bad_input', 'the request has no payload')
  }
}

function sectionText({ summary, why, work_dir, agent_title, deadline, acts }: Question): string {
  const does = [...new Set(acts.map((act) => act.does.replaceAll('_', ' ')))].join(', ')
  const seconds = Math.max(0, Math.round((Date.parse(deadline) - Date.now()) / 1000))
  const text = `*${escaped(agent_title)}* asks, within ${seconds} s:\n\`\`\`${escaped(summary).replaceAll('```', "'''")}\`\`\`\n${escaped(why)}\nin ${escaped(work_dir)}${does === '' ? '' : `\ndoes: ${escaped(does)}`}`
  return text.slice(0, MAX_BLOCK_CHARS)
}

/** Text of a model must not become a mention or a link. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
