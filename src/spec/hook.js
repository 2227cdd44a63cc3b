/** A hook as the engine knows it: plain data that can be cached, whatever format it was written in. */
/** Who the hook belongs to; earlier ones are stronger. `source` and `sdk` hooks were named by the caller. */
export const SCOPES = ['managed', 'user', 'project', 'source', 'sdk'];
/** In place of a shell's name: the one that the event's environment names, or /bin/sh. */
export const USER_SHELL = '$SHELL';
/** The values every format starts from; a dialect states what it does otherwise. */
export const HOOK_DEFAULTS = {
    matcher: {},
    order: 0,
    mode: 'sequence',
    timeout: 30000,
    budget: 'attempt',
    on_failure: 'open',
    retries: 0,
    blocks: true,
    input_merge: 'replace',
    output_limit: 1024 * 1024,
    on_overflow: 'fail',
    awaits_output: false,
};
