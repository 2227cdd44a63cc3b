/** Outgoing requests of channels: short, never redirected, retried when the network fails. */

const LIMIT_MS = 10_000
const PAUSES_MS = [0, 500, 2000]

export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  let last: unknown
  for (const pause of PAUSES_MS) {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause).unref())
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
        redirect: 'error',
        signal: AbortSignal.timeout(LIMIT_MS),
      })
      await response.body?.cancel()
      if (response.ok) return
      last = new Error(`it answered ${response.status}`)
      // A rejected request is not retried.
      if (response.status < 500 && response.status !== 429) break
    } catch (error) {
      last = error
    }
  }
  throw last
}
