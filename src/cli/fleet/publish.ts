/** `crosshook fleet publish FOLDER`, `sign REVISION`, `rollback REVISION` */

import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { hasCases } from '../../cases/case-file.ts'
import { readSource } from '../../config/load.ts'
import { parseSettings } from '../../config/settings-schema.ts'
import { FOLDER_FORMAT } from '../../dialects/list.ts'
import {
  addOwnSignature,
  type PublishWish,
  publishArchive,
  type RevisionRow,
  rollBack,
} from '../../fleet/publish.ts'
import { pack } from '../../fleet/wire/archive.ts'
import type { Manifest, Stage } from '../../fleet/wire/policy-manifest.ts'
import { createKey, loadKey, type OwnKey } from '../../sign/key-files.ts'
import { CrosshookError } from '../../spec/errors.ts'
import { readText } from '../../spec/read-file.ts'
import { runCases } from '../../testing/run-cases.ts'
import type { FleetCall } from '../fleet.ts'
import type { Arguments } from '../options.ts'
import { requirePerson } from '../person.ts'
import { print, printJson } from '../print.ts'

export const PUBLISHER_KEY = 'fleet-publisher'
const DEFAULT_STAGES = 'shadow:60,1%:60,10%:120,100%'

export async function publish({ args, state, words, admin }: FleetCall): Promise<number> {
  await requirePerson(args)
  const [given] = words
  if (given === undefined)
    throw new CrosshookError('usage', 'which folder is the policy?', {
      fix: 'Write crosshook fleet publish FOLDER, where FOLDER/hooks holds hooks and FOLDER/crosshook.toml, if any, settings.',
    })
  const folder = resolve(given)
  await check(folder)
  const archive = pack(folder)
  const revision = await publishArchive(admin(), archive, wishOf(args, state))
  return say(args, revision, 'published')
}

export async function sign({ args, state, words, admin }: FleetCall): Promise<number> {
  await requirePerson(args)
  const revision = await addOwnSignature(admin(), numberOf(words[0]), keyOf(args, state))
  return say(args, revision, 'signed')
}

export async function rollback({ args, state, words, admin }: FleetCall): Promise<number> {
  await requirePerson(args)
  // Back to a version known to work: everywhere at once, unless said otherwise.
  const wish = wishOf(args, state, '100%')
  const revision = await rollBack(admin(), numberOf(words[0]), {
    note: `back to revision ${words[0]}`,
    ...wish,
  })
  return say(args, revision, 'published')
}

/** A bundle that does not load or fails its own cases here is not published. */
async function check(folder: string): Promise<void> {
  const hooks = join(folder, 'hooks')
  if (!existsSync(hooks))
    throw new CrosshookError('bad_source', `${folder} is no policy: it has no folder hooks`, {
      fix: 'Put one folder with a HOOK.md for each hook into it.',
    })
  const { hooks: found, problems } = await readSource({ path: hooks, format: FOLDER_FORMAT }, 'managed')
  const settings = join(folder, 'crosshook.toml')
  if (existsSync(settings)) problems.push(...parseSettings(readText(settings), settings, folder).problems)
  const wrong = problems.filter(({ level }) => level === 'error')
  if (wrong[0])
    throw new CrosshookError(
      'invalid_hooks',
      `${wrong[0].file}: ${wrong[0].message} (${wrong.length} problems)`,
      {
        fix: `${wrong[0].fix} Nothing was published.`,
      },
    )
  for (const { name, origin } of found) {
    if (origin.dir === undefined || !hasCases(origin.dir)) continue
    const failed = (await runCases(origin.dir)).filter(({ passed }) => !passed)
    if (failed[0])
      throw new CrosshookError('cases_failed', `${name} does not pass its case "${failed[0].name}"`, {
        fix: `Run crosshook test ${origin.dir}. Nothing was published.`,
      })
  }
}

