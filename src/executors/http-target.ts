/** Which addresses an HTTP hook may reach. Loaded by validation too, so it imports only `node:net`. */

import { isIP } from 'node:net'

/** Why this URL may not be called, or null. Never repeats the URL: it may hold secrets. */
export function validateTarget(url: string, allowedHosts: readonly string[] = []): string | null {
  const target = URL.parse(url)
  if (!target) return 'the URL of an HTTP hook cannot be read: write it as https://host/path, without a zone'
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    return 'the URL of an HTTP hook must start with http:// or https://'
  if (target.username || target.password)
    return 'the URL of an HTTP hook must not hold a user name or password: send them as a header'
  const host = hostOf(target)
  if (!host) return 'the URL of an HTTP hook needs a host'
  if (isAllowedHost(target, allowedHosts)) return null
  if (host === 'localhost' || host.endsWith('.localhost'))
    return `HTTP hooks may not call localhost: ${HOW_TO_ALLOW}`
  if (isIP(host) && !isGlobalAddress(host))
    return `HTTP hooks may not call private or local addresses: ${HOW_TO_ALLOW}`
  return null
}

export const HOW_TO_ALLOW = 'use a public address, or add this host and port to allowed_hosts in the settings'

/** The part of a URL that may be shown: scheme, host and port. */
export function originOf(url: string): string {
  const target = URL.parse(url)
  return target && target.origin !== 'null' ? target.origin : 'a URL that cannot be read'
}

/** The host in one spelling: lower case, no brackets, no trailing dot, numbers as a dotted address. */
export function hostOf(target: URL): string {
  const bare = target.hostname.replace(/^\[|\]$/g, '')
  if (!bare.endsWith('.')) return bare
  const stripped = bare.replace(/\.+$/, '')
  // A second dot hides a number from the URL parser, so parse it again without the dots.
  return URL.parse(`http://${stripped}/`)?.hostname ?? stripped
}

/** Was exactly this host, or this host and port, allowed in the settings? */
export function isAllowedHost(target: URL, allowedHosts: readonly string[]): boolean {
  const host = hostOf(target)
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  return allowedHosts.some((entry) => {
    const parts = /^(.*?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry)!
    const named = URL.parse(`http://${parts[1]}/`)
    return named !== null && hostOf(named) === host && (parts[2] === undefined || parts[2] === port)
  })
}

/** Can this literal address be a public server? False when it cannot be parsed. */
export function isGlobalAddress(address: string): boolean {
  const bytes = addressBytes(address)
  if (!bytes) return false
  if (bytes.length === 4) return !isIn(NOT_GLOBAL_V4, bytes)
  if (isIn(MAPPED, bytes)) return isGlobalAddress(bytes.slice(12).join('.'))
  return isIn(UNICAST_V6, bytes) && !isIn(NOT_GLOBAL_V6, bytes)
}

/** Are these two spellings of one address? A mapped one equals the IPv4 address in it. */
export function isSameAddress(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => {
    const bytes = addressBytes(text)
    return bytes?.length === 16 && isIn(MAPPED.slice(0, 1), bytes) ? bytes.slice(12) : bytes
  })
  return left !== undefined && right !== undefined && left.join() === right.join()
}

const NOT_GLOBAL_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

/** IPv4-mapped (::ffff:a.b.c.d) and IPv4-compatible (::a.b.c.d) reach the IPv4 address in them. */
const MAPPED = ['::ffff:0:0/96', '::/96']

/** The only IPv6 space assigned for unicast: loopback, NAT64, local, site and multicast ranges lie outside. */
const UNICAST_V6 = ['2000::/3']

const NOT_GLOBAL_V6 = [
  '2001::/32', // Teredo
  '2001:2::/48', // benchmarks
  '2001:10::/28', // ORCHID
  '2001:20::/28', // ORCHIDv2
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
]

/** Ranges are read here, and not when the file is loaded, which most commands do in vain. */
function isIn(ranges: readonly string[], address: readonly number[]): boolean {
  return ranges.some((text) => {
    const [network, bits] = text.split('/') as [string, string]
    return addressBytes(network)!.every((byte, index) => {
      const free = Math.min(8, Math.max(0, (index + 1) * 8 - Number(bits)))
      return byte >> free === address[index]! >> free
    })
  })
}

function addressBytes(address: string): number[] | undefined {
  if (address.includes('%')) return undefined
  const family = isIP(address)
  if (family === 4) return address.split('.').map(Number)
  if (family !== 6) return undefined
  // The URL parser writes a dotted tail as two groups and shortens at most once.
  const [head, tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::') as [string, string?]
  const first = head ? head.split(':') : []
  const last = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array<string>(8 - first.length - last.length).fill('0')
  return [...first, ...zeros, ...last].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
}
