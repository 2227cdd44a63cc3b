/** Grok Build's transcripts: `sessions/<folder>/<session>/updates.jsonl`, one for each subagent too. */
import { basename, dirname, join } from 'node:path';
import { record, string } from '../lib/payload.ts';
import { turnFacts } from '../lib/turn-facts.ts';
export const history = {
    event: 'PreToolUse',
    places: ({ home, env }) => [
        {
            folder: join(env.GROK_HOME || join(home, '.grok'), 'sessions'),
            files: /(?:^|\/)updates\.jsonl$/,
            kind: 'lines',
        },
    ],
    recognises: ({ method, params }) => typeof method === 'string' &&
        method.endsWith('session/update') &&
        record(record(params).update).sessionUpdate !== undefined,
    turn({ params: given }) {
        const params = record(given);
        const { modelId } = record(record(params.update)._meta);
        const total = record(params._meta).totalTokens;
        // One number for both: nearly all of it is the prompt.
        return turnFacts(modelId, { total }, { prompt: ['total'], completion: [] });
    },
    reader,
};
function reader({ path, text }) {
    const fallback = basename(dirname(path));
    let cwd;
    return {
        *read({ params: given }) {
            const params = record(given);
            const update = record(params.update);
            cwd ??= cwdOf(text('summary.json'));
            const session = string(params.sessionId) ?? fallback;
            if (update.sessionUpdate === 'tool_call')
                yield call(update, session, cwd, record(params._meta));
            const end = endOf(update);
            if (end)
                yield end;
        },
    };
}
function cwdOf(summary) {
    try {
        return record(record(JSON.parse(summary ?? '{}')).info).cwd ?? '';
    }
    catch {
        return ''; // being written: the calls are known all the same
    }
}
function call(update, session, cwd, meta) {
    const tool = record(record(update._meta)['x.ai/tool']);
    return {
        call: string(update.toolCallId) ?? '',
        payload: {
            session_id: session,
            cwd,
            hook_event_name: history.event,
            tool_name: string(tool.name) ?? update.title,
            tool_input: update.rawInput,
            tool_use_id: update.toolCallId,
        },
        ...(typeof meta.agentTimestampMs === 'number'
            ? { at: new Date(meta.agentTimestampMs).toISOString() }
            : {}),
    };
}
const DENIED = /^(?:Hook denied|Permission denied|User rejected)/;
function endOf(update) {
    if (update.sessionUpdate !== 'tool_call_update')
        return undefined;
    const ended = string(update.toolCallId) ?? '';
    if (update.status === 'completed')
        return { ended, how: 'ran' };
    if (update.status !== 'failed')
        return undefined;
    return { ended, how: DENIED.test(saidOf(update)) ? 'refused' : 'failed' };
}
function saidOf({ content, rawOutput }) {
    const [first] = Array.isArray(content) ? content : [];
    return string(record(record(first).content).text) ?? string(rawOutput) ?? '';
}
