/** What the journal says a tool was about to do: its command, path or address. Secrets are taken out where it is kept. */
/** Fields of inputs that say what is done, and fields that say to what; the first that is there counts. */
const DOES = ['command', 'cmd', 'script', 'code', 'query', 'pattern', 'prompt'];
const TO = [
    'path',
    'file_path',
    'notebook_path',
    'url',
    'uri',
    'target_file',
    'filename',
    'destination',
    'source',
];
/** In the order in which they are looked for. */
export const detailFields = [...DOES, ...TO];
/** In characters; the rest of a longer one is cut when it is kept. */
const LONGEST = 2048;
export function detailOf(event, level = 'full') {
    if (level === 'none')
        return undefined;
    const { tool_input: input } = event;
    if (typeof input !== 'object' || input === null)
        return undefined;
    const names = level === 'full' ? detailFields : TO;
    for (const name of names) {
        const value = input[name];
        if (typeof value === 'string' && value !== '')
            return value.length > LONGEST ? clipped(value) : value;
    }
    return undefined;
}
/** A little more than is kept: who takes secrets out of it must see the word that the cut goes through. */
function clipped(text) {
    return text.slice(0, 3 * LONGEST);
}
