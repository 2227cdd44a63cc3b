import { sha256Hex } from '../fast/digest.ts'
import type { Hook } from '../spec/hook.ts'
import { redactClipped } from './redact.ts'

/** What a hook reaches, without secrets: no command line, no path or query of a URL. */
export function safeTarget({ name, run }: Pick<Hook, 'name' | 'run'>): string {
  switch (run.type) {
    case 'http':
      return `http:${name}:${safeOrigin(run.url)}`
    case 'callback':
      return `callback:${name}:${run.name}`
    default:
      return `${run.type}:${name}`
  }
}

function safeOrigin(url: string): string {
  const parsed = URL.parse(url)
  return parsed?.host
    ? `${parsed.protocol}//${parsed.host}`
    : `invalid_url_sha256:${sha256Hex(url).slice(0, 16)}`
}

/** Why a hook failed, without its command text and with only the origin of a URL. */
export function safeError({ run }: Pick<Hook, 'run'>, error: string): string {
  const command = run.type === 'command' && 'command' in run ? run.command.trim() : ''
  const short = command.length < MIN_COMMAND_CHARS ? error : error.replaceAll(command, '[command]')
  // Redacted before it is truncated: half a login would not be recognised.
  return redactClipped(short, MAX_ERROR_CHARS).replaceAll(ADDRESS, '$1/…')
}

const MAX_ERROR_CHARS = 4096
/** A shorter command may be a word of the message itself. */
const MIN_COMMAND_CHARS = 4
const ADDRESS = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#"'<>@]{1,256})[/?#][^\s"'<>]+/gi
