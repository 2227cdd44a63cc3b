/** `crosshook add SOURCE…`: hooks of the gallery, a folder, git or npm, looked at, copied and pinned. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSource } from '../config/load.ts'
import { paths, projectHooks } from '../config/paths.ts'
import { FOLDER_FORMAT } from '../dialects/list.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { type Fetched, fetchSource, hooksFolderIn } from './add-source.ts'
import { addView } from './add-view.ts'
import { ask, canAsk } from './ask.ts'
import { filesOf, type HookFile, placeFiles } from './copy-hook.ts'
import { takeFromGallery } from './gallery.ts'
import { digestOf, type Lock, readLock, writeLock } from './hook-lock.ts'
import { hooksNamed } from './named-hooks.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { plural, print, printJson } from './print.ts'
import { problemWords, shortPath } from './problem-words.ts'
import { visible } from './visible.ts'

interface Added {
  name: string
  source: string
  version?: string
  commit?: string
  digest: string
  folder: string
  runs: string
  goes_with: string[]
}

export async function run(args: Arguments): Promise<number> {
  if (args.words.length === 0)
    throw new CrosshookError('usage', 'what is to be added?', {
      fix: 'For example: crosshook add guards',
    })
  const base = args.flag('project') ? projectHooks(process.cwd()) : paths(args.env).userHooks
  const { sources, notes } = await takeFromGallery(args.words)
  if (!args.flag('json')) for (const note of notes) print(`${note}\n`)
  const added: Added[] = []
  try {
    for (const source of sources) {
      const fetched = await fetchSource(source, args.env)
      try {
        added.push(...(await addFrom(fetched, source, { base, args })))
      } finally {
        fetched.remove()
      }
    }
  } finally {
    // Also when a later source fails: what is there must be said.
    if (!args.flag('json') && added.length > 0) print(nextSteps(added, args.flag('project')))
  }
  if (args.flag('json')) printJson(added)
  return 0
}

async function addFrom(
  fetched: Fetched,
  source: string,
  { base, args }: { base: string; args: Arguments },
): Promise<Added[]> {
  const hooks = await hooksOf(fetched, source, args)
  const lock = readLock(base)
  const chosen = hooks.map((hook) => ({
    hook,
    files: filesOf(hook.origin.dir!),
    target: join(base, checkName(hook)),
  }))
  for (const { hook, target } of chosen) refuseOverwriting(hook, target, lock)
  await agree(fetched, chosen, args)
  return chosen.map(({ hook, files, target }) => {
    placeFiles(files, target)
    const { version, commit } = fetched
    const pinned = {
      source,
      ...(version === undefined ? {} : { version }),
      ...(commit === undefined ? {} : { commit }),
      digest: digestOf({ origin: { file: join(target, 'HOOK.md'), dir: target } }),
    }
    lock[hook.name] = pinned
    writeLock(base, lock)
    return {
      name: hook.name,
      ...pinned,
      folder: target,
      runs: hook.run.type,
      goes_with: companions(hook, base),
    }
  })
}

/** What does not validate is not added, and neither is anything beside it. */
async function hooksOf(fetched: Fetched, source: string, args: Arguments): Promise<Hook[]> {
  const folder = hooksFolderIn(fetched.folder)
  const { hooks, problems } = await readSource({ path: folder, format: FOLDER_FORMAT }, 'source')
  const errors = problems.filter(({ level }) => level === 'error')
  if (errors.length > 0) {
    const paint = painter(2)
    if (!args.flag('json')) print(errors.map((problem) => problemWords(problem, paint)).join(''))
    throw new CrosshookError(
      'invalid_hooks',
      `${source} has ${plural(errors.length, 'error')}; nothing was added`,
      {
        fix: 'Mend it at its source.',
      },
    )
  }
  if (hooks.length === 0)
    throw new CrosshookError('bad_source', `${source} holds no HOOK.md`, {
      fix: 'It must be a hook, or a folder of hooks, at its top or in `hooks` or `.agents/hooks`.',
    })
  const only = args.values('only')
  return only.length === 0
    ? hooks
    : only.flatMap((name) => hooksNamed(name, hooks, `hook in ${source} called`))
}

async function agree(
  fetched: Fetched,
  chosen: readonly { hook: Hook; files: HookFile[] }[],
  args: Arguments,
): Promise<void> {
  // The gallery came with the program itself.
  if (fetched.kind === 'gallery') return
  if (!args.flag('json')) for (const { hook, files } of chosen) print(`${addView(hook, files, painter(1))}\n`)
  if (args.flag('yes')) return
  if (!canAsk() || args.flag('json'))
    throw new CrosshookError('refused', 'nothing was added: there is no terminal to ask on', {
      fix: 'If this may run, say so with --yes.',
    })
  if (!(await ask(`Add ${plural(chosen.length, 'hook')}?`)))
    throw new CrosshookError('refused', 'nothing was added', { fix: 'You said no.' })
}

/** A name becomes a folder. */
function checkName({ name }: Hook): string {
  if (/^[A-Za-z0-9][\w.-]*$/.test(name)) return name
  throw new CrosshookError('refused', `${JSON.stringify(name)} cannot be the name of a folder`, {
    fix: 'Use letters, digits, hyphens and underscores.',
  })
}

/** What was added before and not touched since may be replaced: that is an update. */
function refuseOverwriting({ name }: Hook, target: string, lock: Lock): void {
  if (!existsSync(target)) return
  const pinned = lock[name]
  if (pinned && pinned.digest === digestOf({ origin: { file: '', dir: target } })) return
  throw new CrosshookError(
    'exists',
    `${shortPath(target)} is there already${pinned ? ', and was changed since it was added' : ''}`,
    { fix: `Look at it, then \`crosshook remove ${name}\`.` },
  )
}

/** Hooks that its author recommends beside it and that are not there. */
function companions({ metadata }: Hook, base: string): string[] {
  const names = Array.isArray(metadata?.goes_with) ? metadata.goes_with.map(String) : []
  return names.filter((name) => !existsSync(join(base, name)))
}

function nextSteps(added: readonly Added[], isProject: boolean): string {
  const paint = painter(1)
  const names = added.map(({ name }) => name)
  const missing = new Set(
    added.flatMap(({ goes_with: others }) => others).filter((name) => !names.includes(name)),
  )
  const steps = [
    [`crosshook test ${names[0]}`, 'runs its cases'],
    ...(isProject ? [[`crosshook trust ${names[0]}`, 'lets it run in this project']] : []),
    ['crosshook install', 'lets your agents use it'],
  ] as const
  const width = Math.max(...steps.map(([command]) => command.length)) + 2
  return [
    ...added.map(({ name, folder }) => `${paint.green('added')} ${visible(name)} in ${shortPath(folder)}`),
    ...(missing.size > 0 ? [`It goes well with: ${[...missing].map(visible).join(', ')}`] : []),
    '',
    ...steps.map(([command, what]) => `  ${paint.bold(command.padEnd(width))}${what}`),
    '',
  ].join('\n')
}
