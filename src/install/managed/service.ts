/** The gate as a system service. */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { MANAGED, RESIDENT_ENV } from '../../config/managed.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import type { Accounts } from './accounts.ts'

/** The gate's command line, for any service manager. */
export function gateCommand({ uid, gid, hooksGid }: Accounts): string[] {
  return [
    MANAGED.gate,
    ...['--folder', MANAGED.run, '--uid', String(uid), '--gid', String(gid), '--hooks-gid', String(hooksGid)],
    ...Object.entries(RESIDENT_ENV).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    '--',
    ...[MANAGED.node, '--expose-gc', '--max-old-space-size=512', '--disable-warning=ExperimentalWarning'],
    ...[MANAGED.main, 'resident'],
  ]
}

/** It starts programs of every user, so most sandboxing of a service would also confine those. */
export function unitText(accounts: Accounts): string {
  return `# Written by crosshook install --managed.
[Unit]
Description=crosshook: guards of AI agents for every user of this machine
Documentation=https://github.com/crosshook/crosshook/blob/main/docs/managed.md

[Service]
Type=exec
ExecStart=${gateCommand(accounts).join(' ')}
Restart=always
RestartSec=1
TimeoutStopSec=20
KillMode=mixed
# To be other users, to end their programs, to make its folders, and for the resident to follow links in closed homes.
CapabilityBoundingSet=CAP_SETUID CAP_SETGID CAP_KILL CAP_CHOWN CAP_FOWNER CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_SETPCAP
NoNewPrivileges=true
LockPersonality=true
RestrictRealtime=true
ProtectClock=true
ProtectKernelModules=true
ProtectKernelLogs=true
ProtectHostname=true

[Install]
WantedBy=multi-user.target
`
}

export const hasSystemd = () => existsSync('/run/systemd/system')

/** True when the service runs now; false when something else has to start it. */
export function startService(accounts: Accounts): boolean {
  writeFileSync(MANAGED.unit, unitText(accounts), { mode: 0o644 })
  if (!hasSystemd()) return false
  const unit = basename(MANAGED.unit)
  systemctl('daemon-reload')
  systemctl('enable', unit)
  systemctl('restart', unit)
  return true
}

export function stopService(): void {
  if (!existsSync(MANAGED.unit)) return
  if (hasSystemd()) systemctl('disable', '--now', basename(MANAGED.unit))
  rmSync(MANAGED.unit)
  if (hasSystemd()) systemctl('daemon-reload')
}

export function isUnitCurrent(accounts: Accounts): boolean {
  return existsSync(MANAGED.unit) && readFileSync(MANAGED.unit, 'utf8') === unitText(accounts)
}

function systemctl(...args: string[]): void {
  try {
    execFileSync('systemctl', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    throw new CrosshookError('refused', `systemctl ${args.join(' ')} failed: ${messageOf(error)}`, {
      fix: `Look at \`journalctl -u ${basename(MANAGED.unit)}\`.`,
      cause: error,
    })
  }
}
