const MAX_WAIT_MS = 30000;
/** Milliseconds that a `Retry-After` header asks for, as seconds or as a date. */
export function retryAfter(header) {
    const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
    const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
    return Number.isNaN(wait) ? {} : { retry_after: Math.min(Math.max(wait, 0), MAX_WAIT_MS) };
}
