/** Adds our entries to one settings file or removes them: first planned, then written. */

import { sep } from 'node:path'
import { sha256Hex } from '../fast/digest.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { CommandLine, Entry, Place, SettingsFile } from '../spec/installer.ts'
import type { HttpForm } from './command-line.ts'
import type { KnownAgent } from './known.ts'
import { digestOf, type Ledger } from './ledger.ts'
import { hideFolder, modesOf, refuseShared, restoreFolder } from './privacy.ts'
import { missingFolders, readBytes, removeFile, targetOf, toText, writeBytes } from './settings-bytes.ts'

export interface Edit {
  agent: KnownAgent
  level: Place['level']
  file: SettingsFile
  target: string
  /** Undefined: no file. Equal to `after` when there is nothing to do. */
  before: Buffer | undefined
  after: Buffer | undefined
  /** What uninstall will restore. */
  original?: Buffer | undefined
  /** Our entries afterwards. */
  entries: Entry[]
  /** The token in the file afterwards; secret. */
  http?: HttpForm
  /** See `LedgerRecord`. */
  quiet?: readonly string[] | 'none'
  error?: CrosshookError
}

export interface Setting {
  agent: KnownAgent
  level: Place['level']
  ledger: Ledger
  http?: HttpForm | undefined
  quiet?: readonly string[] | 'none'
}

export function isChange({ before, after }: Edit): boolean {
  return before === undefined || after === undefined ? before !== after : !before.equals(after)
}

export function planInstall(setting: Setting, file: SettingsFile, command: CommandLine): Edit {
  // Of several files of ours, those for events that no hook listens to any more are removed.
  if (file.isWanted?.(command) === false) return planUninstall(setting, file)
  return plan(setting, file, ({ text, bytes, target }) => {
    const added = file.add(text, command)
    const ours = ownEntries(file, added)
    const http = ours.some(({ headers }) => headers !== undefined) ? setting.http : undefined
    if (http) refuseShared(target)
    const secret = http ? { http } : {}
    if (added === (text ?? '') || (text !== undefined && isInstalled(file, text, ours)))
      return { after: bytes, entries: ours, ...secret }
    const kept = keptOriginal(setting, target, bytes)
    const original = kept ? kept.bytes : withoutOurs(file, text, bytes)
    return { after: Buffer.from(added), original, entries: ours, ...secret }
  })
}

export function planUninstall(setting: Setting, file: SettingsFile): Edit {
  return plan(setting, file, ({ text, bytes, target }) => {
    const kept = keptOriginal(setting, target, bytes)
    // A broken file that never had our entries does not matter here.
    if (!kept && !/crosshook|\/v1\/agents\//.test(text ?? '')) return { after: bytes, entries: [] }
    return { after: kept ? kept.bytes : withoutOurs(file, text, bytes), entries: [] }
  })
}

/** Writes what was planned, after storing what is needed to undo it. */
export function applyInstall(edit: Edit, ledger: Ledger): void {
  const { agent, level, file, target, after, original, http } = edit
  if (!isChange(edit)) return
  if (after === undefined || edit.entries.length === 0) {
    applyUninstall(edit, ledger)
    return
  }
  const earlier = ledger.find(agent.id, target)?.modes
  const modes = http ? (earlier ?? modesOf(target)) : undefined
  // Folders created for another agent's file are removed with the last of them.
  const made = ledger.records
    .flatMap((record) => record.folders)
    .filter((each) => target.startsWith(each + sep))
  const folders = [...new Set([...made, ...missingFolders(target)])]
  ledger.keep(original)
  if (http) {
    hideFolder(target)
    writeBytes(target, after, 0o600, true)
  } else {
    writeBytes(target, after, earlier?.file ?? file.mode, earlier?.file !== undefined)
    restoreFolder(target, earlier)
  }
  const more = {
    ...(http ? { http: { origin: http.origin, token: sha256Hex(http.token) } } : {}),
    ...(modes ? { modes } : {}),
    ...(edit.quiet === 'none' ? { all_events: true as const } : { quiet: [...(edit.quiet ?? [])] }),
  }
  ledger.add({ agent: agent.id, level, file: file.path, target, folders, ...more }, original, after)
}

export function applyUninstall(edit: Edit, ledger: Ledger): void {
  const { agent, target, after } = edit
  const record = ledger.find(agent.id, target)
  if (isChange(edit)) {
    if (after === undefined) removeFile(target, record?.folders)
    else writeBytes(target, after, record?.modes?.file, record?.modes !== undefined)
    restoreFolder(target, record?.modes)
  }
  if (record) ledger.remove(agent.id, target)
}

interface Found {
  text: string | undefined
  bytes: Buffer | undefined
  target: string
}

function plan(
  { agent, level, quiet = [] }: Setting,
  file: SettingsFile,
  work: (found: Found) => Pick<Edit, 'after' | 'original' | 'entries' | 'http'>,
): Edit {
  let [target, bytes] = [file.path, undefined as Buffer | undefined]
  try {
    target = targetOf(file.path)
    bytes = readBytes(target)
    const text = bytes === undefined ? undefined : toText(bytes, file.path)
    return { agent, level, file, target, quiet, before: bytes, ...work({ text, bytes, target }) }
  } catch (error) {
    const failed =
      error instanceof CrosshookError
        ? error
        : new CrosshookError('internal', messageOf(error), { cause: error })
    return { agent, level, file, target, before: bytes, after: bytes, entries: [], error: failed }
  }
}

/** The original bytes, if the file was not written since and the copy still exists. */
function keptOriginal(
  { agent, ledger }: Setting,
  target: string,
  bytes: Buffer | undefined,
): { bytes: Buffer | undefined } | undefined {
  const record = ledger.find(agent.id, target)
  if (bytes === undefined || record?.after !== digestOf(bytes)) return undefined
  try {
    return { bytes: ledger.original(record) }
  } catch (error) {
    // Our entries can still be removed one by one.
    if (error instanceof CrosshookError) return undefined
    throw error
  }
}

/** Existing entries keep their place; a file of our own is always rewritten. */
function isInstalled(file: SettingsFile, text: string, ours: readonly Entry[]): boolean {
  return keyOf(ownEntries(file, text)) === keyOf(ours) && file.remove(text) !== undefined
}

/** The same bytes when no entry is ours. */
function withoutOurs(
  file: SettingsFile,
  text: string | undefined,
  bytes: Buffer | undefined,
): Buffer | undefined {
  if (text === undefined) return undefined
  const rest = file.remove(text)
  return rest === text ? bytes : rest === undefined ? undefined : Buffer.from(rest)
}

function ownEntries(file: SettingsFile, text: string): Entry[] {
  return file.find(text).filter((entry) => entry.ours)
}

function keyOf(entries: readonly Entry[]): string {
  return entries
    .map(({ event, command, args, matcher, headers }) =>
      JSON.stringify([event, command, args, matcher, headers]),
    )
    .sort()
    .join()
}
