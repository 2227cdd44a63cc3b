/** What Antigravity does with an answer on each of its events, by documentation. */
function can(event, deny, effects = [], note) {
    return { event, deny, effects, ...(note ? { note } : {}) };
}
const UNKNOWN = 'What an answer does is not established.';
export const capabilities = {
    SessionStart: can('session_start', false, [], UNKNOWN),
    PreInvocation: can('before_model', false, [], UNKNOWN),
    PostInvocation: can('after_model', false, [], UNKNOWN),
    PreToolUse: can('before_tool', true, ['ask'], 'An ask is sent as `force_ask`, which no earlier "always allow" answers. It needs a decision each time: without an objection it is `ask`, its own usual way.'),
    PostToolUse: can('after_tool', false, [], UNKNOWN),
    Stop: can('before_stop', false, [], UNKNOWN),
};
/** It asks about every request to the model: not worth a program each time. */
export const INSTALLED = ['SessionStart', 'PreToolUse', 'PostToolUse', 'Stop'];
