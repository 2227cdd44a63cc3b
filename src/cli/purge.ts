/** The end of `uninstall --purge`: removes everything that crosshook created, and nothing that a person wrote. */

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { paths } from '../config/paths.ts'
import { endServing } from '../host/relay/predecessors.ts'
import { LOCK_FILE, readLock } from '../packs/lock-file.ts'
import { CrosshookError } from '../spec/errors.ts'
import { ownCommand } from './own-command.ts'
import { shortPath } from './problem-words.ts'

/** Returns what stays, in words. No entry may be left: without its state, entries refuse. */
export async function purge(env: NodeJS.ProcessEnv): Promise<string> {
  const where = paths(env)
  const { json } = await ownCommand(['uninstall', '--dry-run'], env)
  const wired = (json as { files?: { path: string }[] } | undefined)?.files ?? []
  if (wired.length > 0)
    throw new CrosshookError('refused', `crosshook is still in ${wired.map(({ path }) => path).join(', ')}`, {
      fix: 'Take it out there first: crosshook uninstall.',
    })
  await ownCommand(['daemon', 'stop'], env)
  const kept: string[] = []
  for (const name of Object.keys(readLock(where.userHooks).hooks))
    if (existsSync(join(where.userHooks, name))) {
      const { ok } = await ownCommand(['remove', name, '--user'], env)
      if (!ok) kept.push(name)
    }
  await endServing(where.runtime)
  for (const folder of [where.state, where.cache, where.data, where.runtime])
    if (folder.endsWith('crosshook')) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  removeEmpty(where.userHooks, where.home)
  removeEmpty(dirname(where.settings), where.home)
  const hooks = kept.length > 0 ? `Guards that you have changed stay: ${kept.join(', ')}\n` : ''
  const settings = existsSync(where.settings) ? `Your settings stay: ${shortPath(where.settings)}\n` : ''
  return `Removed what crosshook kept: journal, trust, keys, caches, programs.\n${hooks}${settings}To remove the program: npm rm -g crosshook\n`
}

/** Removes a folder that contains only locks, and the empty ones above it. */
function removeEmpty(folder: string, home: string): void {
  for (let next = folder; next !== home && next.startsWith(home); next = dirname(next)) {
    if (!existsSync(next)) continue
    const names = readdirSync(next)
    if (names.some((name) => name !== LOCK_FILE)) return
    rmSync(next, { recursive: true })
  }
}
