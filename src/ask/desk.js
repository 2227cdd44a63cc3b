/** All that is needed to look at questions and to answer them. */
import { openGrants } from './grants.ts';
import { openQuestions } from './questions.ts';
export function openDesk(options) {
    const { stateDir } = options;
    return { ...options, questions: openQuestions(stateDir), grants: openGrants(stateDir) };
}
