/** A fixed answer: the matcher is the rule, and nothing is started. */
export const outcomeExecutor = {
    type: 'outcome',
    run: ({ run }) => ({ value: run.outcome }),
};
