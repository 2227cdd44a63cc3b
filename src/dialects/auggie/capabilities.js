/** What Auggie does with an answer on each of its events, read in its program. */
function can(event, deny, effects = [], note) {
    return { event, deny, effects, ...(note ? { note } : {}) };
}
export const capabilities = {
    SessionStart: can('session_start', false, ['additional_context']),
    SessionEnd: can('session_end', false),
    PromptSubmit: can('before_agent', false, [], 'Whether an answer changes anything is not established.'),
    PreToolUse: can('before_tool', true, ['ask', 'updated_input']),
    PostToolUse: can('after_tool', true, ['additional_context']),
    Stop: can('before_stop', true),
    Notification: can('notification', false),
};
