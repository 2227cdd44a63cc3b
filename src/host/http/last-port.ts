/** Without a configured port, the last one is reused if it is free, so that an open page finds its host again. */

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { writeDurably } from '../../journal/write-durably.ts'
import { readText } from '../../spec/read-file.ts'
import { type Address, formatAddress } from '../address.ts'
import { listening } from '../listening.ts'

/** Resolves to the port. */
export async function listenAt(server: Server, address: Address, stateDir: string): Promise<number> {
  const what = `--http ${formatAddress(address)}`
  const file = join(stateDir, 'daemon.port')
  const last = address.port === 0 ? lastPort(file) : 0
  const wait = (port: number) => {
    const ready = listening(server, what)
    server.listen(port, address.host)
    return ready
  }
  if (last === 0) await wait(address.port)
  else await wait(last).catch(() => wait(0))
  const { port } = server.address() as AddressInfo
  if (address.port === 0 && port !== last) writeDurably(file, `${port}\n`)
  return port
}

function lastPort(file: string): number {
  try {
    const port = Number.parseInt(readText(file), 10)
    return port > 1023 && port < 65_536 ? port : 0
  } catch {
    return 0 // first start: any free port
  }
}
