import { sha256Hex } from '../fast/digest.ts';
import { redactClipped } from './redact.ts';
/** What a hook reaches, in words that hold no secret: no command line, no path or query of an address. */
export function safeTarget({ name, run }) {
    switch (run.type) {
        case 'http':
            return `http:${name}:${safeOrigin(run.url)}`;
        case 'callback':
            return `callback:${name}:${run.name}`;
        default:
            return `${run.type}:${name}`;
    }
}
function safeOrigin(url) {
    const parsed = URL.parse(url);
    return parsed?.host
        ? `${parsed.protocol}//${parsed.host}`
        : `invalid_url_sha256:${sha256Hex(url).slice(0, 16)}`;
}
/** Why a hook failed, without the text of its command and without more of an address than its origin. */
export function safeError({ run }, error) {
    const command = run.type === 'command' && 'command' in run ? run.command.trim() : '';
    const short = command.length < SHORTEST_COMMAND ? error : error.replaceAll(command, '[command]');
    // Redacted before it is cut: half a login would no longer look like one.
    return redactClipped(short, LONGEST_ERROR).replaceAll(ADDRESS, '$1/…');
}
/** In characters. */
const LONGEST_ERROR = 4096;
/** A shorter one may be a word of the message itself. */
const SHORTEST_COMMAND = 4;
const ADDRESS = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#"'<>@]{1,256})[/?#][^\s"'<>]+/gi;
