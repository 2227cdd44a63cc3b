/**
 * Wiring that is committed to a repository, for agents that run with nothing but the repository: the entries in the
 * project's settings call a script of the repository, which finds crosshook at run time.
 */

import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CrosshookError } from '../spec/errors.ts'
import type { CommandLine, Place, SettingsFile } from '../spec/installer.ts'
import { VERSION } from '../version.ts'
import { quote } from './command-line.ts'
import { applyInstall, applyUninstall, type Edit, isChange, planInstall, planUninstall } from './edit.ts'
import { type EntryForm, type Fail, REASON, refuses, repliesOf, replyOf } from './entry-file.ts'
import type { Done } from './install.ts'
import type { KnownAgent } from './known.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { MARK, portableScript } from './portable-script.ts'
import { possibleEvents } from './possible.ts'
import { readBytes, targetOf, toText } from './settings-bytes.ts'
import { type Wanted, wants } from './wanted.ts'

const FOLDER = '.agents/crosshook'
export const SCRIPT = `${FOLDER}/run.sh`
const PACKAGE = `crosshook@${VERSION}`

export interface PortableWork {
  agents: readonly KnownAgent[]
  place: Place
  state: string
  /** Undefined: remove it. */
  wiring?: { wanted: Wanted; fail: Fail; npx: boolean }
}

/** Separate from what is installed on this machine, so that it is never rewired. */
export function portableLedger(state: string): Ledger {
  return openLedger(join(state, 'portable'))
}

export function planPortable(work: PortableWork, ledger = portableLedger(work.state)): Edit[] {
  return work.agents.flatMap((agent) =>
    filesOf(agent, work).map((file) => planOne(agent, file, work, ledger)),
  )
}

export function carryOutPortable(work: PortableWork): Done[] {
  const ledger = portableLedger(work.state)
  const apply = work.wiring ? applyInstall : applyUninstall
  const done = work.agents.flatMap((agent) =>
    filesOf(agent, work).map((file): Done => {
      // An earlier agent's turn may already have written it.
      const edit = planOne(agent, file, work, ledger)
      if (edit.error) return { edit, state: 'failed' }
      try {
        apply(edit, ledger)
        return { edit, state: isChange(edit) ? 'changed' : 'unchanged' }
      } catch (error) {
        if (!(error instanceof CrosshookError)) throw error
        return { edit: { ...edit, error }, state: 'failed' }
      }
    }),
  )
  if (!work.wiring) removeEmpty(work.place.project)
  return done
}

/** Does the entry come from `install --portable`? */
export function isPortableEntry(command: string): boolean {
  return command.includes(`/${SCRIPT}`)
}

function planOne(agent: KnownAgent, file: SettingsFile, { wiring }: PortableWork, ledger: Ledger): Edit {
  const setting = { agent, level: 'project' as const, ledger }
  return wiring
    ? planInstall(setting, file, portableCommand(agent, wiring.fail, wiring.wanted))
    : planUninstall(setting, file)
}

/** The script is added with the first agent and removed with the last. */
function filesOf(agent: KnownAgent, { agents, place, wiring }: PortableWork): SettingsFile[] {
  const own = agent.installer.files(place).filter(({ consent }) => consent === undefined)
  const form = { agent, state: '', fail: wiring?.fail ?? ('closed' as const) }
  const replies = ourFile(
    join(place.project, FOLDER, `${agent.id}.replies`),
    `${MARK}\n${repliesOf(form).join('\n')}\n`,
  )
  const wired = wiredAgents(place.project)
  const isOthers = wired.some((id) => !agents.some((each) => each.id === id))
  const holder = wiring
    ? agents[0]
    : isOthers
      ? undefined
      : (agents.find(({ id }) => wired.includes(id)) ?? agents[0])
  const npx = wiring?.npx ? PACKAGE : undefined
  const script = ourFile(join(place.project, SCRIPT), portableScript(npx), 0o755)
  return [...(holder === agent ? [script] : []), replies, ...own]
}

