/** The policy on macOS: a profile in the language of its sandbox, for /usr/bin/sandbox-exec. */

import type { Policy } from './policy.ts'

export const SANDBOX_EXEC = '/usr/bin/sandbox-exec'

export function seatbeltProfile({ read, write, hide, network, sockets }: Policy): string {
  const paths = (list: readonly string[]) => list.map((path) => `(subpath ${quoted(path)})`).join(' ')
  const rules = [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read-metadata)',
    '(allow file-read* (literal "/") (literal "/dev/null") (literal "/dev/urandom") (literal "/dev/random") (literal "/dev/zero"))',
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))',
    '(allow mach-lookup (global-name "com.apple.system.logger") (global-name "com.apple.system.opendirectoryd.libinfo"))',
    ...(read.length > 0 ? [`(allow file-read* ${paths(read)})`] : []),
    ...(write.length > 0 ? [`(allow file-read* file-write* ${paths(write)})`] : []),
    // Later rules win.
    ...(hide.length > 0 ? [`(deny file-read* file-write* ${paths(hide)})`] : []),
    ...(network
      ? [
          '(allow network-outbound (remote ip))',
          '(allow network-inbound (local ip))',
          '(allow system-socket)',
        ]
      : []),
    ...sockets.map((path) => `(allow network-outbound (literal ${quoted(path)}))`),
  ]
  return `${rules.join('\n')}\n`
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`
}
