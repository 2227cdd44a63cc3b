/** What transcripts say of requests to the model, in the words of agents. Loaded only by who looks into transcripts. */
import { isRecord, string } from './payload.ts';
/** `parts` are the names of what makes up the prompt, then that of the answer. */
export function turnFacts(model, usage, parts) {
    const name = string(model);
    const sum = (names) => isRecord(usage) ? names.reduce((total, key) => total + (Number(usage[key]) || 0), 0) : 0;
    const prompt_tokens = sum(parts.prompt);
    const completion_tokens = sum(parts.completion);
    const total_tokens = prompt_tokens + completion_tokens;
    if (name === undefined && total_tokens === 0)
        return undefined;
    return {
        ...(name === undefined ? {} : { model: name }),
        ...(total_tokens === 0 ? {} : { usage: { prompt_tokens, completion_tokens, total_tokens } }),
    };
}
