/** One event on its way through the stages. Each stage reads what the stages before it have put here. */
import { now } from '../fast/clock.ts';
import { learnSecrets } from '../redact/redact.ts';
/** `event` is set by the stage `decode`. Every field is there from the start, so that V8 sees one shape. */
export function createContext(services, { door, env, cwd, parent, dryRun = false }) {
    learnSecrets(env);
    return {
        services,
        door,
        env,
        cwd,
        parent,
        startedAt: now(),
        dryRun,
        agent: undefined,
        native: undefined,
        event: NOT_DECODED,
        capability: undefined,
        gap: undefined,
        set: undefined,
        steps: [],
        ran: undefined,
        outcome: {},
        failed: [],
        duration: 0,
        possible: {},
        dropped: [],
        reply: undefined,
        digest: undefined,
        result: undefined,
    };
}
const NOT_DECODED = Object.freeze({});
