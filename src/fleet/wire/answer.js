/** What a person signs who answers a machine's question: which question, about exactly what, and how. */
export function answerText({ id, input_digest, decision, scope, reason }) {
    return JSON.stringify([id, input_digest, decision, scope, reason]);
}