function wishOf(args: Arguments, state: string, stages = DEFAULT_STAGES): PublishWish {
  const note = args.value('note')
  const threshold = args.value('threshold')
  const keys = args.values('signer')
  return {
    key: keyOf(args, state),
    author: userInfo().username,
    selector: args.value('selector') ?? '',
    stages: parseStages(args.value('stages') ?? stages),
    stop: stopOf(args),
    max_age: maxAgeOf(args.value('max-age') ?? '168h:keep'),
    journal: args.flag('full-journal') ? 'full' : 'facts',
    ...(note === undefined ? {} : { note }),
    ...(keys.length > 0 ? { keys } : {}),
    ...(threshold === undefined ? {} : { threshold: Number(threshold) }),
  }
}

/** The publisher's own key, created at first use. */
export function keyOf(args: Arguments, state: string): OwnKey {
  const name = args.value('key') ?? PUBLISHER_KEY
  const key = loadKey(state, name)
  if (key) return key
  if (name === PUBLISHER_KEY) return createKey(state, name)
  throw new CrosshookError('not_found', `you have no key "${name}"`, {
    fix: `Make it: crosshook key new ${name}.`,
  })
}

/** `shadow:60,1%:60,100%`: mode or share of the machines, and minutes until the next stage. */
export function parseStages(text: string): Stage[] {
  return text.split(',').map((word): Stage => {
    const [, what, minutes = '0'] = /^(shadow|\d+(?:\.\d+)?%)(?::(\d+(?:\.\d+)?))?$/.exec(word.trim()) ?? []
    if (what === undefined)
      throw new CrosshookError('usage', `--stages: "${word}" is no stage`, {
        fix: `Write shadow or a percentage, and how many minutes it lasts: ${DEFAULT_STAGES}.`,
      })
    return what === 'shadow'
      ? { mode: 'shadow', percent: 100, minutes: Number(minutes) }
      : { mode: 'enforce', percent: Number(what.slice(0, -1)), minutes: Number(minutes) }
  })
}

function maxAgeOf(text: string): Manifest['max_age'] {
  const [, hours, after] = /^(\d+(?:\.\d+)?)h:(keep|closed)$/.exec(text) ?? []
  if (hours === undefined)
    throw new CrosshookError('usage', `--max-age ${text}: this is no age`, {
      fix: 'Write hours and what then happens: 168h:keep or 24h:closed.',
    })
  return { hours: Number(hours), after: after as 'keep' | 'closed' }
}

function stopOf(args: Arguments): Manifest['stop'] {
  const rate = (name: string) => {
    const text = args.value(name)
    if (text === undefined) return undefined
    const value = Number(text.replace(/%$/, '')) / (text.endsWith('%') ? 100 : 1)
    if (!(value >= 0 && value <= 1))
      throw new CrosshookError('usage', `--${name} ${text}: this is no share`, { fix: 'Write 2% or 0.02.' })
    return value
  }
  const [failures, denies, forecast] = [
    rate('stop-failures') ?? 0.05,
    rate('stop-denies'),
    rate('forecast-denies'),
  ]
  return {
    min_events: Number(args.value('stop-after') ?? 20),
    max_failure_rate: failures,
    ...(denies === undefined ? {} : { max_deny_rate: denies }),
    ...(forecast === undefined ? {} : { forecast_deny_rate: forecast, max_deny_ratio: 2 }),
  }
}

export function numberOf(text: string | undefined): number {
  if (text !== undefined && /^\d+$/.test(text)) return Number(text)
  throw new CrosshookError('usage', text === undefined ? 'which revision?' : `"${text}" is no revision`, {
    fix: 'Write its number: crosshook fleet rollout lists them.',
  })
}

function say(args: Arguments, row: RevisionRow, what: string): number {
  if (args.flag('json')) printJson(row)
  else {
    const { revision, state, digest, manifest } = row
    const missing = manifest.threshold - row.signed_by.length
    print(
      `Revision ${revision} (${digest.slice(0, 12)}) is ${what} and ${state}.` +
        (state === 'pending'
          ? ` It needs ${missing} more of ${manifest.keys.length} people: crosshook fleet sign ${revision}.`
          : ''),
    )
  }
  return 0
}
