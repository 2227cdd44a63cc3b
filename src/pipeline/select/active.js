/** Hooks of a set made ready to run: ranked, compiled, indexed, with what may bar each when its turn comes. */
import { nameKey, replaces } from '../../config/layers.ts';
import { createIndex, createMatcher } from '../../engine/match.ts';
import { rank } from '../../engine/plan.ts';
export function activate(hooks, bars, direct) {
    const byEvent = new Map();
    const byName = Map.groupBy(hooks, nameKey);
    const ready = (eventType) => {
        let found = byEvent.get(eventType);
        if (!found) {
            const planned = rank(hooks
                .filter((hook) => hook.events.includes(eventType))
                .map((hook) => {
                const entry = { hook, matcher: createMatcher(hook.matcher) };
                const gate = gateOf(hook, byName.get(nameKey(hook)), bars);
                const call = direct?.(hook);
                if (gate)
                    entry.gate = gate;
                if (call)
                    entry.direct = call;
                return entry;
            }));
            found = { planned, index: createIndex(planned) };
            byEvent.set(eventType, found);
        }
        return found;
    };
    return {
        candidates: (event) => ready(event.event_type).index.candidates(event),
        all: (eventType) => ready(eventType).planned,
    };
}
/** Asked at each event, since trust, and with it who replaces whom, can change between two. */
function gateOf(hook, namesakes, { trust, settings }) {
    const isOff = (other) => other.disabled || (other.scope !== 'managed' && settings.disabled.includes(other.name));
    if (isOff(hook))
        return () => 'disabled';
    const isTrusted = (other) => other.scope !== 'project' || !trust || trustOf(trust, other) === 'trusted';
    // Only a hook that would itself run takes another's place: what is not trusted must not switch a guard off.
    const stronger = namesakes.filter((other) => replaces(other, hook, namesakes) && !isOff(other));
    if (stronger.length === 0 && hook.scope !== 'project')
        return undefined;
    return () => {
        if (stronger.some(isTrusted))
            return 'overridden';
        // One that was trusted once and is not what it was goes on to run, and fails there by its own policy.
        return hook.scope === 'project' && trust && trustOf(trust, hook) === 'untrusted' ? 'untrusted' : null;
    };
}
/** A store of trust that cannot be read trusts nobody, and switches nobody else's hooks off. */
function trustOf(trust, hook) {
    try {
        return trust.state(hook);
    }
    catch {
        return 'unproven'; // `trust` and `doctor` say what is wrong with it
    }
}
