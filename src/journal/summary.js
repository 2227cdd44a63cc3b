/** What records count, and how many they are. */
export const COUNTERS = [
    'executions',
    'failures',
    'retries',
    'dead_letters',
    'dead_letter_persist_failures',
];
/** `times` as often as it says. */
export function addUp(sum, { records, counts }, times = 1) {
    sum.records += times * records;
    for (const name of COUNTERS)
        if (counts[name])
            sum.counts[name] = (sum.counts[name] ?? 0) + times * counts[name];
}
