/** `crosshook replay`: what today's hooks would have decided about past calls. Runs no tool. */

import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { paths, projectHooks } from '../config/paths.ts'
import { repositoryRoot } from '../config/repository.ts'
import { openTrust } from '../config/trust.ts'
import { DIALECTS } from '../dialects/list.ts'
import { createJudge, type Judge } from '../history/judge-call.ts'
import { readHistory } from '../history/read.ts'
import { type Replay, replay } from '../history/replay.ts'
import { hooksAt } from '../history/revision.ts'
import { caseLine } from '../history/saved-case.ts'
import { createScripts } from '../history/scripts.ts'
import { createBound } from '../host/bounded-memory.ts'
import type { Journal } from '../journal/port.ts'
import { journalOf } from '../pipeline/journal.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printAsIs, printJson } from './print.ts'
import { progress } from './progress.ts'
import { sinceOf } from './since.ts'
import { workingFolder } from './working-folder.ts'

const DEFAULT_SINCE = '30d'
/** Calls between two checks of the memory in use. */
const CALLS_BETWEEN_LOOKS = 100
/** Seconds for all programs together. */
const DEFAULT_BUDGET = '60'

export async function run(args: Arguments): Promise<number> {
  const since = sinceOf(args.value('since') ?? DEFAULT_SINCE)
  const given = { hooks: args.values('hook'), transcripts: args.values('transcripts') }
  const transcripts = given.transcripts.map((path) => existing(path, '--transcripts'))
  const agents = args.values('agent').map(known)
  const budget = secondsOf(args.value('budget') ?? DEFAULT_BUDGET)
  const journal = await journalOf(paths(args.env))
  const line = progress()
  let count = 0
  const bound = createBound()
  line.show(() => `Replaying: ${count} calls`)
  const { judge, before, close } = await judges(args, budget)
  try {
    const history = readHistory({
      env: args.env,
      journal,
      since,
      ...(agents.length > 0 ? { agents } : {}),
      ...(transcripts.length > 0 ? { transcripts } : {}),
    })
    const report = await replay(history, {
      judge,
      ...(before ? { before } : {}),
      typical: typicalRuns(journal, since),
      onCall: () => {
        if (++count % CALLS_BETWEEN_LOOKS === 0) bound()
      },
    })
    line.clear()
    await show(report, args, since)
    return 0
  } finally {
    line.clear()
    close()
    journal.close()
  }
}

async function judges(
  { env, values, value, flag }: Arguments,
  budget: number,
): Promise<{ judge: Judge; before?: Judge; close(): void }> {
  const sources = values('hook').map((path) => ({ path: existing(path, '--hook') }))
  const against = value('against')
  const trust = openTrust(paths(env).state, env.CROSSHOOK_TRUST === 'all')
  const scripts = flag('run') ? createScripts({ env, budget, runnable: trust.runnable }) : undefined
  const of = (folders: readonly { path: string }[]) =>
    createJudge({ env, ...(folders.length > 0 ? { sources: folders } : {}), ...(scripts ? { scripts } : {}) })
  const closing: { close(): void }[] = scripts ? [scripts] : []
  const close = () => {
    for (const each of closing) each.close()
  }
  if (against === undefined) return { judge: of(sources), close }
  if (existsSync(against) && statSync(against).isDirectory())
    return { judge: of(sources), before: of([{ path: resolve(against) }]), close }
  // A commit contains only the project's hooks, so they are compared with the project's current ones.
  const folder = workingFolder(env)
  const revision = await hooksAt(against, folder)
  closing.push(revision)
  const today = projectHooks(repositoryRoot(folder) ?? folder)
  return {
    judge: of(sources.length > 0 ? sources : [{ path: existing(today, '--against') }]),
    before: of([{ path: revision.folder }]),
    close,
  }
}

async function show(report: Replay, args: Arguments, since: Date): Promise<void> {
  if (args.flag('json')) printJson(report)
  else if (args.flag('sarif')) printJson((await import('./replay-sarif.ts')).sarif(report))
  else if (args.flag('cases'))
    printAsIs(report.groups.flatMap((group) => (group.case ? caseLine(group.case) : [])).join(''))
  else if (args.flag('html')) printAsIs((await import('./replay-html.ts')).html(report, since))
  else print((await import('./replay-words.ts')).words(report, painter(1), since))
}

/** Durations from the journal, for hooks that are not run now. */
function typicalRuns(journal: Journal, since: Date): Map<string, number> {
  const { rows } = journal.hookSums({ since, by: ['hook'] })
  return new Map(rows.flatMap(({ by, p50 }) => (p50 === null ? [] : [[by.hook ?? '', p50] as const])))
}

function existing(path: string, option: string): string {
  if (existsSync(path)) return resolve(path)
  throw new CrosshookError('not_found', `${option} ${path}: there is no such file or folder`)
}

function known(agent: string): string {
  if (Object.hasOwn(DIALECTS, agent)) return agent
  throw new CrosshookError(
    'unknown_agent',
    `--agent ${agent}: is not known.${didYouMean(agent, Object.keys(DIALECTS))}`,
  )
}

function secondsOf(text: string): number {
  const seconds = Number(text)
  if (Number.isFinite(seconds) && seconds > 0) return seconds * 1000
  throw new CrosshookError('usage', `--budget ${text}: is no number of seconds`)
}
