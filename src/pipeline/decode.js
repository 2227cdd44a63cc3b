/** Stage 1: the agent's payload, or the fields that a caller gave → a canonical event. */
import { isUtf8 } from 'node:buffer';
import { loadDialect, loadedDialect } from '../dialects/list.ts';
import { CrosshookError } from '../spec/errors.ts';
import { completeEvent, eventName } from './decode/event.ts';
/** An agent's call in its own words. */
/** A promise only when a dialect has to be loaded, or the payload is large. */
export function decode(context, call) {
    const dialect = loadedDialect(call.agent);
    const bytes = call.read();
    if (dialect && typeof bytes === 'string')
        return decodeAs(context, call, dialect, parse(bytes));
    return decodeLater(context, call, bytes);
}
async function decodeLater(context, call, bytes) {
    const dialect = await loadDialect(call.agent);
    expectAgent(dialect);
    decodeAs(context, call, dialect, typeof bytes === 'string' ? parse(bytes) : await parseLarge(bytes));
}
function expectAgent(dialect) {
    if (dialect.agent)
        return;
    throw new CrosshookError('unknown_agent', `${dialect.title} is a hook format, not an agent that calls hooks`);
}
function decodeAs(context, call, dialect, native) {
    expectAgent(dialect);
    const { agent } = dialect;
    const { env, cwd } = context;
    const event = agent.decode(native, call.event === undefined ? { env, cwd } : { env, cwd, event: call.event });
    if (call.context)
        event.context = { ...call.context, ...event.context };
    context.agent = dialect;
    context.event = event;
    context.native = native;
    context.capability = agent.capabilities[event.native_event ?? event.event_type];
}
/** An event by its canonical name or an alias, with any part of its fields. */
export function decodeFields(context, name, fields) {
    context.event = completeEvent(eventName(name), fields, context.cwd);
}
/** Agents send JSON. Anything else stays a text, which the stage `guard` refuses. */
function parse(text) {
    const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
    try {
        return JSON.parse(plain);
    }
    catch {
        return plain;
    }
}
async function parseLarge(bytes) {
    if (!isUtf8(bytes))
        throw new CrosshookError('bad_input', 'what the agent sent is not UTF-8 text');
    const plain = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
    try {
        return (await import('../fast/large-payload.ts')).parseLarge(plain);
    }
    catch {
        return plain.toString('utf8');
    }
}
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
