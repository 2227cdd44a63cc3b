/** The channels that are told of questions by the daemon, or that take answers at an address. */
export const CHANNEL_FILES = {
    webhook: () => import('./webhook.ts'),
    ntfy: () => import('./ntfy.ts'),
    slack: () => import('./slack.ts'),
    key: () => import('./key.ts'),
    passkey: () => import('./passkey.ts'),
};
