/**
 * Checks a managed installation: owners and modes of everything that decides, agents' settings, which processes run and
 * answer.
 */

import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MANAGED } from '../../config/managed.ts'
import { keyFile } from '../../config/state-key.ts'
import type { EntryProblem } from '../../spec/installer.ts'
import { openForeignCanary } from '../canary.ts'
import { type Checkup, checkAgent } from '../checkup.ts'
import type { KnownAgent } from '../known.ts'
import { openLedger } from '../ledger.ts'
import { type Accounts, membersOfHooks, readAccounts } from './accounts.ts'
import { PLACE } from './install.ts'
import { isStatic } from './place-program.ts'
import { isUnitCurrent } from './service.ts'

export interface ManagedCheck {
  isInstalled: boolean
  problems: EntryProblem[]
  checkups: Checkup[]
  accounts: Accounts | undefined
  /** Pid of the resident; undefined when it does not run. */
  pid: number | undefined
}

const MEND = 'Run `sudo crosshook install --managed` again.'

export function isManaged(): boolean {
  return existsSync(MANAGED.program) || existsSync(join(MANAGED.config, 'install/manifest.json'))
}

export async function checkManaged(
  agents: readonly KnownAgent[],
  env: NodeJS.ProcessEnv,
): Promise<ManagedCheck> {
  if (!isManaged())
    return { isInstalled: false, problems: [], checkups: [], accounts: undefined, pid: undefined }
  const ledger = openLedger(MANAGED.config, true)
  const accounts = readAccounts()
  const settings = ledger.records.map(({ target }) => target)
  const resident = accounts ? residentOf(accounts) : undefined
  const problems = [
    ...[MANAGED.program, MANAGED.config, MANAGED.hooks, MANAGED.unit].flatMap(writable),
    ...settings.flatMap(writable),
    ...accountProblems(accounts),
    ...(existsSync(MANAGED.relay) && !isStatic(MANAGED.relay)
      ? [wrong(`${MANAGED.relay} is not linked statically: LD_PRELOAD could choose its answers`)]
      : []),
    ...(accounts ? [...stateProblems(accounts), ...serviceProblems(accounts, resident)] : []),
  ]
  const canary = openForeignCanary(MANAGED.state, env)
  try {
    const around = {
      places: [PLACE],
      canary,
      maker: { programs: [[MANAGED.relay]], ledger, state: MANAGED.config, agents },
      wanted: 'all' as const,
      daemon: undefined,
      lastCalled: () => undefined,
      installedAt: () => undefined,
    }
    const checkups: Checkup[] = []
    for (const agent of agents)
      if (ledger.records.some((record) => record.agent === agent.id))
        checkups.push(await checkAgent(agent, around))
    return { isInstalled: true, problems, checkups, accounts, pid: resident?.pid }
  } finally {
    canary.end()
  }
}

/** Everything at or below a path, and all folders above it, that anybody but root could change. */
export function writable(path: string): EntryProblem[] {
  if (!existsSync(path)) return [wrong(`${path} is missing`)]
  const above: string[] = []
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) above.push(at)
  return [...above, ...below(path)].flatMap((each) => {
    const { uid, mode } = lstatSync(each)
    if (lstatSync(each).isSymbolicLink())
      return uid === 0 ? [] : [wrong(`${each} belongs to user ${uid}, not to root`)]
    if (uid !== 0) return [wrong(`${each} belongs to user ${uid}, not to root`, `chown root ${each}`)]
    return (mode & 0o022) === 0 ? [] : [wrong(`others may write to ${each}`, `chmod go-w ${each}`)]
  })
}

function below(path: string): string[] {
  if (!lstatSync(path).isDirectory()) return [path]
  try {
    return [path, ...readdirSync(path).flatMap((name) => below(join(path, name)))]
  } catch {
    return [path] // not accessible to this user: its own owner and mode count
  }
}

function accountProblems(accounts: Accounts | undefined): EntryProblem[] {
  if (!accounts) return [wrong(`the user ${MANAGED.user} or the group ${MANAGED.hooksGroup} is missing`)]
  const members = membersOfHooks()
  return members.length === 0
    ? []
    : [
        wrong(
          `${members.join(', ')} is a member of ${MANAGED.hooksGroup}, and so passes for a hook's program`,
          `gpasswd --delete ${members[0]} ${MANAGED.hooksGroup}`,
        ),
      ]
}

function stateProblems({ uid }: Accounts): EntryProblem[] {
  const found = statSync(MANAGED.state, { throwIfNoEntry: false })
  if (!found) return [wrong(`${MANAGED.state} is missing`)]
  const problems: EntryProblem[] = []
  if (found.uid !== uid || (found.mode & 0o066) !== 0)
    problems.push(wrong(`${MANAGED.state} is not of the user ${MANAGED.user} alone`))
  const key = statSync(keyFile(MANAGED.state), { throwIfNoEntry: false })
  if (key && (key.uid !== uid || (key.mode & 0o077) !== 0))
    problems.push(
      wrong(`${keyFile(MANAGED.state)} can be read by others`, 'Remove it, and restart the service.'),
    )
  return problems
}

function serviceProblems(accounts: Accounts, resident: Resident | undefined): EntryProblem[] {
  const problems: EntryProblem[] = []
  if (!isUnitCurrent(accounts)) problems.push(wrong(`${MANAGED.unit} is not what this crosshook would write`))
  const socket = statSync(MANAGED.socket, { throwIfNoEntry: false })
  if (!socket) problems.push(wrong(`nobody listens at ${MANAGED.socket}: agents are refused`, START))
  else if (socket.uid !== 0) problems.push(wrong(`${MANAGED.socket} belongs to user ${socket.uid}`))
  if (!resident) problems.push(wrong('the resident does not run', START))
  else if (resident.uid !== accounts.uid)
    problems.push(wrong(`the resident (process ${resident.pid}) runs as user ${resident.uid}`, START))
  return problems
}

const START = 'systemctl restart crosshook-managed; `journalctl -u crosshook-managed` says why it ended.'

interface Resident {
  pid: number
  uid: number
}

/** By its command line, which everybody may read. If there are several, the one that should not exist. */
function residentOf({ uid }: Accounts): Resident | undefined {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): Resident[] => {
      try {
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
        if (words[0] !== MANAGED.node || !words.includes('resident') || !words.includes(MANAGED.main))
          return []
        return [{ pid: Number(name), uid: statSync(`/proc/${name}`).uid }]
      } catch {
        return [] // it has ended
      }
    })
  return found.find((each) => each.uid === uid) ?? found[0]
}

function wrong(message: string, fix = MEND): EntryProblem {
  return { level: 'error', message, fix }
}
