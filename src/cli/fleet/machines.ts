/** `crosshook fleet token` and `crosshook fleet revoke MACHINE` */

import { fingerprintOf, type Trusted } from '../../fleet/wire/policy-manifest.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { FleetCall } from '../fleet.ts'
import { requirePerson } from '../person.ts'
import { print, printAsIs, printJson } from '../print.ts'

export async function token({ args, admin }: FleetCall): Promise<number> {
  await requirePerson(args)
  const hub = admin()
  const trusted = await hub.get<Trusted>('/v1/fleet/keys')
  if (trusted.keys.length === 0)
    throw new CrosshookError(
      'refused',
      'There is no policy yet, so that no machine could know whose policy is right.',
      {
        fix: 'Publish one first: crosshook fleet publish FOLDER.',
      },
    )
  const { token: secret } = await hub.post<{ token: string }>('/v1/fleet/tokens', {
    name: args.value('name') ?? '',
    labels: labelsOf(args.values('label')),
    uses: Number(args.value('uses') ?? 1),
    hours: Number(args.value('hours') ?? 24),
  })
  // The machine compares the hub's keys with this.
  const whole = `${secret}~${fingerprintOf(trusted)}`
  if (args.flag('json')) printJson({ token: whole, keys: trusted.keys, threshold: trusted.threshold })
  else printAsIs(`crosshook enroll ${hub.url} --token ${whole}`)
  return 0
}

function labelsOf(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name, value] = /^(\w+)=(.*)$/.exec(word) ?? []
      if (name === undefined)
        throw new CrosshookError('usage', `--label ${word}: this is no label`, {
          fix: 'Write NAME=VALUE, such as team=web.',
        })
      return [name, value!]
    }),
  )
}

export async function revoke({ args, words, admin }: FleetCall): Promise<number> {
  await requirePerson(args)
  if (words[0] === undefined)
    throw new CrosshookError('usage', 'which machine?', {
      fix: 'Write its name or id: crosshook fleet status lists them.',
    })
  const { revoked } = await admin().post<{ revoked: string[] }>(
    `/v1/fleet/edges/${encodeURIComponent(words[0])}/revoke`,
  )
  if (args.flag('json')) printJson({ revoked })
  else
    print(
      `Revoked: ${revoked.join(', ')}. It keeps its last policy, and the hub takes nothing from it any more.`,
    )
  return 0
}
