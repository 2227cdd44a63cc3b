/** Settings for people who may only look: the same shape without anything that could be a secret. */
import { safeTarget } from './target.ts';
export function redactedView(settings) {
    const events = Object.entries(settings.hooks);
    return { hooks: Object.fromEntries(events.map(([event, list]) => [event, list?.map(redacted)])) };
}
function redacted({ name, matcher, failure_policy, executor }) {
    const { mode, max_retries } = failure_policy;
    return {
        name,
        ...(matcher !== undefined && { matcher }),
        failure_policy: { mode, max_retries },
        executor: { ...redactedExecutor(executor), timeout_ms: executor.timeout_ms },
    };
}
function redactedExecutor(executor) {
    switch (executor.type) {
        case 'command':
            return { type: 'command', command: '[redacted hook command]', shell: executor.shell };
        case 'http':
            return { type: 'http', url: safeTarget(executor.url) };
        case 'prompt':
            return { type: 'prompt', template: '[redacted hook prompt template]', model: executor.model };
        case 'agent': {
            const { model, tool_surface, max_turns } = executor;
            return { type: 'agent', template: '[redacted hook agent template]', model, tool_surface, max_turns };
        }
        case 'callback':
            return { type: 'callback', name: executor.name };
    }
}
