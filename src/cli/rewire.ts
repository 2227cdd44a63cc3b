/** After a command that changed hooks: wires agents for the events that hooks now listen to. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../config/paths.ts'
import { repositoryRoot } from '../config/repository.ts'
import { ledgerFile } from '../install/ledger.ts'
import type { Rewired } from '../install/rewire.ts'
import { messageOf } from '../spec/errors.ts'
import type { Arguments } from './options.ts'
import { print, warn } from './print.ts'

/** Undefined when nothing is wrong. */
export async function rewireAfter(args: Arguments): Promise<1 | undefined> {
  await tellOfRepository(args)
  if (!existsSync(ledgerFile(paths(args.env).state)) || args.flag('dry-run')) return undefined
  try {
    const { rewire } = await import('../install/rewire.ts')
    const rewired = await rewire(process.cwd(), args.env)
    const failed = rewired.flatMap(({ done }) => done.filter(({ state }) => state === 'failed'))
    for (const { edit } of failed) warn(`${edit.file.path}: ${edit.error?.message}. ${FIX}`)
    // With --json, stdout must contain a single JSON text.
    if (!args.flag('json')) print(rewired.map(words).join(''))
    return failed.length > 0 ? 1 : undefined
  } catch (error) {
    warn(`your agents could not be wired for the hooks that you have now: ${messageOf(error)} ${FIX}`)
    return 1
  }
}

/** After a command that anybody may run: started by an agent it changes no settings, and says what would. */
export async function rewireForPerson(args: Arguments): Promise<void> {
  if (!existsSync(ledgerFile(paths(args.env).state))) return tellOfRepository(args)
  const { agentThatStarted } = await import('./person.ts')
  if (agentThatStarted(args.env) === undefined) {
    await rewireAfter(args)
    return
  }
  await tellOfRepository(args)
  const { unwired } = await import('../install/rewire.ts')
  for (const { agent, more } of await unwired(process.cwd(), args.env))
    warn(
      `${agent.title} does not call crosshook for ${more.join(', ')} yet, which hooks listen to: they do not run there. A person wires it with \`crosshook install ${agent.id}\`.`,
    )
}

/** Wiring that is committed with a repository is changed by its people. */
async function tellOfRepository(args: Arguments): Promise<void> {
  const project = repositoryRoot(process.cwd())
  if (project === undefined || !existsSync(join(project, '.agents/crosshook'))) return
  const { missingEvents, wiredAgents } = await import('../install/portable.ts')
  const { agentNamed, placeOf } = await import('../install/known.ts')
  const { wantedByProject } = await import('../install/wanted.ts')
  const wanted = await wantedByProject(project, args.env)
  for (const id of wiredAgents(project)) {
    const agent = await agentNamed(id)
    const missing = missingEvents(agent, placeOf(args.env, project, 'project'), wanted)
    if (missing.length > 0)
      warn(
        `the wiring in this repository does not call crosshook for ${missing.join(', ')} of ${agent.title}, which its hooks listen to. \`crosshook install --portable ${id}\` adds it.`,
      )
  }
}

const FIX = 'Fix it, then run `crosshook install`.'

function words({ agent, more, less }: Rewired): string {
  const told = [
    ...(more.length > 0 ? [`also tells crosshook of ${more.join(', ')}`] : []),
    ...(less.length > 0 ? [`no longer tells crosshook of ${less.join(', ')}`] : []),
  ]
  return told.map((what) => `From its next session on ${agent.title} ${what}.\n`).join('')
}
