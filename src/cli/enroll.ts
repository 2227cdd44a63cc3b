/** `crosshook enroll URL --token T`: from now on this machine takes its policy from a fleet. */

import { paths } from '../config/paths.ts'
import { checkHubAddress } from '../fleet/hub-client.ts'
import { isLoopback } from '../host/address.ts'
import { startEdge } from '../host/start-edge.ts'
import { journalOf } from '../pipeline/journal.ts'
import { CrosshookError } from '../spec/errors.ts'
import { VERSION } from '../version.ts'
import type { Arguments } from './options.ts'
import { requirePerson } from './person.ts'
import { print, printJson } from './print.ts'

export async function run(args: Arguments): Promise<number> {
  await requirePerson(args)
  const [address] = args.words
  const token = args.value('token') ?? args.env.CROSSHOOK_ENROLL_TOKEN
  const where = paths(args.env)
  const { readEnrolment, forgetEnrolment } = await import('../fleet/enrolment.ts')
  if (args.flag('leave')) {
    const left = readEnrolment(where.fleet.folder)
    forgetEnrolment(where.fleet.folder)
    if (args.flag('json')) printJson({ left: left?.url ?? null })
    else
      print(
        left
          ? `This machine has left the fleet at ${left.url}. Tell its people, who still list it.`
          : 'This machine is in no fleet.',
      )
    return 0
  }
  if (address === undefined || token === undefined)
    throw new CrosshookError('usage', 'to which hub, and with which token?', {
      fix: 'Write crosshook enroll https://HUB --token T. The people of the hub make one with `crosshook fleet token`.',
    })
  const url = checkHubAddress(address, isLoopback)
  const name = args.value('name')
  const { enrolMachine } = await import('../fleet/enroll.ts')
  const journal = await journalOf(where)
  const enrolment = await enrolMachine({
    url,
    token,
    state: where.state,
    fleet: where.fleet.folder,
    journal,
    version: VERSION,
    ...(name === undefined ? {} : { name }),
    isNewKey: args.flag('new-key'),
  })
  journal.close()
  startEdge(args.env)
  const { tenant, id, labels } = enrolment
  if (args.flag('json')) printJson({ url, tenant, id, name: enrolment.name, labels })
  else
    print(
      `This machine is ${enrolment.name} (${id}) in the fleet ${tenant} at ${url}.\nIts policy comes in a moment and cannot be loosened from here: crosshook list shows it.`,
    )
  return 0
}
