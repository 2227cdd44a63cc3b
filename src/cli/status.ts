/** `crosshook status`: totals, failed hooks, and whether an engine is warm. */

import { type Paths, paths } from '../config/paths.ts'
import { allQuietEvents } from '../config/quiet.ts'
import { readRegisteredSettings, registeredSettingsFile } from '../config/registered-settings.ts'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import type { Heartbeat } from '../history/heartbeat.ts'
import { assemble } from '../host/assemble.ts'
import { type Attention, attention } from '../host/views/attention.ts'
import { deadLetters } from '../journal/dead-letters.ts'
import type { Counts } from '../journal/port.ts'
import { journalOf } from '../pipeline/journal.ts'
import { deafHooks } from '../pipeline/tell/unwired.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { daemonStatus, hangingWords, type SeenDaemon } from './daemon-status.ts'
import { recordEnded } from './ended-hooks.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { plural, print, printJson, warn } from './print.ts'
import { placeWords } from './problem-words.ts'
import { columns } from './table.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const where = paths(args.env)
  const { state } = where
  await recordEnded(args.env)
  const counts = await readCounts(where)
  const letters = deadLetters(state)
  const summary = letters.summary()
  const last = letters.list(1)[0] ?? null
  const daemon = await daemonStatus(args.env)
  const alarms = await silentAgents(args.env)
  if (summary.read_error !== undefined) warn(summary.read_error)
  for (const problem of readRegisteredSettings(registeredSettingsFile(where)).problems)
    warn(`${placeWords(problem)}: ${problem.message}. ${problem.fix}`)
  const idle = await idleHooks(args)
  const isWell = counts !== undefined && idle.length === 0 && alarms.length === 0
  const needs = await attentionOf(args)
  if (args.flag('json')) {
    printJson({
      ...(counts ?? UNKNOWN),
      not_running: idle,
      unresolved: summary.unresolved_count,
      last_dead_letter: last,
      daemon,
      attention: needs,
      silent_agents: alarms,
    })
    return isWell ? 0 : 1
  }
  const rows = [
    ['executions', String(counts?.executions ?? '?')],
    ['failures', String(counts?.failures ?? '?')],
    ['retries', String(counts?.retries ?? '?')],
    ['dead letters', `${counts?.dead_letters ?? '?'}, ${summary.unresolved_count} unresolved`],
    ['last dead letter', last ? `${last.at}  ${visible(last.hook_name)}  ${last.id}` : 'none'],
    [
      'hooks here',
      idle.length === 0
        ? 'all run'
        : `${idle.length} do not run: ${idle.map(({ name, why }) => `${visible(name)} (${why})`).join(', ')}`,
    ],
    ['daemon', daemonWords(daemon)],
    ['state', visible(state)],
  ]
  print(columns(rows))
  if (summary.unresolved_count > 0)
    print(
      `\n${painter(1).yellow('warning:')} ${plural(summary.unresolved_count, 'dead letter is', 'dead letters are')} unresolved: look with \`crosshook dead-letter list\`.\n`,
    )
  const others = needs.filter(
    ({ kind, level }) => !['failure', 'trust', 'broken'].includes(kind) && level !== 'note',
  )
  if (others.length > 0)
    print(
      `\n${others.map(({ title, fix }) => `${painter(1).yellow('needs you:')} ${visible(title)}. ${visible(fix)}\n`).join('')}`,
    )
  for (const { message } of alarms)
    print(`\n${painter(1).red('alarm:')} ${visible(message)}: look with \`crosshook doctor\`.\n`)
  return isWell ? 0 : 1
}

/** Hooks of this folder that do not run, and why. */
async function idleHooks(args: Arguments): Promise<{ name: string; why: string }[]> {
  const runtime = assemble({ env: args.env, source: 'cli' })
  try {
    const { hooks, problems } = await runtime.hookSet(process.cwd())
    const waiting = hooks.filter((hook) => hook.scope === 'project' && !hook.disabled)
    const broken = problems.filter(({ level }) => level === 'error').map(({ hook, file }) => hook ?? file)
    return [
      ...waiting
        .map(({ name, ...hook }) => ({ name, why: runtime.trust.state({ name, ...hook }) }))
        .filter(({ why }) => why !== 'trusted'),
      ...[...new Set(broken)].map((name) => ({ name, why: 'does not load' })),
      ...(await unheardHooks(paths(args.env).state, hooks)),
    ]
  } finally {
    await runtime.close()
  }
}

/** Hooks for events without an entry in an agent, because they were added after `install`. */
async function unheardHooks(state: string, hooks: readonly Hook[]): Promise<{ name: string; why: string }[]> {
  const found: { name: string; why: string }[] = []
  for (const [id, quiet] of Object.entries(allQuietEvents(state))) {
    if (!Object.hasOwn(DIALECTS, id)) continue
    const agent = await loadDialect(id)
    for (const { name } of deafHooks(agent, quiet, hooks).filter(({ disabled }) => !disabled))
      found.push({ name, why: `${agent.title} does not call it yet: crosshook install ${id}` })
  }
  return found
}

async function attentionOf(args: Arguments): Promise<Attention[]> {
  const runtime = assemble({ env: args.env, source: 'cli' })
  try {
    return await attention(runtime, { folders: [process.cwd()] })
  } finally {
    await runtime.close()
  }
}

/** Agents whose transcripts have tool calls that no hook was asked about. */
async function silentAgents(env: NodeJS.ProcessEnv): Promise<(Heartbeat & { message: string })[]> {
  const journal = await journalOf(paths(env))
  try {
    const { alarmOf, heartbeats } = await import('../history/heartbeat.ts')
    const beats = await heartbeats({ env, journal })
    return beats.flatMap((beat) => {
      const message = alarmOf(beat, beat.agent)
      return message === undefined ? [] : [{ ...beat, message }]
    })
  } catch (error) {
    warn(`the transcripts of the agents could not be looked at: ${messageOf(error)}`)
    return []
  } finally {
    journal.close()
  }
}

const UNKNOWN: Record<keyof Counts, null> = {
  executions: null,
  failures: null,
  retries: null,
  dead_letters: null,
  dead_letter_persist_failures: null,
}

/** Never throws: a status is most needed when something is broken. */
async function readCounts(where: Paths): Promise<Counts | undefined> {
  const journal = await journalOf(where)
  try {
    const counts = journal.counts()
    for (const sentence of journal.warnings()) warn(sentence)
    return counts
  } catch (error) {
    if (!(error instanceof CrosshookError)) throw error
    warn(`${error.message} ${error.fix}`)
    return undefined
  } finally {
    journal.close()
  }
}

function daemonWords(daemon: SeenDaemon): string {
  if (!daemon.running) return 'not running'
  const { pid, http, grpc, socket, hangs } = daemon
  if (hangs) return `hangs (pid ${pid}): ${hangingWords(pid)}`
  return [`running (pid ${pid})`, http, grpc, socket].filter(Boolean).join('  ')
}
