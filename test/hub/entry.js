/** A record as hooks leave it: a plain allow. */
export const entry = {
    event: 'before_tool',
    agent: 'a',
    session_id: 's',
    work_dir: '/w',
    tool_name: 'Shell',
    decision: 'allow',
    reason: null,
    stop: null,
    duration_ms: 1,
    source: 'hook',
    hooks: [],
};
