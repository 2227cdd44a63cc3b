/** One run of the program: arguments in, exit status out. */

import { isDiskFault } from '../spec/disk.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { VERSION } from '../version.ts'
import type { Command } from './command-row.ts'
import { CHANGES_HOOKS, COMMANDS, findCommand, LOOKS_AT_HOOKS } from './commands.ts'
import { foldedFor } from './fold.ts'
import { isForPeople } from './for-people.ts'
import { parse } from './options.ts'
import { err, out } from './output.ts'
import { painter } from './paint.ts'

export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [name, ...rest] = args
  try {
    if (name === undefined || name === '--help' || name === '-h') return await help([], env)
    if (name === '--version' || name === '-V' || name === '-v') {
      out(`crosshook ${VERSION}\n`)
      return 0
    }
    if (name.startsWith('-'))
      throw new CrosshookError('usage', `${name} comes before the command`, {
        fix: 'Write the command first: crosshook COMMAND [options].',
      })
    const command = findCommand(name)
    if (rest.includes('--help') || rest.includes('-h')) return await help([name], env)
    return await start(command, rest, env)
  } catch (error) {
    return complain(error, args)
  }
}

async function start(command: Command, rest: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const parsed = parse(command, rest, env)
  if (isForPeople(parsed)) await (await import('./person.ts')).requirePerson(parsed)
  const { run } = await command.load()
  const status = await run(parsed)
  if (CHANGES_HOOKS.has(command.name))
    return (await (await import('./rewire.ts')).rewireAfter(parsed)) ?? status
  if (LOOKS_AT_HOOKS.has(command.name)) await (await import('./rewire.ts')).rewireForPerson(parsed)
  return status
}

async function help(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return start(COMMANDS.help!, args, env)
}

/** Expected errors are short; others include what is needed to report them. */
function complain(thrown: unknown, args: readonly string[]): number {
  const paint = painter(2)
  const error = isDiskFault(thrown) ? diskFault(thrown) : thrown
  if (error instanceof CrosshookError) {
    if (args.includes('--json'))
      out(`${JSON.stringify({ error: { code: error.code, message: error.message, fix: error.fix } })}\n`)
    err(foldedFor(2, `${paint.red('error:')} ${error.message}\n${error.fix}\n`))
    return error.exitCode
  }
  const stack = error instanceof Error ? error.stack : undefined
  err(
    `${paint.red('unexpected error:')} ${messageOf(error)}\n\nPlease report this:\n` +
      `  crosshook ${VERSION}, node ${process.versions.node}, ${process.platform} ${process.arch}\n` +
      `  command: ${args[0] ?? ''}\n${stack ? `  ${stack.split('\n').slice(1).join('\n  ').trimStart()}\n` : ''}`,
  )
  return 70
}

function diskFault(error: Error): CrosshookError {
  return new CrosshookError('store', error.message, {
    fix: 'Check that the disk has room, that it can be written, and who may read and write the file.',
    cause: error,
  })
}
