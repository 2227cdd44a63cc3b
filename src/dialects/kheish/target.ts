/** Checks the text of an HTTP target. Addresses and host names are checked elsewhere, for all formats. */

import { sha256Hex } from '../../fast/digest.ts'

/** What is wrong with a URL as written, or undefined. */
export function structuralProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'url is not a valid URL'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'url must use http or https'
  if (url.username !== '' || url.password !== '') return 'url must not include userinfo'
  if (url.hostname === '') return 'url requires a concrete host'
  if (url.hostname.includes('%')) return 'url must not include an IPv6 zone identifier'
  return undefined
}

/** `https://host:port` and nothing that could be a secret. */
export function safeTarget(text: string): string {
  if (!URL.canParse(text)) return `invalid_url_sha256:${sha256Hex(text).slice(0, 16)}`
  const url = new URL(text)
  return `${url.protocol}//${url.host}`
}