/** Agents that a repository has wiring for. */
export function wiredAgents(project: string): string[] {
  const folder = join(project, FOLDER)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.flatMap((name) => (name.endsWith('.replies') ? [name.slice(0, -'.replies'.length)] : []))
}

/** Native events that hooks of the repository listen to, but that its wiring has no entry for. */
export function missingEvents(agent: KnownAgent, place: Place, wanted: Wanted): string[] {
  const files = agent.installer.files(place).filter(({ consent }) => consent === undefined)
  const command = portableCommand(agent, 'closed', wanted)
  const found = files.flatMap((file) => {
    const bytes = readBytes(targetOf(file.path))
    return bytes === undefined ? [] : file.find(toText(bytes, file.path)).filter(({ ours }) => ours)
  })
  const known = new Set(found.map(({ event }) => event))
  return [...possibleEvents(files, command)].filter((event) => command.wants!(event) && !known.has(event))
}

/** Is the script beside these settings the one that this crosshook writes? */
export function isOwnScript(settings: string): boolean {
  for (let folder = dirname(settings); folder !== dirname(folder); folder = dirname(folder)) {
    const text = readBytes(join(folder, SCRIPT))?.toString()
    if (text !== undefined) return [undefined, PACKAGE].some((npx) => portableScript(npx) === text)
  }
  return false
}

/** A file that belongs to crosshook as a whole. */
function ourFile(path: string, content: string, mode?: number): SettingsFile {
  const isOurs = (text: string) => text.split('\n', 2).includes(MARK)
  return {
    path,
    ...(mode === undefined ? {} : { mode }),
    add(text) {
      if (text === undefined || isOurs(text)) return content
      throw new CrosshookError('exists', `${path} is there already and was not made by crosshook.`, {
        fix: 'Rename it, then install again.',
      })
    },
    remove: (text) => (isOurs(text) ? undefined : text),
    find: (text) => (isOurs(text) ? [{ event: 'run', command: path, ours: true }] : []),
  }
}

export function portableCommand(agent: KnownAgent, fail: Fail, wanted: Wanted): CommandLine {
  const form = { agent, state: '', fail }
  const line = (event: string) => lineOf(form, event)
  return {
    line,
    argv: (event) => ['/bin/sh', '-c', line(event)],
    wants: wants(agent, wanted),
    refuses: (event) => refuses(form, event),
  }
}

/**
 * An agent may call it from any folder below the project, and its own variable for the project counts. Of several
 * scripts the topmost in the repository is used, so that a subfolder cannot bring its own.
 */
function lineOf(form: EntryForm, event: string): string {
  const { id, installer } = form.agent
  const from = installer.portable?.root === undefined ? '$PWD' : `\${${installer.portable.root}:-$PWD}`
  const call = ['hook', id, event, ...(form.fail === 'open' ? ['--fail=open'] : []), '--portable'].join(' ')
  const reply = replyOf(form, event)
  const reason = `crosshook cannot check this: ${SCRIPT} of this repository was not found. Bring it back, or run crosshook uninstall --portable ${id}.`
  const say = (text: string, to: string) =>
    text === '' ? [] : [`echo ${quote(text.replaceAll(REASON, reason).trim())}${to}`]
  return [
    `d=${from}; f=; while [ -n "$d" ]; do [ -r "$d/${SCRIPT}" ] && f=$d/${SCRIPT}`,
    '[ -n "$f" ] && [ -e "$d/.git" ] && break',
    'd=${d%/*}',
    `done; [ -n "$f" ] && exec sh "$f" ${call}`,
    ...say(reply.stdout, ''),
    ...say(reply.stderr, ' >&2'),
    `exit ${reply.exit_code}`,
  ].join('; ')
}

/** In another clone it is unknown which folders were created for it. */
function removeEmpty(project: string): void {
  for (const folder of [FOLDER, '.agents']) {
    try {
      rmdirSync(join(project, folder))
    } catch {
      return // missing or not empty
    }
  }
}
