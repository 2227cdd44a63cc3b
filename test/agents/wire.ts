/** crosshook in and out of an agent's settings, and what it wrote down. */

import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadDialect } from '../../src/dialects/list.ts'
import { type JournalRecord, journal } from '../../src/journal/journal.ts'
import { openStore } from '../../src/journal/store.ts'
import type { SettingsFile } from '../../src/spec/dialect.ts'
import type { Place } from './agents/agent.ts'

export const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '../../bin/crosshook')

export async function wire(agent: string, place: Place, env: NodeJS.ProcessEnv): Promise<void> {
  if (await hasInstall()) return crosshook(['install', agent, '--yes'], place, env)
  for (const file of await settingsFiles(agent, place, env)) {
    const text = existsSync(file.path) ? readFileSync(file.path, 'utf8') : undefined
    const argv = (event: string) => [PROGRAM, 'hook', agent, event]
    mkdirSync(dirname(file.path), { recursive: true })
    writeFileSync(file.path, file.add(text, { line: (event) => argv(event).join(' '), argv }))
    if (file.mode) chmodSync(file.path, file.mode)
  }
}

export async function unwire(agent: string, place: Place, env: NodeJS.ProcessEnv): Promise<void> {
  if (await hasInstall()) return crosshook(['uninstall', agent, '--yes'], place, env)
  for (const file of await settingsFiles(agent, place, env)) {
    const text = file.remove(readFileSync(file.path, 'utf8'))
    if (text === undefined) rmSync(file.path)
    else writeFileSync(file.path, text)
  }
}

async function hasInstall(): Promise<boolean> {
  const { COMMANDS } = await import('../../src/cli/commands.ts')
  return 'install' in COMMANDS
}

async function settingsFiles(
  agent: string,
  place: Place,
  env: NodeJS.ProcessEnv,
): Promise<readonly SettingsFile[]> {
  const installer = await (await loadDialect(agent)).agent!.install!()
  return installer.files({ home: place.home, project: place.project, env, level: 'user' })
}

async function crosshook(args: string[], place: Place, env: NodeJS.ProcessEnv): Promise<void> {
  await promisify(execFile)(PROGRAM, args, { cwd: place.project, env })
}

export function readJournal(home: string, after: number): JournalRecord[] {
  const store = openStore(join(home, '.local/state/crosshook'))
  try {
    return journal(store).list({ after, limit: -1 })
  } finally {
    store.close()
  }
}
