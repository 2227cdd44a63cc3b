/** Until when a person may answer: before the agent, and whatever supervises its call, gives up. */
/** How long agents wait for an entry when their dialect says nothing else, in seconds. */
const WAIT_SECONDS = 600;
/** Less than the supervisor's own margin (install/entry-file.ts), so that ours is the answer that arrives. */
export function answerSeconds(waits) {
    const supervised = waits - Math.max(1, Math.min(10, Math.ceil(waits / 10)));
    return Math.max(0.5, supervised - Math.max(0.5, Math.min(5, supervised / 10)));
}
/** In milliseconds since 1970. `began` is when the call came in; `most` is the setting `approvals.wait`, in seconds. */
export async function deadlineOf({ agent }, nativeEvent, { began, most }) {
    const installer = await agent?.install?.();
    const seconds = answerSeconds(installer?.waitSeconds?.(nativeEvent) ?? WAIT_SECONDS);
    return began + 1000 * Math.min(seconds, most ?? Number.POSITIVE_INFINITY);
}
