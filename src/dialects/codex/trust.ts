/** Codex runs a hook only when config.toml has the digest of its entry, which a review by the person adds. crosshook adds it only with consent. */

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { CrosshookError } from '../../spec/errors.ts'
import type { CommandLine, Entry, EntryProblem, SettingsFile } from '../../spec/installer.ts'
import { readText } from '../../spec/read-file.ts'
import { parseSettings } from '../lib/json-settings.ts'
import { isOurs, listEntries } from '../lib/nested-hooks.ts'
import { record } from '../lib/payload.ts'
import { addBlock, parseTomlSettings, removeBlock } from '../lib/toml-settings.ts'
import type { OurEntry } from './config.ts'
import { ID } from './events.ts'

const CONSENT =
  'Codex skips hooks that you have not reviewed, without a word. crosshook can record its own entries as reviewed; ' +
  'without your consent, open /hooks in Codex and trust them there.'

interface Options {
  path: string
  hooksFile: string
  names: readonly string[]
  entries(command: CommandLine): Record<string, { hooks: [OurEntry] }>
}

export function trustFile({ path, hooksFile, names, entries }: Options): SettingsFile {
  return {
    path,
    mode: 0o600,
    consent: CONSENT,
    add(text, command) {
      const clean = text === undefined ? undefined : removeBlock(text)
      const known = stateOf(clean ?? '')
      const lines: string[] = []
      for (const [event, { hooks }] of Object.entries(entries(command))) {
        const key = stateKey(hooksFile, event)
        const hash = trustHash(event, hooks[0])
        const recorded = record(known[key])
        if (recorded.trusted_hash === hash || recorded.enabled === false) continue
        if (Object.hasOwn(known, key))
          throw new CrosshookError(
            'bad_settings',
            `${path} holds another review for ${key}. Nothing was changed.`,
            {
              fix: 'Open /hooks in Codex and review the entry there.',
            },
          )
        lines.push(`[hooks.state.${JSON.stringify(key)}]`, `trusted_hash = "${hash}"`, 'enabled = true')
      }
      return lines.length === 0 ? (clean ?? '') : addBlock(clean, lines)
    },
    remove: removeBlock,
    find(text) {
      const foreign = listEntries(parseTomlSettings(text), { agent: ID }).map(({ event, entry }) => ({
        event,
        command: String(entry.command ?? ''),
        ours: isOurs(entry, { agent: ID }),
      }))
      return [...foreign, ...records(text, hooksFile, names)]
    },
  }
}

/** sha256 over the entry as Codex normalises it: compact, keys sorted, every default filled in. */
export function trustHash(event: string, entry: OurEntry): string {
  const { command, timeout, type } = entry
  const text = JSON.stringify({ event_name: snake(event), hooks: [{ async: false, command, timeout, type }] })
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

/** Codex does not report hooks that it skips, so crosshook checks it. */
export function trustProblems(
  text: string | undefined,
  hooksFile: string,
  configFile: string,
): EntryProblem[] {
  const config = parseTomlSettings(existsSync(configFile) ? readText(configFile) : '')
  if (record(config.features).hooks === false)
    return [
      {
        level: 'error',
        message: `${configFile} switches hooks off.`,
        fix: 'Take "hooks = false" out of [features].',
      },
    ]
  const state = record(record(config.hooks).state)
  const skipped = listEntries(parseSettings(text ?? ''), { agent: ID })
    .filter(({ entry }) => isOurs(entry, { agent: ID }))
    .filter(({ event, entry, path }) => {
      const recorded = record(state[`${hooksFile}:${snake(event)}:${path[2]}:${path[4]}`])
      const wanted = trustHash(event, entry as unknown as OurEntry)
      return recorded.trusted_hash !== wanted || recorded.enabled === false
    })
  if (skipped.length === 0) return []
  return [
    {
      level: 'error',
      message: `Codex skips our entries for ${skipped.map(({ event }) => event).join(', ')}: they are not trusted.`,
      fix: 'Open /hooks in Codex and trust them, or install again and agree to the record.',
    },
  ]
}

/** A key contains the index of the entry: of the existing one, or of the one that will be appended. */
function stateKey(hooksFile: string, event: string): string {
  const text = existsSync(hooksFile) ? readText(hooksFile) : '{}'
  const groups = record(record(parseSettings(text)).hooks)[event]
  const list = Array.isArray(groups) ? groups : []
  const ours = list.findIndex((group) =>
    listEntries({ hooks: { [event]: [group] } }, { agent: ID }).some(({ entry }) =>
      isOurs(entry, { agent: ID }),
    ),
  )
  return `${hooksFile}:${snake(event)}:${ours < 0 ? list.length : ours}:0`
}

/** Reviews that stand in our own block. */
function records(text: string, hooksFile: string, names: readonly string[]): Entry[] {
  const others = stateOf(removeBlock(text) ?? '')
  return Object.entries(stateOf(text)).flatMap(([key, value]) => {
    const event = names.find((name) => key.startsWith(`${hooksFile}:${snake(name)}:`))
    if (event === undefined || Object.hasOwn(others, key)) return []
    return [{ event, command: `review ${String(record(value).trusted_hash)}`, ours: true }]
  })
}

function stateOf(text: string): Record<string, unknown> {
  return record(record(parseTomlSettings(text).hooks).state)
}

function snake(event: string): string {
  return event.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}
