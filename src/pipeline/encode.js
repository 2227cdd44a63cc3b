/** Stage 7: the outcome in the words that this agent obeys: stdout, stderr, exit code. */
export function encode({ agent, possible, event }) {
    return agent.agent.encode(possible, event);
}
