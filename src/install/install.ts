/** Adds crosshook to agents' settings and removes it. */

import { basename, join } from 'node:path'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Place, SettingsFile } from '../spec/installer.ts'
import { coldProgram, commandLine, type HttpForm } from './command-line.ts'
import { applyInstall, applyUninstall, type Edit, isChange, planInstall, planUninstall } from './edit.ts'
import { entryFile, type Fail, removeEntry, writeEntry } from './entry-file.ts'
import type { KnownAgent } from './known.ts'
import type { Ledger } from './ledger.ts'
import { possibleEvents } from './possible.ts'
import { shellEntryFile, writeShellEntry } from './shell-entry.ts'
import { placeShim, removeShim } from './shim.ts'
import type { Wanted } from './wanted.ts'

export type FileState = 'changed' | 'unchanged' | 'failed' | 'waiting'

export interface Done {
  edit: Edit
  /** `waiting`: needs a consent that was not given. */
  state: FileState
}

export interface Work {
  agent: KnownAgent
  place: Place
  ledger: Ledger
  /** Undefined: remove our entries. */
  program?: readonly string[]
  /** The events to write entries for. */
  wanted?: Wanted | undefined
  /** Write URLs for the events that can have them. */
  http?: HttpForm | undefined
  /** The environment and failure mode that entries are fixed to. */
  fixed?: Fixed | undefined
}

export interface Fixed {
  state: string
  data: string
  env: NodeJS.ProcessEnv
  cold: readonly [string, string]
  fail: Fail
  /** The files that entries name exist already and stay unchanged. */
  isKept?: boolean
  /** Entries for everybody, answered only by the resident of a managed installation. */
  managed?: boolean
}

/** Files for our entries. */
export function settingsFiles({ installer }: KnownAgent, place: Place): readonly SettingsFile[] {
  return place.level === 'managed' ? (installer.managed?.() ?? []) : installer.files(place)
}

/** What would be written, file by file. */
export function plan(work: Work): Edit[] {
  return filesOf(work).map((file) => planOne(work, file))
}

/** Each file is planned again right before it is written, since one may depend on another. */
export function carryOut(work: Work, consents: (edit: Edit) => boolean): Done[] {
  const done: Done[] = []
  const { agent, program, fixed, ledger } = work
  const error = fix(work)
  if (error)
    return filesOf(work).map((file) => ({ edit: { ...planOne(work, file), error }, state: 'failed' }))
  for (const file of filesOf(work)) {
    const edit = planOne(work, file)
    const isSpoiled = file.consent !== undefined && done.some(({ state }) => state === 'failed')
    if (edit.error) done.push({ edit, state: 'failed' })
    else if (!isChange(edit) || isSpoiled) {
      if (work.program === undefined) applyUninstall(edit, work.ledger)
      done.push({ edit, state: 'unchanged' })
    } else if (work.program !== undefined && file.consent !== undefined && !consents(edit))
      done.push({ edit, state: 'waiting' })
    else done.push(write(work, edit))
  }
  if (!program && fixed && !ledger.records.some((record) => record.agent === agent.id))
    removeEntry({ agent, state: fixed.state })
  if (!program && fixed && !fixed.managed && ledger.records.length === 0) removeShim(fixed.data)
  return done
}

/** Writes the files that the entries name. */
function fix({ agent, program, fixed }: Work): CrosshookError | undefined {
  if (!program || !fixed || fixed.isKept) return undefined
  try {
    if (!fixed.managed) placeShim(fixed.data, coldProgram()[1])
    if (program[0] === shellEntryFile(fixed.state)) writeShellEntry(fixed.state)
    writeEntry({ agent, ...fixed }, fixed.env, program, fixed.cold)
    return undefined
  } catch (error) {
    if (error instanceof CrosshookError) return error
    const file = entryFile({ agent, state: fixed.state })
    return new CrosshookError('store', `${file} cannot be made: ${messageOf(error)}`, { cause: error })
  }
}

function write({ program, ledger }: Work, edit: Edit): Done {
  try {
    if (program === undefined) applyUninstall(edit, ledger)
    else applyInstall(edit, ledger)
    return { edit, state: 'changed' }
  } catch (error) {
    if (!(error instanceof CrosshookError)) throw error
    return { edit: { ...edit, error }, state: 'failed' }
  }
}

function planOne(
  { agent, place, ledger, program, wanted = 'all', http, fixed }: Work,
  file: SettingsFile,
): Edit {
  const setting = { agent, level: place.level, ledger, http }
  if (program === undefined) return planUninstall(setting, file)
  const command = commandLine({ agent, state: fixed!.state, fail: fixed!.fail }, program, { http, wanted })
  const quiet =
    wanted === 'all'
      ? ('none' as const)
      : [...possibleEvents(settingsFiles(agent, place), command)].filter((event) => !command.wants!(event))
  return planInstall({ ...setting, quiet }, file, command)
}

function filesOf({ agent, place, program, ledger }: Work): readonly SettingsFile[] {
  const files = settingsFiles(agent, place)
  if (program !== undefined) return files
  // Written while a variable pointed elsewhere: a file of the same name is read in the same way.
  const left = ledger.records
    .filter((record) => record.agent === agent.id && record.level === place.level)
    .filter(({ file }) => place.level !== 'project' || file.startsWith(join(place.project, '/')))
    .filter(({ file }) => !files.some(({ path }) => path === file))
    .flatMap(({ file }) => {
      const like = files.find(({ path }) => basename(path) === basename(file))
      return like ? [{ ...like, path: file }] : []
    })
  // Remove reviews of entries before the entries.
  return [...left, ...files.toReversed()]
}
