import { sha256Hex } from '../spec/digest.ts'
import type { Hook } from '../spec/hook.ts'

/** What a hook reaches, in words that hold no secret: no command line, no path or query of an address. */
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
