/** Limits how many calls run at once; the others wait in order of arrival. */
export function permits(most) {
    let free = most;
    const waiting = [];
    return {
        async use(work, limits) {
            if (free > 0)
                free--;
            else
                await turn(waiting, limits.signal);
            try {
                return await work();
            }
            finally {
                giveBack();
            }
        },
    };
    function giveBack() {
        const next = waiting.shift();
        if (next)
            next();
        else
            free++;
    }
}
function turn(waiting, signal) {
    return new Promise((resolve, reject) => {
        const go = () => {
            signal.removeEventListener('abort', giveUp);
            resolve();
        };
        const giveUp = () => {
            waiting.splice(waiting.indexOf(go), 1);
            reject(signal.reason);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.push(go);
    });
}
