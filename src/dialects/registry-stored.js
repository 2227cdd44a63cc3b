/** Hooks that were set through the daemon's API: a file in the state folder, read like any other hook file. */
export const STORED_HOOKS = { file: 'hooks.json', format: 'kheish' };
