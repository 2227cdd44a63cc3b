/** `crosshook hub`: the server of a fleet. Runs until it is told to stop. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../config/paths.ts'
import { isLoopback, parseAddress } from '../host/address.ts'
import type { Database } from '../hub/database/port.ts'
import type { HubOptions } from '../hub/hub.ts'
import type { SignInOptions } from '../hub/sign-in.ts'
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
  const { openDatabase, firstPerson } = await import('../hub/open-database.ts')
  const { startHub } = await import('../hub/hub.ts')
  const db = await openDatabase(args.value('database') ?? args.env.CROSSHOOK_HUB_DATABASE, folder, warn)
  const tenant = args.value('tenant') ?? 'default'
  const tokenFile = await firstPerson(db, tenant, folder)
  const hub = await startHub({
    db,
    listen,
    ...(tls ? { tls } : {}),
    trouble: warn,
    ...(await partsOf(args, db, tenant, folder)),
  })
  const said = { url: hub.address, database: db.kind, tenant, token_file: tokenFile ?? null }
  if (args.flag('json')) printJson(said)
  else
    print(
      `The hub answers at ${hub.address} (${db.kind}).\n` +
        (tokenFile === undefined
          ? ''
          : `The first person's token is in ${tokenFile}: crosshook fleet login ${hub.address} --token "$(cat ${tokenFile})"\n`) +
        'Its page opens with: crosshook fleet ui\n',
    )
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  await hub.close()
  return 0
}

/** Parts that talk to others: people's services, identity providers and model providers. */
async function partsOf(
  args: Arguments,
  db: Database,
  tenant: string,
  folder: string,
): Promise<Partial<HubOptions>> {
  const [{ createIdentityEnrolment }, { createProviders }, { peopleParts }] = await Promise.all([
    import('../hub/identity.ts'),
    import('../hub/provider-hooks.ts'),
    import('../hub/people.ts'),
  ])
  return {
    enrolByIdentity: createIdentityEnrolment(db),
    providers: await createProviders(join(folder, 'policies')),
    ...(await peopleParts(db, {
      publicUrl: args.value('public-url')?.replace(/\/+$/, ''),
      isSecure: args.value('tls-cert') !== undefined,
      provider: providerOf(args, tenant),
      trouble: warn,
    })),
  }
}

function providerOf(args: Arguments, tenant: string): SignInOptions | undefined {
  const issuer = args.value('sign-in')
  if (issuer === undefined) return undefined
  const { CROSSHOOK_HUB_CLIENT_ID: clientId, CROSSHOOK_HUB_CLIENT_SECRET: clientSecret } = args.env
  const publicUrl = args.value('public-url')
  if (!clientId || !clientSecret || publicUrl === undefined)
    throw new CrosshookError(
      'usage',
      '--sign-in needs a client at the identity provider, and the address of this hub',
      {
        fix: 'Set CROSSHOOK_HUB_CLIENT_ID and CROSSHOOK_HUB_CLIENT_SECRET, and give --public-url https://HUB; the redirect address there is https://HUB/sign-in/callback.',
      },
    )
  return { issuer, clientId, clientSecret, tenant, publicUrl: publicUrl.replace(/\/+$/, '') }
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
