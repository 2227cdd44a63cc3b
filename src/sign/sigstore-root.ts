/**
 * Keys of Sigstore's public services: the initial `trusted_root.json` of @sigstore/tuf 5.0.0 and of the Python package
 * sigstore 4.5.1. New keys come with a new version of crosshook, or in a file of the person's own.
 */

import root from './sigstore-root.json' with { type: 'json' }

export const SIGSTORE_ROOT: unknown = root
