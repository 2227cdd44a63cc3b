/** Canonical event → the payload that an A3S handler is called with. */
import { canonicalEvent, eventRow } from '../../spec/event.ts';
import { TOOLS, toNativeTool } from '../../spec/tool.ts';
import { isObject, TOOL_TABLE } from './tools.ts';
export const ID = 'a3s';
export const EVENTS = {
    SessionStart: 'session_start',
    SessionEnd: 'session_end',
    GenerateStart: 'before_model',
    GenerateEnd: 'after_model',
    PreToolUse: 'before_tool',
    PostToolUse: ['after_tool', 'after_tool_failure'],
    ToolError: 'after_tool_failure',
    PermissionRequest: 'permission_request',
    PermissionGranted: 'permission_granted',
    PermissionDenied: 'permission_denied',
    PreCompact: 'pre_compact',
    PostCompact: 'post_compact',
    ContextWarning: 'context_warning',
    // Only the later engine has these two; no other agent has them.
    SkillLoad: 'a3s/SkillLoad',
    SkillUnload: 'a3s/SkillUnload',
};
export function encode(event, hook) {
    const value = payloadOf(event, hook.native_event);
    return { text: JSON.stringify(value), value };
}
export function payloadOf(event, nativeEvent = nativeName(event.event_type)) {
    const shape = SHAPES[nativeEvent] ?? otherShape;
    return { ...base(event, nativeEvent), ...withoutUndefined(shape(event)) };
}
/** `pre_tool_use`, `preToolUse` or `before_tool` → `PreToolUse`; undefined when no event is called so. */
export function findEvent(name) {
    const pascal = name.replace(/(?:^|[_\-.\s]+)([a-zA-Z])/g, (_, letter) => letter.toUpperCase());
    const own = Object.hasOwn(EVENTS, pascal) ? pascal : undefined;
    if (own)
        return { native: own, events: [].concat(EVENTS[own]) };
    const canonical = canonicalEvent(name);
    return canonical === undefined ? undefined : { native: nativeName(canonical), events: [canonical] };
}
export function nativeName(canonical) {
    const own = Object.entries(EVENTS).find(([, to]) => [].concat(to).includes(canonical));
    if (own)
        return own[0];
    return canonical.includes('/') ? canonical : pascalCase(canonical);
}
const SHAPES = {
    PreToolUse: (event) => ({ ...tool(event), context: situation(event) }),
    PostToolUse: (event) => ({ ...tool(event), result: resultOf(event) }),
    ToolError: (event) => ({ ...tool(event), error: errorOf(event), result: resultOf(event) }),
    PermissionRequest: (event) => ({
        ...tool(event),
        permissionSuggestions: event.permission_suggestions,
        context: situation(event),
    }),
    PermissionGranted: (event) => ({ ...tool(event), reason: event.reason }),
    PermissionDenied: (event) => ({ ...tool(event), reason: event.reason }),
    GenerateStart: (event) => ({
        prompt: event.prompt ?? '',
        systemPrompt: event.system_prompt,
        model: modelOf(event),
        tools: Array.isArray(event.tools) ? event.tools.map(nativeTool) : [],
    }),
    SkillLoad: (event) => ({ skillName: event.skill_name }),
    SkillUnload: (event) => ({ skillName: event.skill_name }),
    GenerateEnd: (event) => ({
        prompt: event.prompt ?? '',
        model: modelOf(event),
        response: responseOf(event),
    }),
};
function base(event, eventType) {
    const { recent_tools: _tools, token_usage: _usage, ...metadata } = event.context ?? {};
    if (event.agent !== undefined)
        metadata.agent = event.agent;
    if (event.tool_use_id)
        metadata.toolUseId = event.tool_use_id;
    const timestamp = Date.parse(event.timestamp);
    return {
        eventType,
        sessionId: event.session_id,
        timestamp: Number.isNaN(timestamp) ? Date.now() : timestamp,
        metadata,
    };
}
function tool(event) {
    const name = typeof event.tool_name === 'string' ? event.tool_name : '';
    const input = isObject(event.tool_input) ? event.tool_input : {};
    const call = Object.hasOwn(TOOLS, name) ? toNativeTool(TOOL_TABLE, name, input) : { name, input };
    return { tool: call.name, args: call.input };
}
function situation(event) {
    const { recent_tools, token_usage } = event.context ?? {};
    return {
        workingDirectory: event.work_dir,
        recentTools: Array.isArray(recent_tools) ? recent_tools : [],
        tokenUsage: usageOf(token_usage),
    };
}
function resultOf(event) {
    const output = event.tool_output;
    const detail = isObject(output) ? output : {};
    const failed = event.event_type === 'after_tool_failure' || detail.success === false;
    const exitCode = detail.exitCode ?? detail.exit_code;
    const text = failed ? (event.error ?? detail.output ?? output) : (detail.output ?? detail.stdout ?? output);
    return {
        success: !failed,
        output: textOf(text),
        ...(typeof exitCode === 'number' ? { exitCode } : {}),
        duration: event.duration_ms ?? detail.duration ?? 0,
    };
}
function responseOf(event) {
    const detail = isObject(event.response) ? event.response : { text: event.response };
    return {
        text: textOf(detail.text),
        toolCalls: detail.toolCalls ?? detail.tool_calls ?? [],
        usage: usageOf(event.usage ?? detail.usage),
        duration: event.duration_ms ?? detail.duration ?? 0,
    };
}
/** Other events carry their own fields, in the spelling of this format. */
function otherShape(event) {
    const fields = Object.keys(eventRow(event.event_type).fields);
    return Object.fromEntries(fields.map((field) => [camelCase(field), event[field]]));
}
function errorOf(event) {
    return textOf(event.error ?? event.tool_output);
}
/** A tool by the name that A3S knows. */
function nativeTool(tool) {
    return typeof tool === 'string' ? toNativeTool(TOOL_TABLE, tool, {}).name : tool;
}
function modelOf(event) {
    return typeof event.model === 'string' ? { name: event.model } : (event.model ?? {});
}
function usageOf(usage) {
    return { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, ...(isObject(usage) ? usage : {}) };
}
function textOf(value) {
    if (value === undefined || value === null)
        return '';
    return typeof value === 'string' ? value : JSON.stringify(value);
}
function withoutUndefined(payload) {
    return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
}
function camelCase(name) {
    return name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
}
function pascalCase(name) {
    return camelCase(`_${name}`);
}
