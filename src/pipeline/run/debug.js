/** The lines of `--debug`, in the words of the Agent Hooks documents. */
const MAX_INPUT_LENGTH = 2000;
/** `redact` keeps secrets of events and answers out of the lines. */
export function debugLines(event, write, redact) {
    const say = (text) => write(`[HOOK DEBUG] ${redact(text)}`);
    const mode = (hook) => (hook.mode === 'background' ? '[ASYNC]' : '[SYNC]');
    return {
        started(hook) {
            say(`${mode(hook)} Starting hook '${hook.name}' for event '${event.event_type}'`);
            const { native: _, ...input } = event;
            say(`Input: ${JSON.stringify(redact(input)).slice(0, MAX_INPUT_LENGTH)}`);
        },
        ended(hook, entry) {
            const blocked = entry.status === 'blocked' ? 'True' : 'False';
            say(`${mode(hook)} Completed hook '${hook.name}' in ${Math.round(entry.duration_ms)}ms: blocked=${blocked}`);
            if (entry.log !== undefined)
                say(`Log: ${entry.log}`);
            if (entry.reason)
                say(`Reason: ${entry.reason}`);
            if (entry.error)
                say(`Hook '${hook.name}' failed: ${entry.error}`);
            for (const warning of entry.warnings ?? [])
                say(`Warning: ${warning}`);
        },
    };
}
