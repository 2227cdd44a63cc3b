/** What Devin CLI does with an answer on each of its events, by documentation: only decisions are described there. */
function can(event, deny, note) {
    return { event, deny, effects: [], ...(note ? { note } : {}) };
}
export const capabilities = {
    SessionStart: can('session_start', false),
    SessionEnd: can('session_end', false),
    UserPromptSubmit: can('before_agent', true),
    PreToolUse: can('before_tool', true, 'A deny is all that is sent: an ask and a rewritten input become one, context is dropped.'),
    PostToolUse: can('after_tool', false),
    PermissionRequest: can('permission_request', true),
    Stop: can('before_stop', true),
};
