/** A canonical event as a script of this format reads it on stdin. */
import { isoTime } from '../../fast/iso-time.ts';
import { eventRow } from '../../spec/event.ts';
import { spacedJson } from './json.ts';
/** Names that a later version of the format uses; a script written for it reads them in `event_type` too. */
export const LATER_NAMES = {
    'pre-session': 'session_start',
    'post-session': 'session_end',
    'pre-agent-turn': 'before_agent',
    'post-agent-turn': 'after_agent',
    'pre-agent-turn-stop': 'before_stop',
    'post-agent-turn-stop': 'after_agent',
    'pre-tool-call': 'before_tool',
    'post-tool-call': 'after_tool',
    'post-tool-call-failure': 'after_tool_failure',
    'pre-subagent': 'subagent_start',
    'post-subagent': 'subagent_stop',
    'pre-context-compact': 'pre_compact',
    'post-context-compact': 'post_compact',
};
/** Fields that come last, so that a script that greps for the first `"command": ` finds the tool's own. */
const LAST = ['context', 'data', 'agent', 'native_event', 'native_tool_name', 'native'];
export function encode(event, hook) {
    const row = eventRow(event.event_type);
    const out = {
        event_type: hook.native_event ?? event.event_type,
        timestamp: event.timestamp ?? isoTime(Date.now()),
        session_id: event.session_id ?? '',
        work_dir: event.work_dir ?? '',
    };
    if (row.tool) {
        out.tool_name = event.tool_name ?? '';
        out.tool_input = event.tool_input ?? {};
        out.tool_use_id = event.tool_use_id ?? '';
    }
    for (const [field, type] of Object.entries(row.fields))
        if (type === 'object?')
            out[field] = null;
    for (const [field, value] of Object.entries(event))
        if (value !== undefined && !isBase(field))
            out[field] = value ?? out[field] ?? null;
    for (const field of LAST)
        if (event[field] !== undefined)
            out[field] = event[field];
    out.context ??= {};
    return { text: `${spacedJson(out)}\n`, value: event };
}
const BASE = new Set(['event_type', 'timestamp', 'session_id', 'work_dir', ...LAST]);
function isBase(field) {
    return BASE.has(field);
}
