/**
 * Reaches people beside the page: webhook, Slack and ntfy, by the same code as on a machine (src/ask/channels). The hub
 * that a machine asked notifies them; the answer is a row in the database, whichever hub receives it.
 */

import { createHmac } from 'node:crypto'
import type { Given } from '../ask/answer.ts'
import type { Channel, Received } from '../ask/channel.ts'
import { CHANNEL_FILES } from '../ask/channels/list.ts'
import { type Answer, type Question, SILENCE } from '../ask/question.ts'
import type { ApprovalSettings } from '../config/settings.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Database } from './database/port.ts'
import { type AskRow, answerAsk } from './store/asks.ts'
import { type ChannelSettings, mayApprove, personById, tenantSettings } from './store/tenants.ts'

type Asked = Pick<AskRow, 'id' | 'edge' | 'body' | 'input_digest' | 'deadline' | 'approvers' | 'approvals'>

export interface HubChannels {
  /** Notifies people, in the background, of a machine's question. */
  tell(tenant: string, ask: Asked): void
  /** Must anybody be notified when a question of this tenant is closed? */
  waits(tenant: string): boolean
  answered(tenant: string, row: AskRow): void
  /** Handles a request to a channel's address; returns the response for its service. */
  receive(tenant: string, channel: string, request: Received): Promise<unknown>
  close(): void
}

export const NO_CHANNELS: HubChannels = {
  tell() {},
  waits: () => false,
  answered() {},
  receive: async (_, channel) => {
    throw unknown(channel)
  },
  close() {},
}

const NAMES = ['webhook', 'slack', 'ntfy'] as const
const LOOK_MS = 1000
/** Notifications per machine; further questions are only on the page. Machines themselves ask less often. */
const PER_MINUTE = 20

export interface ChannelOptions {
  db: Database
  /** Seals the content of buttons; the same for all hubs. */
  key: Buffer
  /** Where services reach the hubs. */
  publicUrl: string | undefined
  trouble(sentence: string): void
}

export function createChannels({ db, key, publicUrl, trouble }: ChannelOptions): HubChannels {
  const opened = new Map<string, { mark: string; channels: Map<string, Channel> }>()
  /** Open questions that people were notified of, by tenant and id. */
  const told = new Map<string, Map<string, Question>>()

  async function channelsOf(tenant: string): Promise<Map<string, Channel>> {
    const { channels: settings = {} } = await db.within(tenant, (sql) => tenantSettings(sql, tenant))
    const mark = JSON.stringify(settings)
    const known = opened.get(tenant)
    if (known?.mark === mark) return known.channels
    const modules = await Promise.all(
      NAMES.map(async (name) => [name, await CHANNEL_FILES[name]!()] as const),
    )
    const channels = new Map(
      modules.flatMap(([name, { open }]) => {
        const channel = open({
          settings: approvalSettings(settings, publicUrl),
          secrets: {
            of: (channel) => secretOf(settings, channel),
            key: () => createHmac('sha256', key).update(`buttons\0${tenant}`).digest(),
          },
          namesOf: async (name) => [name],
          answerUrl: publicUrl && `${publicUrl}/v1/fleet/answers/${tenant}/${name}`,
          answer: (id, given) =>
            void give(tenant, id, given).catch((error: unknown) =>
              trouble(`${name}: an answer does not count: ${messageOf(error)}`),
            ),
          trouble,
        })
        return channel ? [[name, channel] as const] : []
      }),
    )
    for (const channel of opened.get(tenant)?.channels.values() ?? []) channel.close?.()
    // Requests for fleets without channels must not fill the memory.
    if (channels.size > 0) opened.set(tenant, { mark, channels })
    else opened.delete(tenant)
    return channels
  }

  async function each(tenant: string, id: string, call: (channel: Channel) => Promise<void>): Promise<void> {
    for (const [name, channel] of await channelsOf(tenant))
      void call(channel).catch((error: unknown) =>
        trouble(`question ${id}: ${name} could not be told: ${messageOf(error)}`),
      )
  }

  async function give(tenant: string, id: string, given: Given): Promise<AskRow & { missing: number }> {
    const { decision, by, digest, words = '', scope = 'once' } = given
    return db.within(tenant, async (sql) => {
      const person = await personById(sql, tenant, by)
      // A name counts if it belongs to somebody here who may answer. A nameless answer is judged by the question.
      if (person ? !mayApprove(person) : !NAMELESS.test(by))
        throw new CrosshookError('refused', `${by} may not answer questions of this fleet.`)
      return answerAsk(sql, { tenant, id: by }, id, { decision, scope, reason: words, digest })
    })
  }

  function over(tenant: string, question: Question, answer: Pick<Answer, 'decision' | 'by' | 'via'>): void {
    told.get(tenant)?.delete(question.id)
    const whole: Answer = {
      ...{ id: question.id, words: '', at: new Date().toISOString(), scope: 'once', digest: question.digest },
      ...{ signature: '', ...answer },
    }
    each(tenant, question.id, async (channel) => channel.over?.(question, whole)).catch((error: unknown) =>
      trouble(`people were not told that a question is over: ${messageOf(error)}`),
    )
  }

  const look = setInterval(() => {
    for (const [machine, times] of rang) if (times.at(-1)! < Date.now() - 60_000) rang.delete(machine)
    for (const [tenant, questions] of told)
      for (const question of questions.values())
        if (Date.parse(question.deadline) < Date.now())
          over(tenant, question, { decision: 'deny', by: SILENCE, via: SILENCE })
  }, LOOK_MS).unref()

  /** Recent notification times per machine. */
  const rang = new Map<string, number[]>()
  const mayRing = (machine: string) => {
    const now = Date.now()
    const lately = (rang.get(machine) ?? []).filter((at) => at > now - 60_000)
    if (lately.length < PER_MINUTE) rang.set(machine, [...lately, now])
    return lately.length < PER_MINUTE
  }

  return {
    tell(tenant, ask) {
      void (async () => {
        if ((await channelsOf(tenant)).size === 0) return
        if (!mayRing(`${tenant}/${ask.edge}`))
          return trouble(
            `machine ${ask.edge} asks too much: question ${ask.id} is on the page and rings nowhere`,
          )
        const question = questionOf(ask)
        const own = told.get(tenant) ?? new Map<string, Question>()
        told.set(tenant, own.set(question.id, question))
        await each(tenant, question.id, (channel) => channel.tell(question))
      })().catch((error: unknown) => trouble(`people were not told of a question: ${messageOf(error)}`))
    },
    waits: (tenant) => (told.get(tenant)?.size ?? 0) > 0,
    answered(tenant, { id, state, decided_by }) {
      const question = told.get(tenant)?.get(id)
      if (!question || state === 'open') return
      const by = decided_by ?? ''
      over(tenant, question, { decision: state, by, via: NAMELESS.exec(by)?.[1] ?? 'hub' })
    },
    async receive(tenant, name, request) {
      const receive = (await channelsOf(tenant)).get(name)?.receive
      if (!receive) throw unknown(name)
      const { id, given, reply } = await receive(request)
      const { state, missing } = await give(tenant, id, given)
      return reply ?? { state, missing }
    },
    close() {
      clearInterval(look)
      for (const { channels } of opened.values()) for (const channel of channels.values()) channel.close?.()
    },
  }
}

