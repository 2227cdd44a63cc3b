/** Answers of hooks that ask for it are kept and used again for the same input, also by other processes. */
import { digest } from '../../fast/digest.ts';
import { redactDeep } from '../../redact/redact.ts';
import { eventRow } from '../../spec/event.ts';
import { codeFingerprint } from './code-fingerprint.ts';
export function answerCache(open) {
    return {
        get(hook, event) {
            if (!hook.cache)
                return undefined;
            return open().answers.get(key(hook, event), hook.cache.seconds);
        },
        set(hook, event, answer) {
            // What holds a secret is not kept: the hook runs again.
            if (hook.cache && JSON.stringify(redactDeep(answer)) === JSON.stringify(answer))
                open().answers.set(key(hook, event), answer, hook.cache.seconds);
        },
    };
}
/** What a hook decides from: its definition, its files and the event's own fields, not when or by which call it came. */
function key(hook, event) {
    const files = codeFingerprint(hook, event.work_dir);
    if (hook.cache?.key === 'hook')
        return digest([hook, files, event.event_type]);
    const own = Object.keys(eventRow(event.event_type).fields).filter((field) => field !== 'tool_use_id' && field !== 'duration_ms');
    return digest([
        hook,
        files,
        event.event_type,
        event.work_dir,
        event.agent ?? null,
        own.map((field) => event[field] ?? null),
    ]);
}
