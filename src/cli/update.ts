/** `crosshook update [NAME…]`: shows what changes, asks, and swaps whole folders; `--undo` reverts the last one. */

import { openTrust } from '../config/trust.ts'
import { change, finishChange } from '../packs/change.ts'
import { openIndexes } from '../packs/index-store.ts'
import { readLock } from '../packs/lock-file.ts'
import { openKeyRing } from '../packs/trusted-keys.ts'
import { forgetUndo, keepBefore, undoOf } from '../packs/undo.ts'
import { CrosshookError } from '../spec/errors.ts'
import { ask, canAsk } from './ask.ts'
import { hooksIn } from './hooks-in.ts'
import { groupsIn } from './installed.ts'
import type { Arguments } from './options.ts'
import { type Looked, lookAll, show, stateWords } from './outdated.ts'
import { hooksFolder, surroundings } from './pack-places.ts'
import { painter } from './paint.ts'
import { plural, print, printAsIs, printJson, warn } from './print.ts'
import { behaviourOf } from './update-behaviour.ts'
import type { Plan } from './update-plan.ts'
import { filesDiff, updateView } from './update-view.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const base = hooksFolder(args)
  await finishChange(base)
  if (args.flag('undo')) return undo(base, args)
  if (args.flag('freeze') || args.flag('unfreeze')) return freeze(base, args)
  const { around, done } = surroundings(args)
  const indexes = openIndexes(around)
  const looked = await lookAll(base, { args, around, indexes })
  done()
  if (args.flag('check')) return show(looked, args)
  const results: object[] = []
  let refused = 0
  for (const each of looked) {
    const result = await updateOne(each, base, args)
    results.push(result)
    if (result.refused !== undefined) refused++
  }
  if (args.flag('json')) printJson(results)
  else if (!looked.some(({ plan }) => plan)) print('Everything is as new as it may be.\n')
  return refused > 0 || looked.some(({ error, newer }) => error !== undefined || newer?.moved !== undefined)
    ? 1
    : 0
}

interface Result {
  name: string
  from?: string
  to?: string
  updated: boolean
  refused?: string
  more_rights?: boolean
  [field: string]: unknown
}

async function updateOne(looked: Looked, base: string, args: Arguments): Promise<Result> {
  const { group, plan } = looked
  const words = stateWords(looked)
  if (!plan) {
    if (words !== undefined && !args.flag('json')) warn(`${group.name}: ${words}`)
    return { name: group.name, updated: false, ...(words === undefined ? {} : { note: words }) }
  }
  if (words !== undefined && !args.flag('json')) warn(`${group.name}: ${words}`)
  const paint = painter(1)
  const behaviour = args.flag('no-replay') ? undefined : await behaviourOf(plan, args.env)
  if (!args.flag('json')) printAsIs(`${updateView(plan, behaviour, paint)}\n`)
  const more = plan.rights.filter((each) => each.more.length > 0)
  const refusal = await refusalOf(plan, more.length > 0, args)
  const result: Result = {
    name: group.name,
    ...(group.installed.version === undefined ? {} : { from: group.installed.version }),
    to: plan.version,
    updated: refusal === undefined,
    ...(refusal === undefined ? {} : { refused: refusal }),
    more_rights: more.length > 0,
    rights: plan.rights,
    signed: plan.verdict?.how ?? 'gallery',
    ...(behaviour ? { behaviour } : {}),
    diff: Object.keys({ ...plan.before, ...plan.after }).flatMap((name) =>
      filesDiff(name, plan.before[name] ?? [], plan.after[name] ?? [], PLAIN),
    ),
  }
  if (refusal !== undefined) {
    if (!args.flag('json'))
      warn(`${group.name} stays at ${group.installed.version ?? 'what it is'}: ${refusal}`)
    return result
  }
  await carryOut(plan, base, args, new Set(more.map(({ hook }) => hook)))
  if (!args.flag('json'))
    print(
      `${paint.green('updated')} ${visible(group.name)} to ${visible(plan.version)}; crosshook update --undo takes it back\n\n`,
    )
  return result
}

