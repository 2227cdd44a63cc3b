/** `crosshook daemon start|stop|status|forget` */

import { overHttp } from '../config/over-http.ts'
import { paths } from '../config/paths.ts'
import { logFile, startDetached, stopDaemon } from '../host/control.ts'
import { LINK_PROOF_HEADER, linkProof } from '../host/people.ts'
import { askDaemon } from '../host/request.ts'
import type { DaemonStatus } from '../host/status-file.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { daemonStatus, hangingWords } from './daemon-status.ts'
import type { Arguments } from './options.ts'

export async function run(args: Arguments): Promise<number> {
  const [verb] = args.words
  const json = args.flag('json')
  switch (verb) {
    case 'start':
      return args.flag('foreground') ? await foreground(args) : await start(args)
    case 'stop': {
      const stopped = await stopDaemon(args.env)
      const needed_by = Object.keys(overHttp(paths(args.env).state))
      const words = stopped ? 'The daemon has stopped.' : 'No daemon is running.'
      say(json, { stopped, needed_by }, `${words}${neededWords(needed_by)}`)
      return 0
    }
    case 'status': {
      const status = await daemonStatus(args.env)
      say(json, status, status.running ? words(status) : 'No daemon is running.')
      return status.running && status.hangs ? 1 : 0
    }
    case 'forget':
      return await forget(args)
    default:
      throw new CrosshookError(
        'usage',
        verb === undefined
          ? 'what should the daemon do?'
          : `unknown word "${verb}".${didYouMean(verb, ['start', 'stop', 'status', 'forget'])}`,
        { fix: 'Write crosshook daemon start, stop, status or forget ID.' },
      )
  }
}

async function start(args: Arguments): Promise<number> {
  const given = ['http', 'grpc'].flatMap((name) => {
    const value = args.value(name)
    return value === undefined ? [] : [`--${name}`, value]
  })
  const status = await startDetached(args.env, given)
  say(args.flag('json'), status, `${words(status)}\nlog     ${logFile(args.env)}`)
  return 0
}

/** Removes a hook whose program is gone for good and which would block for ever. */
async function forget(args: Arguments): Promise<number> {
  const id = args.words[1]
  if (id === undefined)
    throw new CrosshookError('usage', 'which hook should the daemon forget?', {
      fix: 'Write its id, which the reason of its block names: crosshook daemon forget hook-….',
    })
  const path = `/v1/registered-hooks/${encodeURIComponent(id)}`
  const { status, body } = await askDaemon(args.env, {
    method: 'DELETE',
    path,
    headers: { [LINK_PROOF_HEADER]: linkProof(paths(args.env).state) },
  })
  if (status !== 200)
    throw new CrosshookError(
      'not_found',
      (body as { detail?: string }).detail ?? `The daemon answered ${status}`,
    )
  say(args.flag('json'), body, `The daemon has forgotten ${id}.`)
  return 0
}

/** Runs until SIGTERM or SIGINT; running work is finished first. */
async function foreground(args: Arguments): Promise<number> {
  const { runDaemon } = await import('../host/foreground.ts')
  return runDaemon({
    env: args.env,
    http: args.value('http'),
    grpc: args.value('grpc'),
    ready: (status) => say(args.flag('json'), status, words(status)),
  })
}

/** Agents with URL entries get no answers now. */
function neededWords(agents: readonly string[]): string {
  if (agents.length === 0) return ''
  return `\nBut ${agents.join(' and ')} ${agents.length === 1 ? 'calls' : 'call'} it over HTTP. The next session or prompt starts it again; until then calls go unanswered.\nTo do without it: crosshook install ${agents.join(' ')}`
}

function say(json: boolean, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`)
}

function words({ pid, socket, http, grpc, token_file, hangs }: DaemonStatus & { hangs?: true }): string {
  if (hangs) return `The daemon (process ${pid}) hangs: ${hangingWords(pid)}.`
  return `The daemon is running (process ${pid}).\nhttp    ${http}\ngrpc    ${grpc}\nsocket  ${socket ?? 'none'}\ntoken   ${token_file}`
}
