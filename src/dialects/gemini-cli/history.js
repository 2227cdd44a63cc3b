/** Gemini CLI's transcripts: `tmp/<project>/chats/session-*`, those of subagents in a folder with the session's id. */
import { basename, dirname, join } from 'node:path';
import { isRecord, record, string } from '../lib/payload.ts';
import { turnFacts } from '../lib/turn-facts.ts';
export const history = {
    event: 'BeforeTool',
    places: ({ home, env }) => 
    // Until 0.2x a session was one document.
    ['lines', 'document'].map((kind) => ({
        folder: join(env.GEMINI_CLI_HOME || home, '.gemini/tmp'),
        files: kind === 'lines' ? /\/chats\/.*\.jsonl$/ : /\/chats\/.*\.json$/,
        kind,
    })),
    recognises: ({ sessionId, projectHash }) => typeof sessionId === 'string' && typeof projectHash === 'string',
    turn: ({ type, model, tokens }) => (type === 'gemini' ? turnFacts(model, tokens, TOKENS) : undefined),
    reader,
};
const TOKENS = { prompt: ['input'], completion: ['output', 'thoughts'] };
function reader(file) {
    const seen = new Set();
    let session = '';
    let cwd;
    function* readMessage(message) {
        const { toolCalls } = record(message);
        for (const call of Array.isArray(toolCalls) ? toolCalls : []) {
            if (!isRecord(call))
                continue;
            const id = string(call.id) ?? '';
            // A message is written again whenever one of its calls has ended.
            if (!seen.has(id))
                yield callOf(call, session, cwd);
            seen.add(id);
            yield { ended: id, how: howItEnded(call) };
        }
    }
    return {
        *read(entry) {
            if (typeof entry.projectHash === 'string') {
                const isSub = entry.kind === 'subagent';
                session = isSub ? basename(dirname(file.path)) : (string(entry.sessionId) ?? '');
                const [first] = Array.isArray(entry.directories) ? entry.directories : [];
                cwd = file.text(isSub ? '../../.project_root' : '../.project_root')?.trim() ?? string(first);
            }
            const more = entry.messages ?? record(entry.$set).messages;
            for (const message of Array.isArray(more) ? more : [entry])
                yield* readMessage(message);
        },
    };
}
function callOf(call, session, cwd) {
    const at = string(call.timestamp);
    return {
        call: string(call.id) ?? '',
        payload: {
            session_id: session,
            cwd,
            hook_event_name: history.event,
            tool_name: call.name,
            tool_input: call.args,
        },
        ...(at === undefined ? {} : { at }),
    };
}
const REFUSED = /^Tool execution (?:blocked|denied)|denied by policy|User did not allow/;
function howItEnded({ status, resultDisplay }) {
    if (status === 'cancelled')
        return 'refused';
    if (status !== 'error')
        return 'ran';
    return REFUSED.test(String(resultDisplay)) ? 'refused' : 'failed';
}
