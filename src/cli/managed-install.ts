/** `sudo crosshook install --managed` and `uninstall --managed`. */

import { MANAGED } from '../config/managed.ts'
import { isChange } from '../install/edit.ts'
import { plan } from '../install/install.ts'
import {
  installManaged,
  type ManagedResult,
  managedAgents,
  managedWorks,
  uninstallManaged,
} from '../install/managed/install.ts'
import { gateCommand } from '../install/managed/service.ts'
import { CrosshookError } from '../spec/errors.ts'
import { ask, canAsk } from './ask.ts'
import { diffWords, editJson, editWords } from './edit-words.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printAsIs, printJson } from './print.ts'

export async function install(args: Arguments): Promise<number> {
  requireRoot(args)
  const works = managedWorks(await managedAgents(args.words), 'install')
  if (args.flag('dry-run')) return showPlan(works.flatMap(plan), INSTALLS)
  if (!(await agrees(args, INSTALLS))) return 1
  const { results, runs, accounts } = installManaged(works)
  if (args.flag('json')) return asJson(results, { service: runs, start: gateCommand(accounts) })
  const paint = painter(1)
  print(
    `${words(results)}\n${paint.dim('program')}  ${MANAGED.program}\n${paint.dim('hooks')}    ${MANAGED.hooks}\n` +
      `${paint.dim('settings')} ${MANAGED.settings}\n${paint.dim('journal')}  ${MANAGED.state}, of the user ${MANAGED.user}\n` +
      (runs
        ? `${paint.dim('runs')}     crosshook-managed.service\n`
        : `${paint.yellow('start')}    no systemd is here: let this run as root, from the start of the machine on:\n  ${gateCommand(accounts).join(' ')}\n`) +
      '\n`crosshook doctor --managed` says whether all of it is whole.\n',
  )
  return failed(results) ? 1 : 0
}

export async function uninstall(args: Arguments): Promise<number> {
  requireRoot(args)
  const isAll = args.words.length === 0
  const works = managedWorks(await managedAgents(args.words), 'uninstall')
  const what = args.flag('purge') ? REMOVES_ALL : REMOVES
  if (args.flag('dry-run')) return showPlan(works.flatMap(plan), isAll ? what : '')
  if (!(await agrees(args, isAll ? what : 'takes crosshook out of their settings'))) return 1
  const results = uninstallManaged(works, isAll, args.flag('purge'))
  if (args.flag('json')) return asJson(results, {})
  print(words(results) || 'crosshook is in no managed settings here.\n')
  return failed(results) ? 1 : 0
}

const INSTALLS = `makes the user ${MANAGED.user} and the group, writes ${MANAGED.program}, ${MANAGED.config}, ${MANAGED.unit} and the settings of agents`
const REMOVES = `removes ${MANAGED.program}, ${MANAGED.unit} and our entries; the journal in ${MANAGED.state} and your hooks stay`
const REMOVES_ALL = `removes ${MANAGED.program}, ${MANAGED.unit}, our entries, ${MANAGED.state} with the journal, and the user ${MANAGED.user}; your hooks stay`

function requireRoot(args: Arguments): void {
  for (const other of ['project', 'http', 'fail'] as const)
    if (
      args.command.name === 'install' &&
      (other === 'fail' ? args.value(other) !== undefined : args.flag(other))
    )
      throw new CrosshookError('usage', `--managed and --${other} do not go together`, {
        fix: 'Leave one out.',
      })
  if (process.platform !== 'linux')
    throw new CrosshookError(
      'usage',
      `there is no managed installation for ${process.platform} yet, only for linux`,
    )
  if (process.getuid?.() !== 0)
    throw new CrosshookError('refused', `only root can ${args.command.name} what users cannot change`, {
      fix: `sudo crosshook ${args.command.name} --managed`,
    })
}

async function agrees(args: Arguments, what: string): Promise<boolean> {
  if (args.flag('yes')) return true
  if (args.flag('json') || !canAsk())
    throw new CrosshookError('refused', 'nothing was changed: there is no terminal to ask on', {
      fix: 'Look at it with --dry-run; if it is what you want, say so with --yes.',
    })
  if (await ask(`This ${what}. Go on?`)) return true
  print('Nothing was changed.\n')
  return false
}

function showPlan(edits: ReturnType<typeof plan>, what: string): number {
  const paint = painter(1)
  printAsIs(
    `${what === '' ? '' : `This ${what}.\n\n`}${edits.map((edit) => diffWords(edit, paint)).join('')}`,
  )
  return edits.some(({ error }) => error !== undefined) ? 1 : 0
}

function words(results: readonly ManagedResult[]): string {
  const paint = painter(1)
  return results
    .filter(({ done }) => done.some(({ edit, state }) => state === 'failed' || isChange(edit)))
    .map(
      ({ work, done }) =>
        `${paint.bold(work.agent.title)}\n${done.map((each) => editWords(each, paint)).join('')}`,
    )
    .join('\n')
}

function asJson(results: readonly ManagedResult[], more: object): number {
  const ok = !failed(results)
  const agents = results.map(({ work, done }) => ({ id: work.agent.id, files: done.map(editJson) }))
  printJson({ ok, ...more, agents })
  return ok ? 0 : 1
}

function failed(results: readonly ManagedResult[]): boolean {
  return results.some(({ done }) => done.some(({ state }) => state === 'failed'))
}
