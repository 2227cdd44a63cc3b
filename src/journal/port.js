/** What a journal can do, whatever keeps it. `sqlite/` is the one there is. */
/** By what runs of hooks can be summed up. */
export const HOOK_DIMENSIONS = ['hook', 'agent', 'tool', 'project', 'day', 'hour'];
