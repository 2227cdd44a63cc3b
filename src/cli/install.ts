/** `crosshook install [AGENT…]`: one entry per event in each agent's own settings. */

import { paths } from '../config/paths.ts'
import { lineDiff } from '../host/line-diff.ts'
import { coldProgram, programOf } from '../install/command-line.ts'
import { type Edit, isChange } from '../install/edit.ts'
import type { Fail } from '../install/entry-file.ts'
import { type HttpPlan, planHttp, prepareHttp } from '../install/http-wiring.ts'
import { carryOut, type Done, plan, type Work } from '../install/install.ts'
import { agentNamed, isPresent, type KnownAgent, knownAgents, placeOf, presence } from '../install/known.ts'
import { openLedger } from '../install/ledger.ts'
import { limitsOf } from '../install/limits.ts'
import { lastingProgram } from '../install/shim.ts'
import { wantedIn } from '../install/wanted.ts'
import { CrosshookError } from '../spec/errors.ts'
import { ask, canAsk } from './ask.ts'
import { diffWords, editJson, editWords, fileWords } from './edit-words.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { print, printAsIs, printJson } from './print.ts'
import { shortPath } from './problem-words.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  if (args.flag('managed')) return (await import('./managed-install.ts')).install(args)
  if (args.flag('portable')) return (await import('./portable.ts')).install(args, failOf(args))
  if (args.flag('npx'))
    throw new CrosshookError('usage', '--npx goes with --portable alone', { fix: 'Leave it out.' })
  const isDry = args.flag('dry-run')
  const place = placeOf(args.env, process.cwd(), args.flag('project') ? 'project' : 'user')
  if (args.flag('http') && place.level === 'project') throw sharedToken()
  const where = paths(args.env)
  const { state } = where
  const ledger = openLedger(state)
  const cold = lastingProgram(where.data, coldProgram())
  const fixed = { state, data: where.data, env: args.env, cold, fail: failOf(args) }
  const agents = await chosen(args, place)
  const wanted = args.flag('all-events')
    ? ('all' as const)
    : await wantedIn(process.cwd(), args.env, { keeps: !isDry })
  const http = args.flag('http') && agents.some(hasHttp) ? await planHttp(args.env, isDry) : undefined
  const works = agents.map(
    (agent): Work => ({
      agent,
      place,
      ledger,
      program: programOf(where),
      wanted,
      fixed,
      ...(hasHttp(agent) ? { http } : {}),
    }),
  )
  const edits = works.map((work) => ({ work, edits: plan(work) }))
  if (isDry) return showPlan(args, edits, http)
  const consents = await consentsFor(
    args,
    edits.flatMap((each) => each.edits),
  )
  if (consents === undefined) {
    print('Nothing was changed.\n')
    return 1
  }
  const isWanted = edits.some((each) => each.edits.some((edit) => edit.http !== undefined))
  if (http && isWanted) await prepareHttp(args.env, http)
  const done = works.map((work) => ({ work, done: carryOut(work, ({ file }) => consents.has(file.path)) }))
  const isWrong = done.some((each) =>
    each.done.some(({ state }) => state === 'failed' || state === 'waiting'),
  )
  if (args.flag('json')) printJson({ ok: !isWrong, dry_run: false, agents: done.map(asJson) })
  else
    print(
      done.map((each) => words(each, args.flag('http'), painter(1))).join('\n') +
        addressWords(isWanted ? http : undefined, painter(1)),
    )
  return isWrong ? 1 : 0
}

function failOf(args: Arguments): Fail {
  const given = args.value('fail') ?? 'closed'
  if (given === 'open' || given === 'closed') return given
  throw new CrosshookError('usage', `--fail ${given}: only open and closed are known`, {
    fix: 'Leave it out: what crosshook cannot check is then refused.',
  })
}

function sharedToken(): CrosshookError {
  return new CrosshookError(
    'usage',
    "--http and --project do not go together: a project's settings are shared, and entries over HTTP hold a token",
    { fix: 'Leave one of them out.' },
  )
}

function hasHttp({ agent }: KnownAgent): boolean {
  return typeof agent.http === 'object'
}

/** The named agents, or all on this machine. */
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

/** Settings files for which consent was given; undefined when the person declines. */
async function consentsFor(args: Arguments, edits: readonly Edit[]): Promise<Set<string> | undefined> {
  const changes = edits.filter(isChange)
  const special = changes.filter(({ file }) => file.consent !== undefined)
  if (args.flag('yes')) return new Set(special.map(({ file }) => file.path))
  if (changes.length === 0) return new Set()
  if (args.flag('json') || !canAsk())
    throw new CrosshookError('refused', 'nothing was changed: there is no terminal to ask on', {
      fix: 'Look at it with --dry-run; if it is what you want, say so with --yes.',
    })
  const paint = painter(1)
  print(`${edits.map((edit) => fileWords(edit, paint)).join('')}\n`)
  if (!(await ask('Write these files? `--dry-run` shows every line.'))) return undefined
  const given = new Set<string>()
  for (const { file } of special)
    if (await ask(`\n${visible(file.consent!)}\nMay crosshook write that to ${visible(file.path)}?`))
      given.add(file.path)
  return given
}

function showPlan(
  args: Arguments,
  plans: readonly { work: Work; edits: Edit[] }[],
  http: HttpPlan | undefined,
): number {
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
  else {
    const diffs = edits.map((edit) => diffWords(edit, painter(1))).join('')
    printAsIs(settingsWords(http) + diffs || 'There is nothing to change.\n')
  }
  return isWrong ? 1 : 0
}

function settingsWords(http: HttpPlan | undefined): string {
  if (!http?.settings) return ''
  const { file, before, after } = http.settings
  const path = shortPath(file)
  const lines = [`--- ${before === '' ? '/dev/null' : path}`, `+++ ${path}`, ...lineDiff(before, after)]
  return `${lines.map((line) => visible(line)).join('\n')}\n`
}

/** Printed once, because it applies to every agent. */
function addressWords(http: HttpPlan | undefined, paint: Painter): string {
  if (!http) return ''
  const fixed = http.settings
    ? `\n${paint.dim('fixed')}  ${shortPath(http.settings.file)}: the daemon listens at ${new URL(http.origin).host} from now on`
    : ''
  return `${fixed}\n${paint.dim('runs')}   the daemon, at ${http.origin}. Commands start it again when it is not there.\n`
}

/** What this agent cannot do over HTTP, and what it does without an answer. */
function httpNote({ title, agent }: KnownAgent): string {
  if (typeof agent.http === 'object') return agent.http.unanswered
  return `${agent.http ?? `${title} has no HTTP hooks`}: installed as commands.`
}

function words(
  { work, done }: { work: Work; done: readonly Done[] },
  wantsHttp: boolean,
  paint: Painter,
): string {
  const { agent, place } = work
  const head = `${paint.bold(agent.title)}\n`
  if (done.length === 0)
    return `${head}  ${paint.yellow('nothing to write to:')} ${place.level === 'project' ? 'it reads no hooks of a project' : 'none of its settings folders is there'}\n`
  const files = done.map((each) => editWords(each, paint)).join('')
  const limits = limitsOf(agent.dialect).map(
    ({ what, events }) => `  ${paint.dim('limit')}  ${what}: ${events.join(', ')}\n`,
  )
  const asked = wantsHttp ? [httpNote(agent)] : []
  const notes = [...asked, ...(agent.agent.notes ?? [])].map((note) => `  ${paint.dim('note')}   ${note}\n`)
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
