/** What doctor found, for people and for programs. */

import type { HookCommand } from '../host/relay/hook-command.ts'
import type { Checkup, EventCheck, EventState } from '../install/checkup.ts'
import { hearingWords } from '../install/hearing.ts'
import { limitsOf } from '../install/limits.ts'
import type { SelfCheck } from '../install/self-check.ts'
import type { EntryProblem } from '../spec/installer.ts'
import type { Painter } from './paint.ts'
import { plural } from './print.ts'
import { shortPath } from './problem-words.ts'
import { columns } from './table.ts'
import { visible } from './visible.ts'

const PROVEN = { run: 'proven on the real program', docs: 'from its documentation, not tested' } as const

/** Most names of unused events that are shown by default. */
const MAX_SHOWN_OFF = 8

const STATES: Readonly<Record<EventState, { mark: string; colour: keyof Painter }>> = {
  obeyed: { mark: '✓', colour: 'green' },
  wired: { mark: '✓', colour: 'green' },
  cannot: { mark: '–', colour: 'yellow' },
  off: { mark: '·', colour: 'dim' },
  missing: { mark: '✗', colour: 'red' },
  broken: { mark: '✗', colour: 'red' },
}

/** A missing entry is an error only for an agent that was named. */
export function isSick({ isWired, events, problems }: Checkup, isNamed: boolean): boolean {
  return (
    (!isWired && isNamed) ||
    events.some(({ state }) => state === 'broken' || state === 'missing') ||
    problems.some(({ level }) => level === 'error')
  )
}

const LEVELS = { user: 'yours  ', project: 'project', managed: 'managed' } as const

export function agentWords(checkup: Checkup, isNamed: boolean, paint: Painter): string {
  const { agent, isWired, files, events, problems, last_called: last } = checkup
  const { by, version } = agent.agent.proven
  const head = `${paint.bold(agent.title)} ${paint.dim(`(${PROVEN[by]}, ${version})`)}\n`
  const wrong = problems.map((problem) => problemLines(problem, paint)).join('')
  if (!isWired)
    return `${head}  ${isNamed ? paint.red('✗') : paint.yellow('!')} is not wired: crosshook install ${agent.id}\n${wrong}`
  const places = files.map(({ path, level }) => `  ${paint.dim(LEVELS[level])}  ${shortPath(path)}\n`)
  const limits = limitsOf(agent.dialect).map(
    ({ what, events }) => `  ${paint.dim('limit')}    ${what}: ${events.join(', ')}\n`,
  )
  const unheard = checkup.unheard.map(
    (heard) =>
      `  ${paint.dim(heard.how === 'derived' ? 'derived' : 'unheard')}  ${heard.canonical}: ${hearingWords(heard, heard.canonical)}\n`,
  )
  const notes = (agent.agent.notes ?? []).map((note) => `  ${paint.dim('note')}     ${note}\n`)
  const called = `  ${paint.dim('called')}   ${last === null ? 'never yet' : last}\n`
  const table = isNamed ? eventLines(events, paint) : stateLines(events, paint)
  return [head, ...places, called, wrong, table, ...unheard, ...limits, ...(isNamed ? notes : [])].join('')
}

export function selfWords(
  { hooks, problems, confinement }: SelfCheck,
  { state, way, hasDaemon }: { state: string; way: HookCommand; hasDaemon: boolean },
  paint: Painter,
): string {
  return (
    `${paint.bold('crosshook')}\n` +
    columns(
      [
        [paint.dim('node'), process.versions.node],
        [paint.dim('state'), shortPath(state)],
        [
          paint.dim('calls'),
          way.kind === 'relay' ? 'through the relay, to a warm engine' : `start Node each time: ${way.why}`,
        ],
        [paint.dim('daemon'), hasDaemon ? 'running' : 'not running'],
        [paint.dim('hooks'), plural(hooks, 'hook')],
        [paint.dim('confines'), confinement],
      ],
      '  ',
    ) +
    problems.map((problem) => problemLines(problem, paint)).join('')
  )
}

export function agentJson({ agent, found, isWired, files, events, unheard, problems, last_called }: Checkup) {
  return {
    id: agent.id,
    title: agent.title,
    proven: agent.agent.proven,
    found,
    wired: isWired,
    files,
    events,
    unheard,
    problems,
    last_called,
    limits: limitsOf(agent.dialect),
    notes: agent.agent.notes ?? [],
  }
}

function eventLines(events: readonly EventCheck[], paint: Painter): string {
  return columns(
    events.map(({ event, state, detail, last_called: last }) => {
      const { mark, colour } = STATES[state]
      const text = [last === null ? undefined : `called ${last}`, detail].filter(Boolean).join('; ')
      return [paint[colour](mark), event, paint[colour](state), paint.dim(visible(text))]
    }),
    '  ',
  )
}

/** One line per state; one per event for what is wrong. */
function stateLines(events: readonly EventCheck[], paint: Painter): string {
  const lines = Object.entries(STATES).flatMap(([state, { mark, colour }]) => {
    const own = events.filter((check) => check.state === state)
    if (own.length === 0 || mark === '✗') return []
    const names = own.map(({ event }) => event)
    const shown = names.length > MAX_SHOWN_OFF && state === 'off' ? [plural(names.length, 'event')] : names
    return [`  ${paint[colour](mark)} ${state.padEnd(7)}${shown.join(', ')}\n`]
  })
  const bad = events.filter(({ state }) => STATES[state].mark === '✗')
  return lines.join('') + eventLines(bad, paint)
}

export function problemLines({ level, message, fix }: EntryProblem, paint: Painter): string {
  const mark = level === 'error' ? paint.red('✗') : paint.yellow('!')
  return `  ${mark} ${visible(message)}\n    ${paint.dim(visible(fix))}\n`
}
