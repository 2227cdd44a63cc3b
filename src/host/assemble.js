/** The composition root: every door gets its pipeline here, so that all of them run the same hooks the same way. */
import { createPipeline } from '../pipeline/pipeline.ts';
import { redact, redactDeep } from '../redact/redact.ts';
import { lazy } from '../spec/lazy.ts';
export function assemble({ onStuckModule, whileAsking, executors, ...options }) {
    const modules = lazy(async () => {
        const { createModules } = await import('./relay/modules.ts');
        return createModules(pipeline.paths.state, {}, onStuckModule);
    });
    const module = {
        type: 'module',
        run: async (call) => (await modules.get()).executor.run(call),
    };
    const asking = lazy(async () => {
        const { createAsking } = await import('../ask/port.ts');
        return createAsking({
            stateDir: pipeline.paths.state,
            startHost: hostStarter(options),
            redact,
            redactDeep,
        });
    });
    /** Only for an agent that waits: `fire` and `check` say that a person would be asked. */
    const ask = async (context) => {
        if (!context.agent || context.services.silent || !AGENT_DOORS.has(context.door))
            return undefined;
        const wait = async () => (await asking.get()).ask(context);
        return whileAsking ? whileAsking(context, wait) : wait();
    };
    const pipeline = createPipeline({ ask, ...options, executors: { module, ...executors } });
    return {
        ...pipeline,
        async stopAsking() {
            ;
            (await asking.started())?.stop();
        },
        async close() {
            pipeline.close();
            await (await modules.started())?.close();
        },
    };
}
/** Where agents call. */
const AGENT_DOORS = new Set(['hook', 'daemon']);
/** For questions that need the daemon. Undefined where none may be started. */
function hostStarter({ env, source }) {
    if (source === 'daemon')
        return () => { }; // it is this process
    if (env.CROSSHOOK_NO_DAEMON === '1')
        return undefined;
    return () => void import('./start-host.ts').then(({ startHost }) => startHost(env));
}
