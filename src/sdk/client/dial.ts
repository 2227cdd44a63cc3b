/** Finds and connects to the daemon. Loaded only by clients without hooks of their own. */

import { paths } from '../../config/paths.ts'
import { ownEnvironment } from '../../host/environment.ts'
import { readStatus } from '../../host/status-file.ts'
import { CrosshookError } from '../../spec/errors.ts'
import { readText } from '../../spec/read-file.ts'
import type { Backend } from './backend.ts'
import type { ClientOptions } from './client.ts'
import type { Target } from './connection.ts'
import { remoteBackend } from './remote.ts'

export function dial({ address, token, ca, onTrouble }: ClientOptions): Backend {
  return remoteBackend({ find: () => findDaemon(address, token), ca, onTrouble })
}

/** The given values, else those of this user's running daemon. */
function findDaemon(address: string | undefined, token: string | undefined): Target {
  if (address !== undefined && token !== undefined) return { address, token: token.trim() }
  const status = readStatus(paths(ownEnvironment()).state)
  if (!status) throw new CrosshookError('no_daemon', 'No daemon is running.')
  const scheme = status.http.startsWith('https:') ? 'https' : 'http'
  return {
    address: address ?? `${scheme}://${status.grpc}`,
    token: (token ?? readText(status.token_file)).trim(),
  }
}
