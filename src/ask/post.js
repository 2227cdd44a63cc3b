/** Outgoing requests of channels: short, never redirected, tried again when the network fails. */
const LIMIT_MS = 10000;
const PAUSES_MS = [0, 500, 2000];
export async function post(url, body, headers) {
    let last;
    for (const pause of PAUSES_MS) {
        if (pause > 0)
            await new Promise((resolve) => setTimeout(resolve, pause).unref());
        try {
            const response = await fetch(url, {
                method: 'POST',
                body,
                headers: { 'content-type': 'application/json', ...headers },
                redirect: 'error',
                signal: AbortSignal.timeout(LIMIT_MS),
            });
            await response.body?.cancel();
            if (response.ok)
                return;
            last = new Error(`it answered ${response.status}`);
            // What the receiver does not want, it will not want later.
            if (response.status < 500 && response.status !== 429)
                break;
        }
        catch (error) {
            last = error;
        }
    }
    throw last;
}
