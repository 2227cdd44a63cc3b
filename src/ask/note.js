/** Records of the journal: each question, each answer with who, where and when, each grant that was used. */
/** The name of these records. */
export const APPROVAL = 'approval';
export function noteAsked(journal, question, source) {
    return append(journal, question, { decision: 'ask', reason: question.why, source });
}
export function noteAnswered(journal, question, answer, source) {
    const { decision, words, by, via, at, scope, until, digest, signature, votes } = answer;
    return append(journal, question, {
        decision,
        reason: `${decision === 'allow' ? 'allowed' : 'denied'} by ${by} (${via})${words === '' ? '' : `: ${words}`}`,
        duration_ms: Math.max(0, Date.parse(at) - Date.parse(question.at)),
        source,
        approval: {
            by,
            via,
            at,
            scope,
            digest,
            signature,
            ...(until ? { until } : {}),
            ...(votes ? { votes } : {}),
        },
    });
}
export function noteGrant(journal, question, reason, source) {
    return append(journal, question, { decision: 'allow', reason, source });
}
/** A sentence when it could not be kept. */
function append(journal, { agent, session_id, work_dir, tool_name, id, summary }, more) {
    const { error } = journal.append({
        event: APPROVAL,
        agent,
        session_id,
        work_dir,
        tool_name,
        subject: id,
        detail: summary,
        stop: null,
        duration_ms: 0,
        hooks: [],
        ...more,
    });
    return error?.message;
}
