/** What our plugin in OpenCode sends. */
import { decodeOutputPlugin } from '../lib/output-plugin-events.ts';
export const ID = 'opencode';
export function decode(native, hint) {
    return decodeOutputPlugin(ID, native, hint);
}
