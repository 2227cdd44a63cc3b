/** `crosshook setup --undo`: reverts what setup did, and nothing that was there before or came later. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../config/paths.ts'
import { ask, canAsk } from './ask.ts'
import type { Arguments } from './options.ts'
import { ownCommand } from './own-command.ts'
import { painter } from './paint.ts'
import { print, printJson } from './print.ts'
import { removeUnchanged } from './remove.ts'
import { rewireAfter } from './rewire.ts'
import { forget, readDone } from './setup-record.ts'
import { type Ended, type Step, steps } from './steps.ts'

/** Undefined when the person does not want it. */
export async function undo(args: Arguments): Promise<number | undefined> {
  const { state, userHooks } = paths(args.env)
  const { agents, hooks } = readDone(state)
  if (agents.length + hooks.length === 0) {
    if (args.flag('json')) printJson({ ok: true, steps: [] })
    else print('`crosshook setup` has changed nothing here that could be taken back.\n')
    return 0
  }
  if (!args.flag('yes') && !args.flag('json') && canAsk()) {
    print(
      `Takes crosshook out of: ${agents.join(', ') || 'no agent'}\nRemoves the guards: ${hooks.join(', ') || 'none'}\n`,
    )
    if (!(await ask('Go on?'))) return undefined
  }
  const step: Step = args.flag('json') ? (_, work) => work() : steps(painter(1))
  const ends: Ended[] = []
  if (agents.length > 0) ends.push(await step('taking crosshook out', () => unwire(agents, args)))
  ends.push(
    ...(await takeHooks(
      hooks.filter((name) => existsSync(join(userHooks, name))),
      args,
      step,
    )),
  )
  const isWrong = ends.some((end) => end.state === 'failed')
  if (!isWrong) forget(state)
  if (args.flag('json')) printJson({ ok: !isWrong, steps: ends })
  return isWrong ? 1 : 0
}

async function unwire(agents: readonly string[], args: Arguments): Promise<Ended> {
  const { ok, error } = await ownCommand(['uninstall', ...agents, '--yes'], args.env)
  return ok
    ? { state: 'done', text: `crosshook is out of ${agents.join(', ')}` }
    : { state: 'failed', text: `crosshook is not out of ${agents.join(', ')}: ${error}` }
}

/** One change for all hooks, then one step for each to show. Agents that stay are wired for what is left. */
async function takeHooks(names: readonly string[], args: Arguments, step: Step): Promise<Ended[]> {
  if (names.length === 0) return []
  const kept = await removeUnchanged(names, paths(args.env))
  const ends: Ended[] = []
  for (const name of names) {
    const why = kept.get(name)
    const end: Ended =
      why === undefined
        ? { state: 'done', text: `${name} removed` }
        : { state: 'failed', text: `${name} stays: ${why}` }
    ends.push(await step(`removing ${name}`, async () => end))
  }
  if ((await rewireAfter(args)) !== undefined)
    ends.push({
      state: 'failed',
      text: 'the agents that stay could not be wired for the hooks that are left',
    })
  return ends
}
