/** Where the program is that keeps what background hooks print: beside this file, built or not. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
export function outputFilter() {
    return PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((file) => existsSync(file));
}
const PLACES = [
    './filter-output.ts',
    './filter-output.js',
    './pipeline-run-filter-output.js',
    '../../cli/lazy/pipeline-run-filter-output.js',
];
