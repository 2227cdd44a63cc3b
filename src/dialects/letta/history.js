/** Letta Code's transcripts, where agents are kept on this machine: the messages of each conversation. */
import { join } from 'node:path';
import { isRecord, plainText, record, string } from '../lib/payload.ts';
export const history = {
    event: 'PreToolUse',
    notes: ['Conversations that are kept on a server of Letta are not read.'],
    places: ({ home, env }) => [
        {
            folder: join(env.LETTA_HOME || join(home, '.letta'), 'lc-local-backend/conversations'),
            files: /\/messages\.jsonl$/,
            kind: 'lines',
        },
    ],
    recognises: ({ role, metadata }) => typeof role === 'string' && typeof record(metadata).conversation_id === 'string',
    reader,
};
function reader() {
    let cwd;
    return {
        *read(message) {
            const { role, content, toolCallId } = message;
            if (role === 'user')
                cwd = folderIn(plainText(content)) ?? cwd;
            else if (role === 'toolResult')
                yield { ended: string(toolCallId) ?? '', how: howItEnded(message) };
            else if (role === 'assistant' && Array.isArray(content))
                for (const part of content)
                    if (isRecord(part) && part.type === 'toolCall')
                        yield call(message, part, cwd);
        },
    };
}
/** The model is told where it is, and nothing else of the transcript says it. */
function folderIn(text) {
    return /working directory\*{0,2}: (\S[^\n]*)/i.exec(text.slice(0, 20000))?.[1]?.trim();
}
function call({ metadata, timestamp }, { id, name, arguments: input }, cwd) {
    return {
        call: string(id) ?? '',
        payload: {
            event_type: history.event,
            // Hooks of tools are told of the agent, not of the conversation.
            agent_id: record(metadata).agent_id,
            working_directory: cwd,
            tool_name: name,
            tool_input: input,
            tool_call_id: id,
        },
        ...(typeof timestamp === 'number' && Number.isFinite(timestamp)
            ? { at: new Date(timestamp).toISOString() }
            : {}),
    };
}
function howItEnded({ isError, content }) {
    if (/^Error: Tool execution blocked by hook|^Error: .*denied/.test(plainText(content).slice(0, 300)))
        return 'refused';
    return isError === true ? 'failed' : 'ran';
}
