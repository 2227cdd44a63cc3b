/** Asks a model one question about the event. */
import { putQuestion } from './question.ts';
export const promptExecutor = {
    type: 'prompt',
    run: (call) => putQuestion(call, { tools: {}, maxTurns: 1 }),
};
