/** Canonical event → payload for hooks written for Continue's command line. */
import { STOP, SUBAGENT_FIELDS } from '../lib/family-events.ts';
import { encodeEvent, string } from '../lib/payload.ts';
import { tools } from './tools.ts';
export const ID = 'continue-cli';
export const events = {
    SessionStart: { event: 'session_start' },
    SessionEnd: { event: 'session_end', fields: { reason: 'exit_reason' } },
    UserPromptSubmit: { event: 'before_agent' },
    PreToolUse: { event: 'before_tool' },
    PostToolUse: { event: 'after_tool', fields: { tool_response: 'tool_output' } },
    PostToolUseFailure: { event: 'after_tool_failure' },
    PermissionRequest: { event: 'permission_request' },
    Stop: STOP,
    SubagentStart: { event: 'subagent_start', ...SUBAGENT_FIELDS },
    SubagentStop: { event: 'subagent_stop', ...SUBAGENT_FIELDS },
    TeammateIdle: { event: 'teammate_idle' },
    TaskCompleted: { event: 'task_completed' },
    ConfigChange: { event: 'config_change', fields: { file_path: 'path' } },
    WorktreeCreate: { event: 'worktree_create', fields: { name: 'worktree_name' } },
    WorktreeRemove: { event: 'worktree_remove', fields: { worktree_path: 'path' } },
    PreCompact: { event: 'pre_compact' },
    Notification: { event: 'notification' },
};
const words = { id: ID, map: events, tools };
export function encode(event, hook) {
    const payload = encodeEvent(words, event, hook.native_event);
    payload.transcript_path ??= string(event.context?.transcript_path) ?? '';
    payload.permission_mode ??= string(event.context?.permission_mode) ?? 'default';
    return {
        text: JSON.stringify(payload),
        value: payload,
        env: { CONTINUE_PROJECT_DIR: event.work_dir, CLAUDE_PROJECT_DIR: event.work_dir },
    };
}
