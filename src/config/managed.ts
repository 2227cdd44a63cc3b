/** Paths of a managed installation: writable only by root, with one user who decides. See docs/managed.md. */

export const MANAGED = {
  /** Program, Node and the native helpers. */
  program: '/opt/crosshook',
  node: '/opt/crosshook/bin/node',
  main: '/opt/crosshook/dist/cli/main.cjs',
  relay: '/opt/crosshook/dist/relay/crosshook-relay',
  gate: '/opt/crosshook/dist/relay/crosshook-gate',
  /** Settings; below `install`, the files that agents' entries name and the originals of what was changed. */
  config: '/etc/crosshook',
  settings: '/etc/crosshook/config.toml',
  hooks: '/etc/agents/hooks',
  unit: '/etc/systemd/system/crosshook-managed.service',
  /** Journal, trust, compiled plans, keys: accessible only to the resident's user. */
  state: '/var/lib/crosshook',
  /** Sockets, and the memory of hooks. */
  run: '/run/crosshook',
  socket: '/run/crosshook/engine.sock',
  memory: '/run/crosshook/memory',
  user: 'crosshook',
  /** The group that hooks' programs run in; no process of a user has it. */
  hooksGroup: 'crosshook-hooks',
} as const

/** The resident's complete environment: nothing comes from the process that starts it. */
export const RESIDENT_ENV: Readonly<Record<string, string>> = {
  HOME: MANAGED.state,
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
  XDG_STATE_HOME: '/var/lib',
  XDG_CACHE_HOME: `${MANAGED.state}/cache`,
  XDG_DATA_HOME: `${MANAGED.state}/data`,
  // A folder that does not exist, so that only managed hooks and settings are read.
  XDG_CONFIG_HOME: `${MANAGED.config}/none`,
  XDG_RUNTIME_DIR: `${MANAGED.run}/resident`,
}
