/** Transcripts of pi: one file for each session. */
import { join } from 'node:path';
import { isRecord, record, string } from '../lib/payload.ts';
export const history = {
    event: 'tool_call',
    places: ({ home, env }) => [
        {
            folder: join(env.PI_CODING_AGENT_DIR || join(home, '.pi/agent'), 'sessions'),
            files: /\.jsonl$/,
            kind: 'lines',
        },
    ],
    recognises: ({ type, version, id, cwd }) => type === 'session' && typeof version === 'number' && typeof id === 'string' && typeof cwd === 'string',
    reader,
};
function reader() {
    let session = '';
    let cwd;
    return {
        *read(entry) {
            const { role, content, toolCallId, isError } = record(entry.message);
            if (entry.type === 'session') {
                session = string(entry.id) ?? '';
                cwd = entry.cwd;
            }
            else if (role === 'toolResult')
                yield { ended: string(toolCallId) ?? '', how: isError === true ? 'failed' : 'ran' };
            else if (role === 'assistant' && Array.isArray(content))
                for (const part of content) {
                    if (!isRecord(part) || part.type !== 'toolCall')
                        continue;
                    yield {
                        call: string(part.id) ?? '',
                        payload: {
                            type: history.event,
                            toolName: part.name,
                            toolCallId: part.id,
                            input: part.arguments,
                            cwd,
                            sessionId: session,
                        },
                        ...(typeof entry.timestamp === 'string' ? { at: entry.timestamp } : {}),
                    };
                }
        },
    };
}
