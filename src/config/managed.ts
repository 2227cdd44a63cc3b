/** Where a managed installation lies: places that only root can write, and one user who decides. See docs/managed.md. */

export const MANAGED = {
  /** Program, Node and the native helpers. */
  program: '/opt/crosshook',
  node: '/opt/crosshook/bin/node',
  main: '/opt/crosshook/dist/cli/main.cjs',
  relay: '/opt/crosshook/dist/relay/crosshook-relay',
  gate: '/opt/crosshook/dist/relay/crosshook-gate',
  /** Settings, and below `install` what agents' entries name and what was there before. */
  config: '/etc/crosshook',
  settings: '/etc/crosshook/config.toml',
  hooks: '/etc/agents/hooks',
  unit: '/etc/systemd/system/crosshook-managed.service',
  /** Journal, trust, compiled plans, keys: of the resident's user alone. */
  state: '/var/lib/crosshook',
  /** Sockets, and what hooks remember. */
  run: '/run/crosshook',
  socket: '/run/crosshook/engine.sock',
  memory: '/run/crosshook/memory',
  user: 'crosshook',
  /** The group of hooks' programs, which no process of a user has. */
  hooksGroup: 'crosshook-hooks',
} as const

/** All of the resident's environment, whoever starts it: nothing of a caller is in it. */
export const RESIDENT_ENV: Readonly<Record<string, string>> = {
  HOME: MANAGED.state,
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
  XDG_STATE_HOME: '/var/lib',
  XDG_CACHE_HOME: `${MANAGED.state}/cache`,
  XDG_DATA_HOME: `${MANAGED.state}/data`,
  // Nobody's: neither hooks nor settings are looked for beside the managed ones.
  XDG_CONFIG_HOME: `${MANAGED.config}/none`,
  XDG_RUNTIME_DIR: `${MANAGED.run}/resident`,
}
