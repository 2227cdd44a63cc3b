/**
 * The daemon's side of asking people: announces questions on the channels, takes answers, and closes expired questions.
 */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeOverdue, type Desk, type Given, giveAnswer, type Result } from '../ask/answer.ts'
import type { Channel, Received } from '../ask/channel.ts'
import { secretsIn } from '../ask/channel-secrets.ts'
import { CHANNEL_FILES } from '../ask/channels/list.ts'
import { openDesk } from '../ask/desk.ts'
import { bePresent } from '../ask/presence.ts'
import type { Question } from '../ask/question.ts'
import { atThisMachine, namesOf } from '../ask/same-person.ts'
import { fingerprint } from '../config/fingerprint.ts'
import { settingsFiles } from '../config/paths.ts'
import { type ApprovalSettings, readSettings } from '../config/settings.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Assembly } from './assemble.ts'
import { readStatus } from './status-file.ts'

export interface FrontDesk {
  readonly desk: Desk
  answer(id: string, given: Given): Result
  settings(): Promise<ApprovalSettings>
  /** Handles a request to the address of a channel. */
  receive(channel: string, request: Received): Promise<{ result: Result; reply: unknown }>
  /** Calls back whenever a question comes or goes; while somebody watches, a page counts as open. */
  watch(changed: () => void): () => void
  close(): void
}

export interface FrontDeskParts {
  runtime: Pick<Assembly, 'paths' | 'journal'>
  trouble(sentence: string): void
}

/** How often to look for expired questions. */
const LOOK_EVERY_MS = 1000

export function openFrontDesk({ runtime, trouble }: FrontDeskParts): FrontDesk {
  const { paths } = runtime
  const desk = openDesk({ where: paths, journal: runtime.journal, source: 'daemon', trouble })
  const { questions } = desk
  const channels = openChannels(desk, paths, trouble)
  const watchers = new Set<() => void>()
  const told = new Map<string, Question>()
  let leavePage: (() => void) | undefined

  const notice = (name: string) => {
    const [id = '', kind] = name.split('.')
    if (kind === 'question') void tell(id)
    if (kind === 'answer') void tellOver(id)
    if (kind === 'flood') void tellFlood(id)
    if (kind === 'question' || kind === 'answer') for (const changed of watchers) changed()
  }

  async function tell(id: string): Promise<void> {
    const question = questions.get(id)
    if (!question || told.has(id) || questions.answerOf(id)) return
    told.set(id, question)
    // A restarted daemon does not announce a question a second time.
    if (!isFirst(join(questions.folder, `${id}.sent`))) return
    await each(question.via, id, (channel) => channel.tell(question))
  }

  async function tellOver(id: string): Promise<void> {
    const answer = questions.answerOf(id)
    const question = told.get(id) ?? questions.get(id)
    if (!answer || !question || !isFirst(join(questions.folder, `${id}.over`))) return
    told.delete(id)
    if (!question.unheard) await each(question.via, id, async (channel) => channel.over?.(question, answer))
  }

  async function tellFlood(id: string): Promise<void> {
    const question = questions.get(id)
    if (question && isFirst(join(questions.folder, `${id}.flood-sent`)))
      await each(question.via, id, async (channel) => channel.flood?.(question))
  }

  async function each(
    names: readonly string[],
    id: string,
    call: (channel: Channel) => Promise<void>,
  ): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        try {
          const channel = await channels.get(name)
          if (channel) await call(channel)
        } catch (error) {
          trouble(`question ${id}: ${name} could not be told: ${messageOf(error)}`)
        }
      }),
    )
  }

  const stop = questions.follow(notice)
  for (const { id } of questions.open()) void tell(id)
  closeOverdue(desk)
  const look = setInterval(() => {
    const now = Date.now()
    // Checks only questions known to this daemon, instead of reading the folder each second.
    for (const { deadline } of told.values())
      if (Date.parse(deadline) + LOOK_EVERY_MS < now) return closeOverdue(desk)
  }, LOOK_EVERY_MS)
  look.unref()

  return {
    desk,
    answer: (id, given) => giveAnswer(desk, id, given),
    settings: () => channels.settings(),
    async receive(name, request) {
      const receive = (await channels.get(name))?.receive
      if (!receive)
        throw new CrosshookError('not_found', `there is no channel "${name}" that takes answers`, {
          fix: 'Set it up in [approvals] of config.toml: see docs/approvals.md.',
        })
      const { id, given, reply } = await receive(request)
      return { result: giveAnswer(desk, id, given), reply }
    },
    watch(changed) {
      leavePage ??= bePresent(paths.state, 'page')
      watchers.add(changed)
      return () => {
        watchers.delete(changed)
        if (watchers.size > 0) return
        leavePage?.()
        leavePage = undefined
      }
    },
    close() {
      clearInterval(look)
      stop()
      leavePage?.()
      channels.close()
      questions.close()
    },
  }
}

/** Opened on first use, and again when the settings have changed. */
function openChannels(desk: Desk, paths: Assembly['paths'], trouble: (sentence: string) => void) {
  const files = settingsFiles(paths)
  const open = new Map<string, Channel | undefined>()
  let mark: string | undefined
  let settings: ApprovalSettings = {}

  function closeAll(): void {
    for (const channel of open.values()) channel?.close?.()
    open.clear()
  }

  async function current(): Promise<ApprovalSettings> {
    const now = files.map((file) => fingerprint(file)).join()
    if (now !== mark) {
      const read = await readSettings(files, paths.home)
      closeAll()
      mark = now
      settings = read.settings.approvals
    }
    return settings
  }

  return {
    settings: current,
    async get(name: string): Promise<Channel | undefined> {
      await current()
      if (!open.has(name) && Object.hasOwn(CHANNEL_FILES, name)) {
        const { open: openChannel } = await CHANNEL_FILES[name]!()
        const parts = {
          settings,
          secrets: secretsIn(desk.stateDir),
          namesOf: (name: string) =>
            namesOf(name, [...(settings.approvers ?? []), ...atThisMachine(desk.stateDir)]),
          answerUrl: settings.public_url && `${settings.public_url}/v1/approvals/answers/${name}`,
          local: () => readStatus(desk.stateDir)?.http,
          answer: (id: string, given: Given) => void giveAnswer(desk, id, given),
          trouble,
        }
        // Check again after loading the module: a concurrent call may have opened it.
        if (!open.has(name)) open.set(name, openChannel(parts))
      }
      return open.get(name)
    },
    close: closeAll,
  }
}

function isFirst(file: string): boolean {
  if (existsSync(file)) return false
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
