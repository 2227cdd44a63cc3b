/** Copilot CLI's transcripts: the events of a session, those of its subagents among them. */
import { join } from 'node:path';
import { isRecord, record, string } from '../lib/payload.ts';
import { turnFacts } from '../lib/turn-facts.ts';
export const history = {
    event: 'preToolUse',
    places: ({ home, env }) => [
        {
            folder: join(env.COPILOT_HOME || join(home, '.copilot'), 'session-state'),
            files: /(?:^|\/)events\.jsonl$/,
            kind: 'lines',
        },
    ],
    recognises: ({ type, data, parentId }) => type === 'session.start' && isRecord(data) && parentId === null,
    turn({ type, data }) {
        if (type !== 'session.usage_record')
            return undefined;
        const { model, maxPromptTokens, ...usage } = record(record(data).usage);
        const facts = turnFacts(model, usage, TOKENS);
        return facts && typeof maxPromptTokens === 'number' ? { ...facts, limit: maxPromptTokens } : facts;
    },
    fileOf: ({ home, env }, session) => join(env.COPILOT_HOME || join(home, '.copilot'), 'session-state', session, 'events.jsonl'),
    reader,
};
const TOKENS = { prompt: ['inputTokens'], completion: ['outputTokens'] };
function reader() {
    let session = '';
    let cwd;
    return {
        *read({ type, data: given, timestamp, agentId }) {
            const data = record(given);
            const { toolCallId, toolName, success, error } = data;
            if (type === 'session.start' || type === 'session.resume') {
                session = string(data.sessionId) ?? session;
                cwd = record(data.context).cwd ?? cwd;
            }
            else if (type === 'session.context_changed')
                cwd = data.cwd ?? cwd;
            else if (type === 'tool.execution_start')
                yield {
                    call: string(toolCallId) ?? '',
                    payload: {
                        sessionId: string(agentId) ?? session,
                        cwd,
                        toolName,
                        toolArgs: data.arguments,
                    },
                    ...(typeof timestamp === 'string' ? { at: timestamp } : {}),
                };
            else if (type === 'tool.execution_complete')
                yield {
                    ended: string(toolCallId) ?? '',
                    how: success === true ? 'ran' : record(error).code === 'denied' ? 'refused' : 'failed',
                };
        },
    };
}
