/** `crosshook hub`: the server of a fleet, until it is told to stop. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../config/paths.ts'
import { isLoopback, parseAddress } from '../host/address.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Arguments } from './options.ts'
import { print, printJson, warn } from './print.ts'

const DEFAULT_LISTEN = '127.0.0.1:7226'

export async function run(args: Arguments): Promise<number> {
  const listen = parseAddress(args.value('listen') ?? DEFAULT_LISTEN, '--listen')
  const tls = tlsOf(args)
  if (!isLoopback(listen.host) && !tls && !args.flag('allow-plaintext'))
    throw new CrosshookError(
      'refused',
      `${listen.host} can be reached from other machines, and there is no certificate`,
      {
        fix: 'Give --tls-cert and --tls-key, or --allow-plaintext where a proxy in front of the hub speaks TLS.',
      },
    )
  const folder = join(paths(args.env).state, 'hub')
  const { openDatabase, firstPerson } = await import('../hub/open.ts')
  const { startHub } = await import('../hub/hub.ts')
  const db = await openDatabase(args.value('database') ?? args.env.CROSSHOOK_HUB_DATABASE, folder, warn)
  const tenant = args.value('tenant') ?? 'default'
  const tokenFile = await firstPerson(db, tenant, folder)
  const hub = await startHub({ db, listen, ...(tls ? { tls } : {}), trouble: warn })
  const said = { url: hub.address, database: db.kind, tenant, token_file: tokenFile ?? null }
  if (args.flag('json')) printJson(said)
  else
    print(
      `The hub answers at ${hub.address} (${db.kind}).\n` +
        (tokenFile === undefined ? '' : `The first person's token is in ${tokenFile}.\n`),
    )
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  await hub.close()
  return 0
}

function tlsOf(args: Arguments): { cert: string; key: string } | undefined {
  const [cert, key] = [args.value('tls-cert'), args.value('tls-key')]
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined)
    throw new CrosshookError('usage', '--tls-cert and --tls-key belong together')
  try {
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  } catch (error) {
    throw new CrosshookError('bad_input', `The certificate cannot be read: ${messageOf(error)}`, {
      cause: error,
    })
  }
}
