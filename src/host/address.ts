/** `HOST:PORT` as people write it, and who can reach it. */

import { BlockList, isIP } from 'node:net'
import { CrosshookError } from '../spec/errors.ts'

export interface Address {
  host: string
  port: number
}

export function parseAddress(text: string, option: string): Address {
  const found = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text.trim())
  const port = Number(found?.[3])
  if (!found || port > 65_535)
    throw new CrosshookError('usage', `${option} ${text}: this is not HOST:PORT`, {
      fix: 'Write it as 127.0.0.1:8787; port 0 takes a free one.',
    })
  return { host: found[1] ?? (found[2] || '127.0.0.1'), port }
}

export function formatAddress({ host, port }: Address): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** True when only programs on this machine can reach it. */
export function isLoopback(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  const kind = isIP(name)
  return kind !== 0 && LOOPBACK.check(name, kind === 4 ? 'ipv4' : 'ipv6')
}

/** The host of a `Host` header or an authority, without its port. */
export function hostOf(authority: string): string {
  return /^(\[[^\]]*\]|[^:]*)/.exec(authority)?.[1] ?? ''
}
