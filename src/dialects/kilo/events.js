/** What our plugin in Kilo sends. */
import { decodeOutputPlugin } from '../lib/output-plugin-events.ts';
export const ID = 'kilo';
export function decode(native, hint) {
    return decodeOutputPlugin(ID, native, hint);
}
