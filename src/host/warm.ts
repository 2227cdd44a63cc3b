/** The daemon also answers the relay: its socket becomes that of the warm engine, which then has nothing to do and ends. */

import { messageOf } from '../spec/errors.ts'
import { enginePlace } from './relay/place.ts'
import { serveWarm } from './relay/serve.ts'
import { stampOf } from './relay/stamp.ts'
import type { Listener } from './serve.ts'

export const warmListener: Listener = async ({ runtime, options, log }) => {
  try {
    return await serveWarm({
      runtime,
      socket: enginePlace(runtime.paths.runtime),
      env: options.env,
      trouble: (sentence) => log.warn(sentence),
      // A newer program answers for itself.
      isOutdated: stampOf(process.argv[1]),
    })
  } catch (error) {
    log.warn(`the relay goes without the daemon: ${messageOf(error)}`)
    return { close: async () => {} }
  }
}
