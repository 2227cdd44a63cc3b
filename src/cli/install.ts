/** `crosshook install [AGENT…]`: one entry per event in each agent's own settings. */

import { programOf } from '../agents/command.ts'
import { type Edit, isChange } from '../agents/edit.ts'
import { carryOut, type Done, plan, type Work } from '../agents/install.ts'
import { agentNamed, isPresent, type KnownAgent, knownAgents, placeOf, presence } from '../agents/known.ts'
import { openLedger } from '../agents/ledger.ts'
import { limitsOf } from '../agents/limits.ts'
import { paths } from '../config/paths.ts'
import { CrosshookError } from '../spec/errors.ts'
import { ask, canAsk } from './ask.ts'
import { diffWords, editJson, editWords, fileWords } from './edit-words.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { print, printJson } from './print.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const place = placeOf(process.env, process.cwd(), args.flag('project') ? 'project' : 'user')
  const ledger = openLedger(paths(process.env).state)
  const agents = await chosen(args, place)
  const works = agents.map((agent): Work => ({ agent, place, ledger, program: programOf() }))
  const edits = works.map((work) => ({ work, edits: plan(work) }))
  if (args.flag('dry-run')) return showPlan(args, edits)
  const consents = await consentsFor(
    args,
    edits.flatMap((each) => each.edits),
  )
  if (consents === undefined) {
    print('Nothing was changed.\n')
    return 1
  }
  const done = works.map((work) => ({ work, done: carryOut(work, ({ file }) => consents.has(file.path)) }))
  const isWrong = done.some((each) => each.done.some(({ state }) => state === 'failed'))
  if (args.flag('json')) printJson({ ok: !isWrong, dry_run: false, agents: done.map(asJson) })
  else print(done.map((each) => words(each, painter(1))).join('\n'))
  return isWrong ? 1 : 0
}

/** The agents that were named, or those that are on this machine. */
async function chosen(args: Arguments, place: Work['place']): Promise<KnownAgent[]> {
  if (args.words.length > 0) return Promise.all([...new Set(args.words)].map(agentNamed))
  const known = await knownAgents()
  const found = known.filter((agent) => isPresent(presence(agent, place)))
  if (found.length === 0)
    throw new CrosshookError('not_found', 'no agent was found on this machine', {
      fix: `Name the one you want: crosshook install AGENT. Known are: ${known.map(({ id }) => id).join(', ')}.`,
    })
  return found
}

/** Settings files whose special consent was given; undefined when the person does not want any of it. */
async function consentsFor(args: Arguments, edits: readonly Edit[]): Promise<Set<string> | undefined> {
  const changes = edits.filter(isChange)
  const special = changes.filter(({ file }) => file.consent !== undefined)
  if (args.flag('yes')) return new Set(special.map(({ file }) => file.path))
  if (changes.length === 0 || args.flag('json') || !canAsk()) return new Set()
  const paint = painter(1)
  print(`${edits.map((edit) => fileWords(edit, paint)).join('')}\n`)
  if (!(await ask('Write these files? `--dry-run` shows every line.'))) return undefined
  const given = new Set<string>()
  for (const { file } of special)
    if (await ask(`\n${visible(file.consent!)}\nMay crosshook write that to ${visible(file.path)}?`))
      given.add(file.path)
  return given
}

function showPlan(args: Arguments, plans: readonly { work: Work; edits: Edit[] }[]): number {
  const edits = plans.flatMap((each) => each.edits)
  const isWrong = edits.some(({ error }) => error !== undefined)
  if (args.flag('json'))
    printJson({
      ok: !isWrong,
      dry_run: true,
      agents: plans.map(({ work, edits }) =>
        asJson({
          work,
          done: edits.map((edit) => ({
            edit,
            state: edit.error ? 'failed' : isChange(edit) ? 'changed' : 'unchanged',
          })),
        }),
      ),
    })
  else print(edits.map((edit) => diffWords(edit, painter(1))).join('') || 'There is nothing to change.\n')
  return isWrong ? 1 : 0
}

function words({ work, done }: { work: Work; done: readonly Done[] }, paint: Painter): string {
  const { agent, place } = work
  const head = `${paint.bold(agent.title)}\n`
  if (done.length === 0)
    return `${head}  ${paint.yellow('nothing to write to:')} ${place.level === 'project' ? 'it reads no hooks of a project' : 'none of its settings folders is there'}\n`
  const files = done.map((each) => editWords(each, paint)).join('')
  const limits = limitsOf(agent.dialect).map(
    ({ what, events }) => `  ${paint.dim('limit')}  ${what}: ${events.join(', ')}\n`,
  )
  const notes = (agent.agent.notes ?? []).map((note) => `  ${paint.dim('note')}   ${note}\n`)
  return head + files + limits.join('') + notes.join('')
}

function asJson({ work, done }: { work: Work; done: readonly Done[] }) {
  const { agent, place } = work
  return {
    id: agent.id,
    title: agent.title,
    level: place.level,
    found: presence(agent, place),
    proven: agent.agent.proven,
    files: done.map(editJson),
    limits: limitsOf(agent.dialect),
    notes: agent.agent.notes ?? [],
  }
}
