/**
 * `install --managed` and `uninstall --managed`: everything in places that only root can write. See docs/managed.md.
 */

import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { MANAGED } from '../../config/managed.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Place } from '../../spec/installer.ts'
import { lastingCanary } from '../canary.ts'
import { carryOut, type Done, type Fixed, type Work } from '../install.ts'
import { agentNamed, type KnownAgent, knownAgents } from '../known.ts'
import { openLedger } from '../ledger.ts'
import { type Accounts, makeAccounts, removeAccounts, waitForUser } from './accounts.ts'
import { isStatic, placeProgram } from './place-program.ts'
import { startService, stopService } from './service.ts'

export interface ManagedResult {
  work: Work
  done: Done[]
}

/** Agents whose machine-wide settings can hold our entries: the named ones, or all. */
export async function managedAgents(names: readonly string[]): Promise<KnownAgent[]> {
  if (names.length === 0) return (await knownAgents()).filter(({ installer }) => installer.managed)
  const agents = await Promise.all([...new Set(names)].map(agentNamed))
  for (const { title, installer } of agents)
    if (!installer.managed)
      throw new CrosshookError('usage', `${title} has no settings that only an administrator can write`, {
        fix: 'Its users install crosshook for themselves; managed hooks run there, too.',
      })
  return agents
}

/** What would be written to agents' settings, or removed. */
export function managedWorks(agents: readonly KnownAgent[], what: 'install' | 'uninstall'): Work[] {
  const ledger = openLedger(MANAGED.config, true)
  return agents.map((agent) => ({
    agent,
    place: PLACE,
    ledger,
    fixed: FIXED,
    ...(what === 'install' ? { program: [MANAGED.relay] } : {}),
  }))
}

export function installManaged(works: readonly Work[]): {
  results: ManagedResult[]
  runs: boolean
  accounts: Accounts
} {
  process.umask(0o022)
  const accounts = makeAccounts()
  placeProgram()
  if (!isStatic(MANAGED.relay))
    throw new CrosshookError(
      'refused',
      'the relay was not linked statically: LD_PRELOAD could choose its answers',
      {
        fix: 'Take the released package of the relay, or build it where a static C library is installed.',
      },
    )
  for (const folder of [MANAGED.config, join(MANAGED.config, 'install'), MANAGED.hooks])
    mkdirSync(folder, { recursive: true, mode: 0o755 })
  makeState(accounts)
  // Entries without a service refuse everything, so the service starts first.
  const runs = startService(accounts)
  const results = works.map((work) => ({ work, done: carryOut(work, () => true) }))
  return { results, runs, accounts }
}

/** Other users may pass through it but not list it: a folder in it is for `doctor`'s canary. */
function makeState({ uid, gid }: Accounts): void {
  for (const [folder, mode] of [
    [MANAGED.state, 0o711],
    [dirname(lastingCanary(MANAGED.state)), 0o711],
    [lastingCanary(MANAGED.state), 0o711],
    [join(MANAGED.state, 'cache'), 0o700],
    [join(MANAGED.state, 'confine'), 0o711],
  ] as const) {
    mkdirSync(folder, { recursive: true })
    chownSync(folder, uid, gid)
    chmodSync(folder, mode)
  }
  const link = join(MANAGED.state, 'install')
  if (!existsSync(link)) symlinkSync(join(MANAGED.config, 'install'), link)
}

export function uninstallManaged(works: readonly Work[], isAll: boolean, purge: boolean): ManagedResult[] {
  const results = works.map((work) => ({ work, done: carryOut(work, () => true) }))
  const isWrong = results.some(({ done }) => done.some(({ state }) => state === 'failed'))
  if (!isAll || isWrong) return results
  stopService()
  if (purge) waitForUser()
  for (const folder of [MANAGED.program, join(MANAGED.config, 'install')])
    rmSync(folder, { recursive: true, force: true })
  if (purge) {
    for (const folder of [MANAGED.state, MANAGED.run]) rmSync(folder, { recursive: true, force: true })
    removeAccounts()
  }
  for (const folder of [MANAGED.config, MANAGED.hooks, dirname(MANAGED.hooks)]) removeEmpty(folder)
  return results
}

/** An administrator's own hooks and settings stay. */
function removeEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
}

export const PLACE: Place = { home: '/nonexistent', project: '/nonexistent', env: {}, level: 'managed' }

const FIXED: Fixed = {
  state: MANAGED.config,
  data: MANAGED.program,
  env: {},
  cold: [MANAGED.node, MANAGED.main],
  fail: 'closed',
  managed: true,
}
