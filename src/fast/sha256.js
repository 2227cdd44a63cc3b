/**
 * SHA-256 for texts of kilobytes, in WebAssembly. Loading `node:crypto` takes a new process 6 ms, and V8's interpreter takes
 * 4 ms for the 8 KB of a plan; this takes about 1.3 ms with its compilation (CPU profiles of cold calls). The slow twin is sha256-script.ts.
 */
import { SHA256_MODULE } from './gen/sha256-module.ts';
import { INITIAL, pad, sha256InScript } from './sha256-script.ts';
export function sha256(bytes) {
    compiled ??= compile();
    return compiled === 'none' ? sha256InScript(bytes) : compiled(bytes);
}
let compiled;
/** Places in the module's memory, in bytes: see tools/sha256-module.ts. */
const STATE = 256;
const BLOCKS = 576;
/** Bytes that are handed over at once: whole blocks, and less than the memory holds. */
const PIECE = 32 * 1024;
function compile() {
    try {
        const { Module, Instance } = globalThis.WebAssembly;
        const { memory, run } = new Instance(new Module(Buffer.from(SHA256_MODULE, 'base64'))).exports;
        const state = new Int32Array(memory.buffer, STATE, 8);
        const digest = Buffer.from(memory.buffer, STATE, 32);
        const blocks = new Uint8Array(memory.buffer, BLOCKS, PIECE);
        return (bytes) => {
            const padded = pad(bytes);
            state.set(INITIAL);
            for (let at = 0; at < padded.length; at += PIECE) {
                const piece = padded.subarray(at, at + PIECE);
                blocks.set(piece);
                run(piece.length);
            }
            return digest.swap32().toString('hex');
        };
    }
    catch {
        return 'none'; // switched off, or no address space for its memory
    }
}
