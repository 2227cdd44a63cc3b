/** Requests to the hub, each signed with this machine's key. */
import { CrosshookError, messageOf } from '../spec/errors.ts';
import { authorize } from './wire/request.ts';
export class HubError extends Error {
    status;
    /** What the hub answered. */
    body;
    constructor(message, status, body = '', cause) {
        super(message, { cause });
        this.name = 'HubError';
        this.status = status;
        this.body = body;
    }
}
const CALL_LIMIT_MS = 40000;
/** The hub beats every 25 seconds: a connection that is silent for longer is dead. */
const SILENCE_LIMIT_MS = 70000;
export function createClient(key, { url, tenant, id }) {
    const base = url.replace(/\/+$/, '');
    const ask = async (method, path, body, more) => {
        const bytes = typeof body === 'string' ? Buffer.from(body) : body;
        const authorization = authorize(key, { tenant, edge: id }, { method, path, body: bytes });
        try {
            return await fetch(`${base}${path}`, {
                method,
                redirect: 'error',
                ...(method === 'POST' ? { body: bytes } : {}),
                ...more,
                headers: { authorization, ...more.headers },
            });
        }
        catch (error) {
            const cause = error.cause ?? error;
            throw new HubError(`The hub ${base} cannot be reached: ${messageOf(cause)}`, 0, '', error);
        }
    };
    return {
        async call(method, path, body = '', signal) {
            const limit = AbortSignal.timeout(CALL_LIMIT_MS);
            const response = await ask(method, path, body, {
                signal: signal ? AbortSignal.any([signal, limit]) : limit,
            });
            const bytes = Buffer.from(await response.arrayBuffer());
            if (response.ok)
                return bytes;
            throw new HubError(refusal(base, response.status, bytes), response.status, bytes.toString('utf8'));
        },
        async *events(has, signal) {
            const silence = new AbortController();
            let timer = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS);
            try {
                const response = await ask('GET', '/fleet/stream', '', {
                    signal: AbortSignal.any([signal, silence.signal]),
                    headers: { 'last-event-id': has, accept: 'text/event-stream' },
                });
                if (!response.ok) {
                    const bytes = Buffer.from(await response.arrayBuffer());
                    throw new HubError(refusal(base, response.status, bytes), response.status, bytes.toString('utf8'));
                }
                let rest = '';
                for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
                    clearTimeout(timer);
                    timer = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS);
                    rest += chunk;
                    if (rest.length > MOST_EVENT)
                        throw new HubError('The hub sent an event that never ends.', 0);
                    const blocks = rest.split('\n\n');
                    rest = blocks.pop();
                    for (const block of blocks)
                        yield eventIn(block);
                }
            }
            catch (error) {
                if (error instanceof HubError)
                    throw error;
                throw new HubError(`The connection to the hub ${base} ended: ${messageOf(error)}`, 0, '', error);
            }
            finally {
                clearTimeout(timer);
            }
        },
    };
}
/** Characters. */
const MOST_EVENT = 1024 * 1024;
function eventIn(block) {
    let name = 'alive';
    const data = [];
    for (const line of block.split('\n')) {
        if (line.startsWith('event: '))
            name = line.slice(7);
        else if (line.startsWith('data: '))
            data.push(line.slice(6));
    }
    return { name, data: data.join('\n') };
}
function refusal(base, status, bytes) {
    let detail = '';
    try {
        detail = String(JSON.parse(bytes.toString('utf8')).detail ?? '');
    }
    catch {
        // A proxy's page says nothing that helps.
    }
    return `The hub ${base} answers ${status}${detail ? `: ${detail}` : ''}`;
}
/** Plain HTTP shows policy and records to everybody on the way: only to a hub on this machine. */
export function checkHubAddress(url, isLoopback) {
    const parsed = URL.parse(url);
    const isSafe = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
    if (!parsed || !isSafe)
        throw new CrosshookError('usage', `${url} is not the address of a hub that could be trusted with records`, {
            fix: 'Write https://HOST; http:// only goes to a hub on this machine.',
        });
    return url.replace(/\/+$/, '');
}
