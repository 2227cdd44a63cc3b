/**
 * The file that each installed entry of an agent names (`--entry=FILE`, see relay/entry.h): program, state and engine
 * at install time, which of the agent's variables are ignored, and the reply when crosshook cannot answer. With it,
 * nothing that a project can set chooses hooks, trust, program or interpreter.
 */

import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { MANAGED } from '../config/managed.ts'
import { paths } from '../config/paths.ts'
import { keyFile, stateKey } from '../config/state-key.ts'
import { coldFlags } from '../host/relay/cold-flags.ts'
import { enginePlace } from '../host/relay/place.ts'
import type { Reply } from '../spec/dialect.ts'
import { CrosshookError } from '../spec/errors.ts'
import { unsetByEntries } from '../spec/hostile-variables.ts'
import type { KnownAgent } from './known.ts'
import { isRefusable, refusal } from './refuse.ts'
import { sampleCall } from './sample-call.ts'
import { writeBytes } from './settings-bytes.ts'

/** What a failure of crosshook itself means: `closed` refuses, `open` lets the call pass and says so. */
export type Fail = 'closed' | 'open'

export interface EntryForm {
  agent: KnownAgent
  /** The state folder. */
  state: string
  fail: Fail
  /** For every user of the machine, answered only by its resident. */
  managed?: boolean
}

/** Placeholder for the sentence in a reply. */
export const REASON = '%REASON%'

/** Fixed at install time; those not set then are removed. */
const SET_AT_INSTALL = [
  ...[
    'HOME',
    'PATH',
    'XDG_CONFIG_HOME',
    'XDG_STATE_HOME',
    'XDG_CACHE_HOME',
    'XDG_DATA_HOME',
    'XDG_RUNTIME_DIR',
  ],
  ...['CROSSHOOK_MANAGED_DIR', 'CROSSHOOK_TRUST', 'CROSSHOOK_NO_DAEMON', 'CROSSHOOK_DEBUG'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
]
/** Counted by crosshook itself: a value beyond its limit refuses. */
const PASSED_ON = 'CROSSHOOK_DEPTH'
const CLEARED = [
  ...unsetByEntries().names,
  ...[...unsetByEntries().prefixes, 'XDG_', 'CROSSHOOK_'].map((prefix) => `${prefix}*`),
]

/** Owner of the gate and its socket. */
const ROOT = '0'

/** How long an agent waits for an entry unless its dialect says otherwise: written into entries. */
const WAIT_SECONDS = 600

export function entryFile({ agent, state }: Pick<EntryForm, 'agent' | 'state'>): string {
  return join(state, 'install', 'entries', `${agent.id}.entry`)
}

/** A folder of links to the relay, named after events: for agents that may drop an entry's arguments. */
export function linkFolder({ agent, state }: Pick<EntryForm, 'agent' | 'state'>): string {
  return join(state, 'install', 'entries', agent.id)
}

export function refuses({ agent, fail }: EntryForm, event: string): boolean {
  return fail === 'closed' && isRefusable(agent.agent.capabilities[event])
}

/** In the agent's format, with REASON in it. */
export function replyOf(form: EntryForm, event: string): Reply {
  const { agent } = form
  const sample = sampleCall(agent, event, '/')
  return refusal(agent.agent, agent.title, sample, { reason: REASON, refuses: refuses(form, event) })
}

/** `cold` is Node and the main file. A managed installation has no cold path. */
export function entryText(form: EntryForm, env: NodeJS.ProcessEnv, cold: readonly [string, string]): string {
  const where = paths(env)
  const lines = [
    'crosshook entry 1',
    fields('program', ...cold, ...(form.managed ? [] : coldFlags(cold[0]))),
    form.managed
      ? fields('resident', MANAGED.socket, ROOT)
      : fields('engine', enginePlace(where.runtime), keyFile(where.state)),
    fields('keep', PASSED_ON),
    ...CLEARED.map((name) => fields('clear', name)),
    // The resident ignores these of a caller: see src/host/relay/caller.ts.
    ...(form.managed
      ? []
      : SET_AT_INSTALL.flatMap((name) => setLine(name, name === 'HOME' ? where.home : env[name]))),
    ...repliesOf(form),
    'end',
  ]
  return `${lines.join('\n')}\n`
}

/** Call before the settings name it. */
export function writeEntry(
  form: EntryForm,
  env: NodeJS.ProcessEnv,
  program: readonly string[],
  cold: readonly [string, string],
): void {
  if (!form.managed) stateKey(form.state)
  const folder = linkFolder(form)
  const [folderMode, mode] = form.managed ? [0o755, 0o644] : [0o700, 0o600]
  mkdirSync(folder, { recursive: true, mode: folderMode })
  writeBytes(entryFile(form), Buffer.from(entryText(form, env, cold)), mode, true)
  for (const event of Object.keys(form.agent.agent.capabilities)) {
    rmSync(join(folder, event), { force: true })
    symlinkSync(program[0]!, join(folder, event))
  }
}

export function removeEntry(form: Pick<EntryForm, 'agent' | 'state'>): void {
  rmSync(entryFile(form), { force: true })
  rmSync(linkFolder(form), { recursive: true, force: true })
  const all = join(form.state, 'install', 'entries')
  try {
    if (readdirSync(all).every((name) => name === 'run.sh')) rmSync(all, { recursive: true, force: true })
  } catch {
    // there was none
  }
}

function setLine(name: string, value: string | undefined): string[] {
  if (value === undefined || value === '') return [fields('clear', name)]
  const kept = name === 'PATH' ? value.split(':').filter(isAbsolute).join(':') : value
  if (/[\n\0]/.test(kept))
    throw new CrosshookError('refused', `${name} has a line break in it, which an entry cannot hold.`, {
      fix: `Set ${name} to something else, then install again.`,
    })
  return [`set\t${name}=${kept}`]
}

/** One line per event: the reply when crosshook cannot answer. */
export function repliesOf(form: EntryForm): string[] {
  return Object.keys(form.agent.agent.capabilities).map((event) => replyLine(form, event))
}

function replyLine(form: EntryForm, event: string): string {
  const { stdout, stderr, exit_code } = replyOf(form, event)
  const waits = form.agent.installer.waitSeconds?.(event) ?? WAIT_SECONDS
  const kind = refuses(form, event) ? 'refuse' : 'tell'
  return fields(kind, event, String(secondsFor(waits)), String(exit_code), stdout, stderr)
}

/** Less a margin for writing the answer and for a busy agent. */
export function secondsFor(waits: number): number {
  return Math.max(1, waits - Math.max(1, Math.min(10, Math.ceil(waits / 10))))
}

function fields(...texts: readonly string[]): string {
  return texts
    .map((text) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t'))
    .join('\t')
}
