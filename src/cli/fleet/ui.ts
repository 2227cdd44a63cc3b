/** `crosshook fleet ui [PERSON]`: opens the page of the hub, with a link that signs in once. */

import type { FleetCall } from '../fleet.ts'
import { open } from '../open-browser.ts'
import { requirePerson } from '../person.ts'
import { print, printJson } from '../print.ts'
import { visible } from '../visible.ts'

export async function ui({ args, words, admin }: FleetCall): Promise<number> {
  await requirePerson(args)
  const [person] = words
  const hub = admin()
  const { path, ends } = await hub.post<{ path: string; ends: number }>(
    '/v1/fleet/links',
    person === undefined ? {} : { person },
  )
  const url = `${hub.url}${path}`
  if (args.flag('json')) {
    printJson({ url, ends: new Date(ends).toISOString() })
    return 0
  }
  if (person !== undefined)
    print(`Give this link to ${visible(person)}. It signs them in once, within a day:\n\n  ${url}\n`)
  else {
    const isOpened = !args.flag('no-open') && (await open(url, args.env))
    print(
      `${isOpened ? 'The page opens in your browser. If it does not:' : 'Open in your browser:'}\n\n  ${url}\n\n` +
        `The link signs in once, within two minutes. Later, as long as you are signed in: ${hub.url}/\n`,
    )
  }
  return 0
}
