/** Hosts in arguments: URLs, `user@host:path`, `host:port`. */

export function hostOf(text: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@\s]*@)?(\[[^\]]+\]|[^/:?#\s]+)/i.exec(text)
  if (url) return url[1]!.toLowerCase()
  const remote = /^(?:[^@/\s]+@)?(\[[^\]]+\]|[A-Za-z0-9_.-]+)(?::|\/|$)/.exec(text)
  return remote ? remote[1]!.toLowerCase() : undefined
}

/** This machine, one of a local network by its name, or one that everybody gets packages from. */
export function isNearHost(host: string): boolean {
  return (
    !/[.:]/.test(host) ||
    /^(?:127\.|0\.0\.0\.0$|\[::1?\]$)|\.(?:local|localhost|internal|test|svc|lan)$/.test(host) ||
    /(?:^|\.)(?:pypi\.org|npmjs\.org|crates\.io|rubygems\.org|golang\.org|github\.com|githubusercontent\.com|gitlab\.com)$/.test(
      host,
    )
  )
}

/** Cloud metadata service: gives the keys of the machine's cloud account to anybody who asks. */
export function isMetadataHost(host: string): boolean {
  if (!/^[[\da-fx.:\]]+$|^metadata|^instance-data/i.test(host)) return false
  let name = host
  try {
    // 2852039166 and 0xa9fea9fe are addresses, too.
    name = new URL(`http://${host}/`).hostname
  } catch {
    // Not an address: compared as written.
  }
  return METADATA.has(name)
}

const METADATA: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '[fd00:ec2::254]',
  '[fd00:ec2::23]',
  '[::ffff:a9fe:a9fe]',
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  'instance-data',
])

/** `file:///etc/passwd` is a path of this machine. */
export function localPath(text: string): string | undefined {
  const found = /^file:\/\/(?:localhost)?(\/.*|[^/].*)$/i.exec(text)
  if (!found) return undefined
  try {
    return decodeURIComponent(found[1]!)
  } catch {
    // Not a valid escape: the text is used as written.
    return found[1]!
  }
}
