/** `crosshook install --portable` and `uninstall --portable`: wiring that is committed with the repository. */

import { paths } from '../config/paths.ts'
import { repositoryRoot } from '../config/repository.ts'
import { isChange } from '../install/edit.ts'
import type { Fail } from '../install/entry-file.ts'
import type { Done } from '../install/install.ts'
import { agentNamed, type KnownAgent, knownAgents, placeOf } from '../install/known.ts'
import { carryOutPortable, type PortableWork, planPortable } from '../install/portable.ts'
import { wantedByProject } from '../install/wanted.ts'
import { CrosshookError } from '../spec/errors.ts'
import { ask, canAsk } from './ask.ts'
import { diffWords, editJson, editWords, fileWords } from './edit-words.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { print, printJson } from './print.ts'
import { shortPath } from './problem-words.ts'

export async function install(args: Arguments, fail: Fail): Promise<number> {
  const wrong = ['project', 'http', 'managed'].find((option) => args.flag(option))
  if (wrong !== undefined)
    throw new CrosshookError('usage', `--portable and --${wrong} do not go together`, {
      fix: 'Leave one of them out.',
    })
  const project = root()
  const agents = await chosen(args.words, ({ installer }) => installer.portable?.hosted !== undefined)
  const wanted = args.flag('all-events') ? ('all' as const) : await wantedByProject(project, args.env)
  return go(args, {
    agents,
    place: placeOf(args.env, project, 'project'),
    state: paths(args.env).state,
    wiring: { wanted, fail, npx: args.flag('npx') },
  })
}

export async function uninstall(args: Arguments): Promise<number> {
  const agents = await chosen(args.words, () => true)
  return go(args, {
    agents,
    place: placeOf(args.env, root(), 'project'),
    state: paths(args.env).state,
  })
}

function root(): string {
  const found = repositoryRoot(process.cwd())
  if (found !== undefined) return found
  throw new CrosshookError('not_found', 'this folder is in no git repository', {
    fix: 'Go into the repository that the wiring is to be committed to.',
  })
}

async function chosen(
  words: readonly string[],
  isMeant: (agent: KnownAgent) => boolean,
): Promise<KnownAgent[]> {
  const able = (await knownAgents()).filter(({ installer }) => installer.portable !== undefined)
  if (words.length === 0) return able.filter(isMeant)
  const named = await Promise.all([...new Set(words)].map(agentNamed))
  const unable = named.find(({ installer }) => installer.portable === undefined)
  if (unable)
    throw new CrosshookError(
      'usage',
      `${unable.title} reads no hooks of a repository that could find crosshook by themselves`,
      { fix: `Those that do: ${able.map(({ id }) => id).join(', ')}.` },
    )
  return named
}

async function go(args: Arguments, work: PortableWork): Promise<number> {
  const edits = planPortable(work)
  const changes = edits.filter(isChange)
  if (args.flag('dry-run')) {
    const planned = edits.map((edit): Done => ({ edit, state: edit.error ? 'failed' : 'changed' }))
    if (args.flag('json')) printJson({ ok: !planned.some(isFailed), dry_run: true, files: json(planned) })
    else
      print(
        unique(edits)
          .map((edit) => diffWords(edit, painter(1)))
          .join('') || 'There is nothing to change.\n',
      )
    return planned.some(isFailed) ? 1 : 0
  }
  if (changes.length > 0 && !args.flag('yes')) {
    if (args.flag('json') || !canAsk())
      throw new CrosshookError('refused', 'nothing was changed: there is no terminal to ask on', {
        fix: 'Look at it with --dry-run; if it is what you want, say so with --yes.',
      })
    print(
      `${unique(edits)
        .map((edit) => fileWords(edit, painter(1)))
        .join('')}\n`,
    )
    if (!(await ask(work.wiring ? 'Write these files?' : 'Take crosshook out of these files?'))) {
      print('Nothing was changed.\n')
      return 1
    }
  }
  const done = carryOutPortable(work)
  if (args.flag('json')) printJson({ ok: !done.some(isFailed), dry_run: false, files: json(done) })
  else print(words(work, done))
  return done.some(isFailed) ? 1 : 0
}

/** Files that several agents share are listed once. */
function unique<T extends { file: { path: string } }>(edits: readonly T[]): T[] {
  return [...new Map(edits.toReversed().map((edit) => [edit.file.path, edit])).values()].toReversed()
}

function isFailed({ state }: Done): boolean {
  return state === 'failed'
}

function json(done: readonly Done[]) {
  return done.map((each) => ({ agent: each.edit.agent.id, ...editJson(each) }))
}

function words({ agents, wiring }: PortableWork, done: readonly Done[]): string {
  const paint = painter(1)
  const told = agents.flatMap((agent) => {
    const own = done.filter(
      ({ edit, state }) => edit.agent === agent && (wiring !== undefined || state !== 'unchanged'),
    )
    if (own.length === 0) return []
    const { hosted, note } = agent.installer.portable!
    const notes = [...(hosted === undefined ? [] : [`for ${hosted}`]), ...(note === undefined ? [] : [note])]
    return [
      `${paint.bold(agent.title)}\n${own.map((each) => fileLine(each, paint)).join('')}` +
        (wiring ? notes.map((each) => `  ${paint.dim('note')}   ${each}\n`).join('') : ''),
    ]
  })
  if (told.length === 0) return 'crosshook is in no settings of this repository: nothing to take out.\n'
  return told.join('\n') + (wiring ? NEXT : '')
}

/** Files that belong to crosshook as a whole have no events. */
function fileLine(done: Done, paint: Painter): string {
  const { entries, file } = done.edit
  const isWhole = done.state !== 'failed' && entries.some(({ command }) => command === file.path)
  if (!isWhole) return editWords(done, paint)
  const what = done.state === 'unchanged' ? paint.dim('is there') : paint.green('made')
  return `  ${what}  ${shortPath(file.path)}\n`
}

const NEXT = `
Commit these files. Where an agent is hosted, let the setup of its machine run
  npm install -g crosshook && sh .agents/crosshook/run.sh trust --yes
since a repository does not trust its own hooks. On machines where crosshook is installed, that installation answers.
`
