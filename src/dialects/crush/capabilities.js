/** What Crush does with an answer, by its source. */
export const capabilities = {
    PreToolUse: {
        event: 'before_tool',
        deny: true,
        effects: ['updated_input', 'additional_context', 'stop'],
        note: 'Does not fire in subagents. An ask becomes a deny. A rewrite is merged into the input.',
    },
};
