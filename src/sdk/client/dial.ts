/** Finds the daemon, and speaks to it. Loaded only by clients that have no hooks of their own. */

import { readFileSync } from 'node:fs'
import { paths } from '../../config/paths.ts'
import { readStatus } from '../../daemon/status-file.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Backend } from './backend.ts'
import type { ClientOptions } from './client.ts'
import { remoteBackend } from './remote.ts'

export function dial({ address, token, ca, onTrouble }: ClientOptions): Backend {
  if (address !== undefined && token !== undefined)
    return remoteBackend({ address, token: token.trim(), ca, onTrouble })
  const status = readStatus(paths(process.env).state)
  if (!status) throw new CrosshookError('no_daemon', 'No daemon is running.')
  return remoteBackend({
    address: address ?? status.grpc,
    token: (token ?? readFileSync(status.token_file, 'utf8')).trim(),
    ca,
    onTrouble,
  })
}
