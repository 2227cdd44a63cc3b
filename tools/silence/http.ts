/** A server whose answers are broken, each path in its own way. */

import { createServer } from 'node:http'

export async function brokenServer(): Promise<{ port: number; close(): void }> {
  const server = createServer((request, response) => {
    const fault = decodeURIComponent(request.url!.slice(1))
    if (fault === 'crash') response.writeHead(500).end('broken')
    else if (fault === 'garbage') response.end('DENY please')
    else if (fault === 'cut-off')
      response.writeHead(200, { 'content-length': '500' }).write('{"decision": "de', () => response.destroy())
    else if (fault === 'too much output') response.end('x'.repeat(3_000_000))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
