/** Which channels can reach a person for this question: the agent's own dialog, ours, or none. */
/** Without a setting: the agent first, then whatever somebody looks at right now, and the people of the fleet. */
const DEFAULT_VIA = ['agent', 'page', 'terminal', 'hub'];
/** Channels that are served by the daemon. */
const NEEDS_HOST = ['page', 'webhook', 'ntfy', 'slack'];
/** Channels that ring somewhere: left alone in quiet hours. */
const RINGS = ['webhook', 'ntfy', 'slack'];
export function reach(situation) {
    const { settings } = situation;
    const via = settings.via ?? DEFAULT_VIA;
    const usable = via.filter((channel) => isUsable(channel, situation));
    if (usable[0] === 'agent')
        return { to: 'agent' };
    const channels = usable.filter((channel) => channel !== 'agent');
    return channels.length > 0 ? { to: 'channels', channels } : { to: 'nobody' };
}
export function needsHost(channels) {
    return channels.some((channel) => NEEDS_HOST.includes(channel));
}
function isUsable(channel, { settings, agentShowsIt, present, mayUseHost, isEnrolled, now }) {
    if (channel === 'agent')
        return agentShowsIt();
    if (channel === 'hub')
        return isEnrolled;
    if (NEEDS_HOST.includes(channel) && !mayUseHost)
        return false;
    if (RINGS.includes(channel))
        return settings[channel] !== undefined && !isQuiet(settings.quiet, now);
    // Named in the settings: the person will look there. Otherwise only when somebody does.
    return settings.via !== undefined || present().includes(channel);
}
/** `22:00-07:00`, local time. */
export function isQuiet(quiet, now = new Date()) {
    const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(quiet ?? '') ?? [];
    if (from === undefined || to === undefined)
        return false;
    const time = `${String(now.getHours()).padStart(2, '0')}:${String(now.getMinutes()).padStart(2, '0')}`;
    return from <= to ? from <= time && time < to : from <= time || time < to;
}
