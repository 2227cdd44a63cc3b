/** crosshook in and out of an agent's settings, and what it wrote down. */

import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadDialect } from '../../src/dialects/list.ts'
import type { JournalRecord } from '../../src/journal/journal.ts'
import type { SettingsFile } from '../../src/spec/dialect.ts'
import type { Place } from './agents/agent.ts'

export const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '../../bin/crosshook')

export async function wire(agent: string, place: Place, env: NodeJS.ProcessEnv): Promise<void> {
  if (await hasInstall()) return void (await crosshook(['install', agent, '--yes'], place, env))
  for (const file of await settingsFiles(agent, place, env)) {
    const text = existsSync(file.path) ? readFileSync(file.path, 'utf8') : undefined
    const argv = (event: string) => [PROGRAM, 'hook', agent, event]
    mkdirSync(dirname(file.path), { recursive: true })
    writeFileSync(file.path, file.add(text, { line: (event) => argv(event).join(' '), argv }))
    if (file.mode) chmodSync(file.path, file.mode)
  }
}

export async function unwire(agent: string, place: Place, env: NodeJS.ProcessEnv): Promise<void> {
  if (await hasInstall()) return void (await crosshook(['uninstall', agent, '--yes'], place, env))
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

async function crosshook(args: string[], place: Place, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(PROGRAM, args, {
    cwd: place.project,
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/** Records of the journal after this one. */
export async function readJournal(
  place: Place,
  env: NodeJS.ProcessEnv,
  after: number,
): Promise<JournalRecord[]> {
  const lines = await crosshook(['log', '--json', '--limit', '100000'], place, env)
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalRecord)
    .filter(({ seq }) => seq > after)
}
