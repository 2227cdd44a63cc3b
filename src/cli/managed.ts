/**
 * `sudo crosshook managed COMMAND…`: runs a command on the journal, policy and settings of the managed installation.
 */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { MANAGED, RESIDENT_ENV } from '../config/managed.ts'
import { readAccounts } from '../install/managed/accounts.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Arguments } from './options.ts'

/** Runs as the resident's user, so that nothing in its folders becomes root's. */
export function run({ words, env }: Arguments): number {
  const accounts = readAccounts()
  if (!accounts || !existsSync(MANAGED.main))
    throw new CrosshookError('not_found', 'there is no managed installation on this machine', {
      fix: 'Make one: sudo crosshook install --managed',
    })
  if (process.getuid?.() !== 0)
    throw new CrosshookError('refused', 'only root may act for the managed installation', {
      fix: `sudo crosshook managed ${words.join(' ')}`,
    })
  const { status } = spawnSync(MANAGED.node, [MANAGED.main, ...words], {
    cwd: '/',
    uid: accounts.uid,
    gid: accounts.gid,
    env: { ...RESIDENT_ENV, TERM: env.TERM, NO_COLOR: env.NO_COLOR },
    stdio: 'inherit',
  })
  return status ?? 1
}