/** Names that channels use for people without a name in the settings. */
const NAMELESS = /^(webhook|ntfy|slack)(?::.*)?$/

function approvalSettings(
  { webhook, slack, ntfy }: ChannelSettings,
  publicUrl: string | undefined,
): ApprovalSettings {
  const people = Object.entries(slack?.people ?? {})
  return {
    ...(webhook ? { webhook: { url: webhook.url } } : {}),
    ...(slack ? { slack: { url: slack.url } } : {}),
    ...(ntfy ? { ntfy: { url: ntfy.url, ...(ntfy.answers ? { answers: ntfy.answers } : {}) } } : {}),
    ...(people.length > 0 ? { approvers: people.map(([id, name]) => ({ name, slack: id })) } : {}),
    ...(publicUrl ? { public_url: publicUrl } : {}),
  }
}

function secretOf({ webhook, slack, ntfy }: ChannelSettings, channel: string): string | undefined {
  const secrets: Readonly<Record<string, string | undefined>> = {
    webhook: webhook?.secret,
    slack: slack?.secret,
    ntfy: ntfy?.token,
  }
  return secrets[channel]
}

/** In the form of a machine's own channels. */
function questionOf({ id, body, input_digest, deadline, approvers, approvals }: Asked): Question {
  const shown = JSON.parse(body) as Partial<Question> & {
    machine: string
    agent: string
    reason?: string | null
  }
  const { machine, agent, agent_title = agent, work_dir = '', reason } = shown
  return {
    id,
    at: new Date().toISOString(),
    deadline: new Date(deadline).toISOString(),
    agent,
    // People at a hub must know which machine it is.
    agent_title: `${agent_title} on ${machine}`,
    session_id: shown.session_id ?? '',
    work_dir,
    project: work_dir,
    event: shown.event ?? '',
    tool_name: shown.tool_name ?? '',
    summary: shown.summary ?? '',
    input: shown.input ?? null,
    acts: shown.acts ?? [],
    digest: input_digest,
    scripts: shown.scripts ?? [],
    why: reason ?? '',
    hooks: shown.hooks ?? [],
    approvers: JSON.parse(approvers) as string[],
    approvals,
    run_up: [],
    via: [...NAMES],
    waiter: 0,
  }
}

function unknown(channel: string): CrosshookError {
  return new CrosshookError('not_found', `There is no channel "${channel}" that takes answers.`, {
    fix: 'Set it up: crosshook fleet channels.',
  })
}
