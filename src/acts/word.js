/** A word of a command, and what flows into a command. */
export function word(text) {
    return { text };
}
