/** What a person must see before a project's hook may run: every file, or the changes. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { replacedBy } from '../../config/layers.ts'
import { folderOf } from '../../config/snapshot.ts'
import { digest, snapshot } from '../../config/trust.ts'
import { rightsWords } from '../../executors/confine/rights-words.ts'
import { sha256Hex } from '../../fast/digest.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Hook } from '../../spec/hook.ts'
import { matcherWords } from '../../spec/matcher.ts'
import type { Assembly } from '../assemble.ts'
import { lineDiff } from '../line-diff.ts'
import { runWords } from '../run-words.ts'
import { hookOf } from './hooks.ts'

/** Longer files are truncated in the view, with a note. */
const MAX_CHARS = 200_000

export async function trustView(runtime: Assembly, id: string) {
  const { hook, together, all } = await wanted(runtime, id)
  const { trust } = runtime
  const now = snapshot(hook)
  const before = trust.pinned(hook)
  const reach = trust.reach(together)
  const names = [...new Set([...(before?.keys() ?? []), ...now.keys()])].sort()
  return {
    id,
    state: trust.state(hook),
    /** Send this back to trust exactly this version. */
    seen: seenOf(now, reach),
    place: hook.origin.dir ?? hook.origin.file,
    hooks: together.map((each) => ({
      name: each.name,
      for: `${each.events.join(', ')}, ${matcherWords(each.matcher)}`,
      runs: runWords(each),
      may: rightsWords(each) ?? null,
      description: each.description ?? null,
    })),
    replaces: together
      .flatMap((each) => replacedBy(each, all))
      .map(({ name, origin }) => ({ name, file: origin.file })),
    outside: reach.files.map(({ path }) => path),
    unpinned: reach.unpinned,
    files: names.map((path) => fileView(path, before?.get(path), now.get(path), folderOf(hook))),
  }
}

export async function trustSeen(
  runtime: Assembly,
  id: string,
  { seen, everywhere, env }: { seen: unknown; everywhere: boolean; env: NodeJS.ProcessEnv },
): Promise<void> {
  const { hook, together } = await wanted(runtime, id)
  const { trust } = runtime
  const isSeen = () => seenOf(snapshot(hook), trust.reach(together)) === seen
  if (!isSeen()) throw changed(hook)
  trust.trust(together, { everywhere, env })
  const pinned = trust.pinned(hook)
  if (pinned && seenOf(pinned, trust.reach(together)) === seen) return
  trust.untrust(hook)
  throw changed(hook)
}

export async function untrust(runtime: Assembly, id: string): Promise<boolean> {
  const { hook } = await wanted(runtime, id)
  return runtime.trust.untrust(hook)
}

async function wanted(runtime: Assembly, id: string) {
  const { row, all } = await hookOf(runtime, id)
  const { hook } = row
  if (hook.scope !== 'project')
    throw new CrosshookError('bad_input', `${hook.name} is a ${hook.scope} hook: it needs no trust.`, {
      fix: '',
    })
  const place = (other: Hook) => other.origin.dir ?? other.origin.file
  // Hooks of one file are trusted together.
  const together = all.filter((other) => other.scope === 'project' && place(other) === place(hook))
  return { hook, together, all }
}

function seenOf(files: ReturnType<typeof snapshot>, reach: object): string {
  return sha256Hex(`${digest(files)}\0${JSON.stringify(reach)}`)
}

function changed({ name }: Hook): CrosshookError {
  return new CrosshookError('not_trusted', `${name} has changed since it was shown to you`, {
    fix: 'Nothing was trusted. Look at it again.',
  })
}

function fileView(path: string, before: Buffer | undefined, now: Buffer | undefined, folder: string) {
  const change = !before ? 'new' : !now ? 'removed' : now.equals(before) ? 'same' : 'changed'
  const isText = ![before, now].some((bytes) => bytes?.subarray(0, 8000).includes(0))
  const text = now?.toString('utf8') ?? ''
  return {
    path,
    change,
    bytes: now?.length ?? 0,
    is_program: ((statSync(join(folder, path), { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0,
    /** Null: not text. */
    text: isText ? text.slice(0, MAX_CHARS) : null,
    is_cut: text.length > MAX_CHARS,
    diff: isText && before && change !== 'same' ? lineDiff(before.toString('utf8'), text) : null,
  }
}
