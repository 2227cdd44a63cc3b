/** Asks a model that may look around in the work folder first. No hook fires for what it does. */
import { didYouMean } from '../spec/nearest.ts';
import { failure } from '../spec/outcome.ts';
import { agentToolName, agentTools } from './agent-tools.ts';
import { putQuestion } from './question.ts';
const DEFAULT_TURNS = 4;
export const agentExecutor = {
    type: 'agent',
    async run(call) {
        const { tools: wanted = [], max_turns: maxTurns = DEFAULT_TURNS } = call.run;
        if (!Number.isInteger(maxTurns) || maxTurns < 1)
            return failure(`max_turns is ${maxTurns}: it must be 1 or more`, { retryable: false });
        const known = agentTools(call.event.work_dir, call.signal);
        const tools = {};
        for (const name of wanted) {
            const own = agentToolName(name);
            if (own === undefined) {
                const names = Object.keys(known);
                return failure(`there is no tool "${name}" for agent hooks.${didYouMean(name, names)} The tools are ${names.join(', ')}`, { retryable: false });
            }
            tools[own] = known[own];
        }
        return putQuestion(call, { tools, maxTurns });
    },
};
