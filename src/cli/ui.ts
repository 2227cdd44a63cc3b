/** `crosshook ui`: opens the page with a one-time sign-in link. */

import { paths } from '../config/paths.ts'
import { startDetached } from '../host/control.ts'
import { LINK_PROOF_HEADER, linkProof } from '../host/people.ts'
import { askDaemon, hangs } from '../host/request.ts'
import { CrosshookError } from '../spec/errors.ts'
import { daemonStatus } from './daemon-status.ts'
import { open } from './open-browser.ts'
import type { Arguments } from './options.ts'
import { print, printJson } from './print.ts'

export async function run(args: Arguments): Promise<number> {
  if (args.flag('sign-out')) return signOut(args)
  const seen = await daemonStatus(args.env)
  if (seen.running && seen.hangs) throw hangs(seen)
  const { http } = seen.running ? seen : await startDetached(args.env, [])
  const url = `${http}${await link(args.env, http)}`
  if (args.flag('json')) {
    printJson({ url })
    return 0
  }
  const isOpened = !args.flag('no-open') && (await open(url, args.env))
  print(`${isOpened ? 'The page opens in your browser. If it does not:' : 'Open in your browser:'}\n\n  ${url}\n
The link signs in once, within two minutes. Later, as long as you are signed in: ${http}/\n`)
  return 0
}

async function link(env: NodeJS.ProcessEnv, http: string): Promise<string> {
  const { status, body } = await askDaemon(env, {
    method: 'POST',
    path: '/v1/page/links',
    headers: { [LINK_PROOF_HEADER]: linkProof(paths(env).state) },
    byTcp: http.startsWith('http:'),
  })
  const { path, detail, fix } = body as { path?: string; detail?: string; fix?: string }
  if (status === 200 && path !== undefined) return path
  if (status === 404)
    throw new CrosshookError('refused', 'The daemon that runs is of an older version and has no page.', {
      fix: 'Run `crosshook daemon stop`, then `crosshook ui` again.',
    })
  throw new CrosshookError('refused', detail ?? `The daemon answered ${status}.`, fix ? { fix } : {})
}

async function signOut(args: Arguments): Promise<number> {
  const { running } = await daemonStatus(args.env)
  if (!running) throw new CrosshookError('no_daemon', 'No daemon is running.')
  await askDaemon(args.env, { method: 'POST', path: '/v1/page/sign-out' })
  if (args.flag('json')) printJson({ signed_out: true })
  else print('Every session of the page has ended.\n')
  return 0
}
