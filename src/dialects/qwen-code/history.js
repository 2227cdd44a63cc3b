/** Qwen Code's transcripts: `projects/<folder>/chats/<session>.jsonl`, those of subagents beside. */
import { join } from 'node:path';
import { isRecord, record, string } from '../lib/payload.ts';
import { turnFacts } from '../lib/turn-facts.ts';
export const history = {
    event: 'PreToolUse',
    places: ({ home, env }) => [
        {
            folder: join(env.QWEN_HOME || join(home, '.qwen'), 'projects'),
            files: /\/(?:chats|subagents)\/.*\.jsonl$/,
            kind: 'lines',
        },
    ],
    recognises: ({ sessionId, uuid, message, type }) => typeof sessionId === 'string' &&
        typeof uuid === 'string' &&
        (Array.isArray(record(message).parts) || type === 'system'),
    turn: ({ type, model, usageMetadata }) => type === 'assistant' ? turnFacts(model, usageMetadata, TOKENS) : undefined,
    reader: () => ({ read }),
};
const TOKENS = { prompt: ['promptTokenCount'], completion: ['candidatesTokenCount', 'thoughtsTokenCount'] };
function* read(entry) {
    const { message, sessionId, cwd, timestamp, toolCallResult } = entry;
    const { parts } = record(message);
    for (const part of Array.isArray(parts) ? parts : []) {
        const { functionCall, functionResponse } = record(part);
        if (isRecord(functionCall)) {
            const { id, name, args } = functionCall;
            yield {
                call: string(id) ?? '',
                payload: {
                    session_id: sessionId,
                    cwd,
                    hook_event_name: history.event,
                    tool_name: name,
                    tool_input: args,
                    tool_call_id: id,
                },
                ...(typeof timestamp === 'string' ? { at: timestamp } : {}),
            };
        }
        else if (isRecord(functionResponse))
            yield { ended: string(functionResponse.id) ?? '', how: howItEnded(record(toolCallResult)) };
    }
}
function howItEnded({ status, errorType }) {
    if (errorType === 'execution_denied' || status === 'cancelled')
        return 'refused';
    return status === 'error' ? 'failed' : 'ran';
}
