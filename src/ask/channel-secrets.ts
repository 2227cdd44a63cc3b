/**
 * Secrets of channels: on a machine, files in the state folder that only their owner, and no agent's tool call, can
 * read.
 */

import { join } from 'node:path'
import { stateKey } from '../config/state-key.ts'
import { writeWhole } from '../config/write-whole.ts'
import { CrosshookError } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'

export interface ChannelSecrets {
  /** Shared with the channel's service; undefined when there is none. */
  of(channel: string): string | undefined
  /** Seals the content of buttons. */
  key(): Buffer
}

export function secretsIn(stateDir: string): ChannelSecrets {
  return { of: (channel) => readSecret(stateDir, channel), key: () => stateKey(stateDir) }
}

/** `*.key` directly in the state folder: see config/self-protection.ts. */
export function secretFile(stateDir: string, channel: string): string {
  return join(stateDir, `approvals-${channel}.key`)
}

export function readSecret(stateDir: string, channel: string): string | undefined {
  try {
    const text = readText(secretFile(stateDir, channel)).trim()
    return text === '' ? undefined : text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export function writeSecret(stateDir: string, channel: string, secret: string): void {
  writeWhole(secretFile(stateDir, channel), `${secret}\n`)
}

export function requireSecret(secrets: ChannelSecrets, channel: string): string {
  const secret = secrets.of(channel)
  if (secret !== undefined) return secret
  throw new CrosshookError('refused', `${channel}: there is no secret that answers could be checked with`, {
    fix: `Run \`crosshook approvals key ${channel}\`.`,
  })
}
