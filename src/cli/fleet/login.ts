import { createAdmin, writeLogin } from '../../fleet/admin.ts'
import { checkHubAddress } from '../../fleet/hub-client.ts'
import { isLoopback } from '../../host/address.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { FleetCall } from '../fleet.ts'
import { print, printJson } from '../print.ts'

/** `crosshook fleet login URL --token T` */
export async function login({ args, state, words }: FleetCall): Promise<number> {
  const [address] = words
  const token = args.value('token')?.trim()
  if (address === undefined || !token)
    throw new CrosshookError('usage', 'to which hub, and with which token?', {
      fix: 'Write crosshook fleet login https://HUB --token T.',
    })
  const url = checkHubAddress(address, isLoopback)
  const me = await createAdmin({ url, token }).get<{ tenant: string; id: string; role: string }>(
    '/v1/fleet/me',
  )
  writeLogin(state, { url, token })
  if (args.flag('json')) printJson({ url, ...me })
  else print(`You are ${me.id} (${me.role}) of ${me.tenant} at ${url}.`)
  return 0
}
