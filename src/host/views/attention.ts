/** What needs a person, most urgent first: for the page, the API and `crosshook status`. */

import { deadLetters } from '../../journal/dead-letters.ts'
import { messageOf } from '../../spec/errors.ts'
import type { Assembly } from '../assemble.ts'
import { lastReport } from './checkups.ts'
import { allHooks } from './hooks.ts'

export interface Attention {
  /** Stable for the same problem, as long as it lasts. */
  id: string
  kind: 'failure' | 'trust' | 'broken' | 'wiring' | 'setup' | 'drift' | 'approval' | 'storage' | 'check'
  level: 'error' | 'warning' | 'note'
  title: string
  detail: string
  /** A command, or a sentence. */
  fix: string
  /** Page with more about it. */
  link: string | null
  at: string | null
}

export interface AttentionOptions {
  /** Further items from the caller. */
  more?: readonly Attention[]
  /** Also search these folders for hooks. */
  folders?: readonly string[]
}

export async function attention(runtime: Assembly, options: AttentionOptions = {}): Promise<Attention[]> {
  const parts = [
    () => options.more ?? [],
    () => failures(runtime.paths.state),
    () => hooks(runtime, options.folders ?? []),
    () => wiring(runtime.paths.state),
  ]
  const found = await Promise.all(
    parts.map(async (part, i) => {
      try {
        return await part()
      } catch (error) {
        // A failed check needs a person, too, and must not hide the others.
        return [unseen(i, messageOf(error))]
      }
    }),
  )
  return found
    .flat()
    .sort((a, b) => LEVELS[a.level] - LEVELS[b.level] || (b.at ?? '').localeCompare(a.at ?? ''))
}

const LEVELS = { error: 0, warning: 1, note: 2 } as const

function unseen(i: number, message: string): Attention {
  return {
    id: `unseen-${i}`,
    kind: 'storage',
    level: 'error',
    title: 'A check failed',
    detail: message,
    fix: 'crosshook doctor',
    link: null,
    at: null,
  }
}

/** One item per hook, however often it failed. */
function failures(state: string): Attention[] {
  const letters = deadLetters(state)
  const open = letters.list().filter(({ resolved_at }) => resolved_at === undefined)
  const { read_error } = letters.summary()
  return [
    ...(read_error === undefined ? [] : [unseen(9, read_error)]),
    ...[...Map.groupBy(open, ({ hook_name }) => hook_name)].map(([hook, own]): Attention => {
      const last = own.at(-1)!
      const times = own.length === 1 ? 'failed' : `failed ${own.length} times`
      const effect =
        last.failure_mode === 'closed'
          ? 'what it could not judge was refused'
          : 'what it could not judge went on'
      return {
        id: `failure-${hook}`,
        kind: 'failure',
        level: 'error',
        title: `${hook} ${times}: ${effect}`,
        detail: last.error,
        fix: `crosshook dead-letter show ${last.id}`,
        link: `/hooks?show=failures&hook=${encodeURIComponent(hook)}`,
        at: last.at,
      }
    }),
  ]
}

async function hooks(runtime: Assembly, folders: readonly string[]): Promise<Attention[]> {
  const found = await allHooks(runtime, folders)
  const waiting = found.hooks.filter(({ row }) => row.trust !== null && row.trust !== 'trusted')
  return [
    ...waiting.map(({ id, row, workDir }): Attention => {
      const { name } = row.hook
      const where = workDir ?? row.hook.origin.file
      return {
        id: `trust-${id}`,
        kind: 'trust',
        level: row.trust === 'changed' ? 'error' : 'warning',
        title:
          row.trust === 'changed'
            ? `${name} has changed since you trusted it`
            : `${name} waits for your trust`,
        detail: `Project hook in ${where}: it does not run.`,
        fix: `cd ${where} && crosshook trust ${name}`,
        link: `/hooks/${id}`,
        at: null,
      }
    }),
    ...found.broken.map(
      ({ name, file, problems }): Attention => ({
        id: `broken-${file}-${name}`,
        kind: 'broken',
        level: 'error',
        title: `${name} does not load`,
        detail: `${file}: ${problems[0]?.message ?? ''}`,
        fix: problems[0]?.fix || 'crosshook validate',
        link: '/hooks',
        at: null,
      }),
    ),
    ...found.problems
      .filter(({ level }) => level === 'error')
      .map(
        ({ file, message, fix }): Attention => ({
          id: `settings-${file}-${message}`,
          kind: 'broken',
          level: 'error',
          title: 'Settings cannot be used as they are',
          detail: `${file}: ${message}`,
          fix,
          link: null,
          at: null,
        }),
      ),
  ]
}

/** An older report is renewed. */
const STALE_REPORT_MS = 24 * 3_600_000

function wiring(state: string): Attention[] {
  const kept = lastReport(state)
  if (!kept)
    return [
      {
        id: 'check-never',
        kind: 'check',
        level: 'note',
        title: 'Nobody has checked yet whether agents obey',
        detail: 'doctor sends a harmless call through the very command that each agent was given.',
        fix: 'crosshook doctor',
        link: '/agents',
        at: null,
      },
    ]
  const { at, report } = kept
  const base = { at, link: '/agents', kind: 'wiring' as const }
  return [
    ...report.agents.flatMap(({ id, title, events, problems, wired }): Attention[] => {
      const bad = events.filter(({ state }) => state === 'missing' || state === 'broken')
      return [
        ...(wired && bad.length > 0
          ? [
              {
                ...base,
                id: `wiring-${id}`,
                level: 'error' as const,
                title: `${title} does not obey on ${bad.map(({ event }) => event).join(', ')}`,
                detail: bad[0]!.detail ?? '',
                fix: `crosshook install ${id}`,
              },
            ]
          : []),
        ...problems.map((problem) => ({
          ...base,
          id: `wiring-${id}-${problem.message}`,
          level: problem.level,
          title,
          detail: problem.message,
          fix: problem.fix,
        })),
      ]
    }),
    ...report.problems
      .filter(({ also }) => also === undefined)
      .map(
        ({ level, message, fix, agent, kind }): Attention => ({
          ...base,
          id: `doctor-${message}`,
          kind: agent !== undefined ? 'wiring' : (kind ?? 'setup'),
          level,
          title: message,
          detail: '',
          fix,
        }),
      ),
    ...(Date.now() - Date.parse(at) > STALE_REPORT_MS
      ? [
          {
            ...base,
            id: 'check-stale',
            kind: 'check' as const,
            level: 'note' as const,
            title: 'The wiring of the agents was not checked for a day',
            detail: '',
            fix: 'crosshook doctor',
          },
        ]
      : []),
  ]
}
