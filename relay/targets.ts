/** The platforms that a relay is released for, each in an npm package of its own. */

export interface Target {
  /** As `process.platform` and `process.arch` say, and npm's `os` and `cpu`. */
  os: 'linux' | 'darwin' | 'win32'
  cpu: 'x64' | 'arm64'
  /** As zig says. */
  triple: string
}

/** A static program of musl runs on every Linux, so that these packages need no `libc`. */
export const TARGETS: readonly Target[] = [
  { os: 'linux', cpu: 'x64', triple: 'x86_64-linux-musl' },
  { os: 'linux', cpu: 'arm64', triple: 'aarch64-linux-musl' },
  { os: 'darwin', cpu: 'x64', triple: 'x86_64-macos.11.0' },
  { os: 'darwin', cpu: 'arm64', triple: 'aarch64-macos.11.0' },
  { os: 'win32', cpu: 'x64', triple: 'x86_64-windows-gnu' },
]

/** `relay-linux-x64`: the folder's name, and after `@crosshook/` the package's. */
export function packageOf({ os, cpu }: Pick<Target, 'os' | 'cpu'>): string {
  return `relay-${os}-${cpu}`
}

export function programOf(os: string): string {
  return os === 'win32' ? 'crosshook-relay.exe' : 'crosshook-relay'
}
