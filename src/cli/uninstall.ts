/** `crosshook uninstall [AGENT…]`: restores the original settings, or removes our entries. */

import { paths } from '../config/paths.ts'
import { coldProgram } from '../install/command-line.ts'
import { type Edit, isChange } from '../install/edit.ts'
import { carryOut, type Done, plan, type Work } from '../install/install.ts'
import { agentNamed, knownAgents, placeOf } from '../install/known.ts'
import { openLedger } from '../install/ledger.ts'
import { ask, canAsk } from './ask.ts'
import { diffWords, editJson, editWords, fileWords } from './edit-words.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printAsIs, printJson } from './print.ts'

export async function run(args: Arguments): Promise<number> {
  if (args.flag('managed')) return (await import('./managed-install.ts')).uninstall(args)
  if (args.flag('portable')) return (await import('./portable.ts')).uninstall(args)
  const place = placeOf(args.env, process.cwd(), args.flag('project') ? 'project' : 'user')
  const { state, data } = paths(args.env)
  const ledger = openLedger(state)
  const agents =
    args.words.length > 0 ? await Promise.all([...new Set(args.words)].map(agentNamed)) : await knownAgents()
  const works = agents.map(
    (agent): Work => ({
      agent,
      place,
      ledger,
      fixed: { state, data, env: args.env, cold: coldProgram(), fail: 'closed' },
    }),
  )
  const edits = works.flatMap(plan)
  if (args.flag('dry-run')) return showPlan(args, edits)
  if (!args.flag('yes') && !args.flag('json') && canAsk() && edits.some(isChange)) {
    print(
      `${edits
        .filter(isOfInterest)
        .map((edit) => fileWords(edit, painter(1)))
        .join('')}\n`,
    )
    if (!(await ask('Take crosshook out of these files?'))) {
      print('Nothing was changed.\n')
      return 1
    }
  }
  const done = works.map((work) => ({ work, done: carryOut(work, () => true) }))
  const isWrong = done.some((each) => each.done.some(({ state }) => state === 'failed'))
  const left = args.flag('purge') && !isWrong ? await (await import('./purge.ts')).purge(args.env) : ''
  if (args.flag('json'))
    printJson({
      ok: !isWrong,
      dry_run: false,
      agents: done.map(({ work, done }) => ({
        id: work.agent.id,
        title: work.agent.title,
        level: place.level,
        files: done.map(editJson),
      })),
    })
  else print(words(done, args.words.length > 0) + left)
  return isWrong ? 1 : 0
}

function words(all: readonly { work: Work; done: readonly Done[] }[], wasNamed: boolean): string {
  const paint = painter(1)
  const shown = all
    .map(({ work, done }) => ({
      work,
      done: wasNamed ? done : done.filter(({ edit }) => isOfInterest(edit)),
    }))
    .filter(({ done }) => done.length > 0)
  if (shown.length === 0) return 'crosshook is in no settings here: nothing to take out.\n'
  return shown
    .map(
      ({ work, done }) =>
        `${paint.bold(work.agent.title)}\n${done.map((each) => editWords(each, paint)).join('')}`,
    )
    .join('\n')
}

function showPlan(args: Arguments, edits: readonly Edit[]): number {
  const isWrong = edits.some(({ error }) => error !== undefined)
  const paint = painter(1)
  if (args.flag('json'))
    printJson({
      ok: !isWrong,
      dry_run: true,
      files: edits.filter(isOfInterest).map((edit) => ({
        agent: edit.agent.id,
        ...editJson({ edit, state: edit.error ? 'failed' : 'changed' }),
      })),
    })
  else printAsIs(edits.map((edit) => diffWords(edit, paint)).join('') || 'There is nothing to take out.\n')
  return isWrong ? 1 : 0
}

function isOfInterest(edit: Edit): boolean {
  return edit.error !== undefined || isChange(edit)
}
