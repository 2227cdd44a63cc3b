/** Refuses requests from web pages: by origin, and by host names that were rebound to this machine. */

import { hostOf, isLoopback } from './address.ts'

export interface Asked {
  /** The host that the caller addressed. */
  host: string | undefined
  origin: string | undefined
  site?: string | undefined
  /** The host that the daemon listens on. */
  bound: string
}

/** Why the request is refused; undefined when it is not. */
export function refusedOrigin({ host, origin, site, bound }: Asked): string | undefined {
  if (host === undefined || host === '') return 'the request does not say which host it is for'
  if (!URL.canParse(`http://${host}`)) return `the request is for "${host}", which is no host`
  const name = hostOf(host)
  const isOurs = isLoopback(name) || name.toLowerCase() === bound.toLowerCase() || isAny(bound)
  if (!isOurs) return `the request is for the host "${name}", which is not this daemon`
  if (site === 'cross-site' || site === 'same-site')
    return 'a web page of another origin may not call the daemon'
  if (origin === undefined) return undefined
  const from = URL.parse(origin)
  return from && from.host === host ? undefined : 'a web page of another origin may not call the daemon'
}

/** Listens on all addresses by configuration: any name may be ours. */
function isAny(bound: string): boolean {
  return bound === '0.0.0.0' || bound === '::'
}