const PLAIN = painterless()

function painterless() {
  const same = (text: string) => text
  return { red: same, green: same, yellow: same, dim: same, bold: same }
}

/** Why not; undefined when a person has agreed. More rights are a separate question. */
async function refusalOf(
  { group, version }: Plan,
  hasMore: boolean,
  args: Arguments,
): Promise<string | undefined> {
  if (args.flag('yes'))
    return hasMore && !args.flag('more-rights')
      ? 'it would get more rights than it has; look at them, then say --more-rights'
      : undefined
  if (!canAsk() || args.flag('json')) return 'there is no terminal to ask on; say --yes'
  if (!(await ask(`Update ${group.name} to ${version}?`))) return 'you said no'
  if (hasMore && !(await ask('It gets MORE RIGHTS than it has, as shown above. Trust it with them?')))
    return 'you did not agree to its new rights'
  return undefined
}

async function carryOut(
  plan: Plan,
  base: string,
  args: Arguments,
  widened: ReadonlySet<string>,
): Promise<void> {
  const { around } = surroundings(args)
  const lock = readLock(base)
  const trust = openTrust(around.stateDir, false)
  const hooks = [...(await hooksIn(base)).values()].map((hook) => ({ ...hook, scope: 'project' as const }))
  const trusted = args.flag('project')
    ? hooks.filter((hook) => plan.changes.put?.[hook.name] && trust.state(hook) === 'trusted')
    : []
  keepBefore(around.stateDir, base, lock, plan.changes)
  await change(base, plan.changes)
  if (plan.verdict?.signer !== undefined && plan.pack.manifest)
    openKeyRing(around.stateDir).pin(
      plan.pack.manifest.name,
      plan.verdict.signer,
      plan.verdict.how === 'rotated' ? plan.verdict.words : undefined,
    )
  // The person has seen every changed byte. Hooks with more rights need `crosshook trust`.
  const after = await hooksIn(base)
  for (const { name } of trusted) {
    const hook = after.get(name)
    if (hook && !widened.has(name)) trust.trust({ ...hook, scope: 'project' }, { env: args.env })
  }
}

async function undo(base: string, args: Arguments): Promise<number> {
  const { around } = surroundings(args)
  const last = undoOf(around.stateDir, base)
  if (!last)
    throw new CrosshookError('not_found', 'there is no update here that could be taken back', {
      fix: 'To go back further: crosshook add NAME@VERSION --downgrade.',
    })
  const names = Object.keys(last.changes.put ?? {})
  if (
    !args.flag('yes') &&
    canAsk() &&
    !args.flag('json') &&
    !(await ask(`Take the update of ${last.at.slice(0, 16)} back (${names.join(', ')})?`))
  )
    throw new CrosshookError('refused', 'nothing was changed', { fix: 'You said no.' })
  await change(base, last.changes)
  forgetUndo(around.stateDir, base)
  if (args.flag('json')) printJson({ undone: names, at: last.at })
  else
    print(
      `${painter(1).green('taken back')}: ${names.map(visible).join(', ')} as before ${last.at.slice(0, 16)}\n`,
    )
  return 0
}

/** `update` leaves frozen packs unchanged and says so. */
async function freeze(base: string, args: Arguments): Promise<number> {
  const lock = readLock(base)
  const groups = groupsIn(base, args.words, lock).filter(({ pack }) => pack)
  const isFrozen = args.flag('freeze')
  const packs = Object.fromEntries(
    groups.map(({ name, pack }) => {
      const { frozen: _, ...rest } = pack!
      return [name, isFrozen ? { ...rest, frozen: true as const } : rest]
    }),
  )
  await change(base, { packs })
  if (args.flag('json')) printJson({ frozen: isFrozen, packs: Object.keys(packs) })
  else
    print(
      `${plural(groups.length, 'pack')} ${isFrozen ? 'frozen: update leaves them as they are' : 'no longer frozen'}\n`,
    )
  return 0
}
