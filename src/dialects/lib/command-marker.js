/** How our own entry is recognised in an agent's settings: by the call that it makes. */
/** `…crosshook… hook <agent> <Event>`, or the daemon's `…/v1/agents/<agent>/<Event>`. */
export function isOurCommand(command, agent) {
    if (typeof command !== 'string')
        return false;
    const id = agent.replace(/[^a-z0-9-]/gi, '');
    return (new RegExp(`crosshook\\S*["']?\\s(?:.*\\s)?hook["']?\\s+["']?${id}["']?(?:\\s|$)`, 's').test(command) ||
        new RegExp(`/crosshook/install/entries/${id}/\\w+$`).test(command) ||
        new RegExp(`^https?://[^/]*/v1/agents/${id}/`).test(command));
}
/** The entry of any agent: run as a hook of somebody else, it would call us without end. */
export function callsCrosshook(command) {
    return (typeof command === 'string' &&
        (/crosshook\S*["']?\s(?:.*\s)?(?:run-)?hook["']?\s+["']?[a-z]/s.test(command) ||
            /\/crosshook\/install\/entries\/[a-z]/.test(command) ||
            /^https?:\/\/[^/]*\/v1\/agents\/[a-z]/.test(command)));
}
