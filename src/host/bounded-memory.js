/**
 * V8 lets the space for new objects grow with what a long run makes, to more than 100 MB that are mostly empty. Whoever
 * goes through a lot of data calls this now and then: once the space is large enough, it grows no more.
 */
/** In bytes: larger ones save little time (bench/replay.ts). */
const ENOUGH = 16 * 1024 * 1024;
export function createBound(enough = ENOUGH) {
    const v8 = process.getBuiltinModule('node:v8');
    let isBound = false;
    return () => {
        if (isBound)
            return;
        const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
        if (!young || young.space_size < enough)
            return;
        v8.setFlagsFromString('--semi-space-growth-factor=1');
        isBound = true;
    };
}
