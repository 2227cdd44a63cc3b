/** Where things live. XDG, so every one can be moved by its variable. */

import { isAbsolute, join } from 'node:path'

export interface Paths {
  home: string
  /** Hooks, by scope. */
  managedHooks: string
  userHooks: string
  settings: string
  managedSettings: string
  state: string
  cache: string
  /** Programs that agents' settings name. */
  data: string
  runtime: string
}

export function paths(env: NodeJS.ProcessEnv): Paths {
  const home = env.HOME || process.getBuiltinModule('node:os').homedir()
  const config = folder(env.XDG_CONFIG_HOME, join(home, '.config'))
  const state = join(folder(env.XDG_STATE_HOME, join(home, '.local', 'state')), 'crosshook')
  const managed = env.CROSSHOOK_MANAGED_DIR || '/etc/agents'
  return {
    home,
    // CROSSHOOK_MANAGED_DIR names the folder of managed hooks itself, as /etc/agents/hooks is.
    managedHooks: env.CROSSHOOK_MANAGED_DIR ? managed : join(managed, 'hooks'),
    managedSettings: env.CROSSHOOK_MANAGED_DIR
      ? join(managed, 'crosshook.toml')
      : '/etc/crosshook/config.toml',
    userHooks: join(config, 'agents', 'hooks'),
    settings: join(config, 'crosshook', 'config.toml'),
    state,
    cache: join(folder(env.XDG_CACHE_HOME, join(home, '.cache')), 'crosshook'),
    data: join(folder(env.XDG_DATA_HOME, join(home, '.local', 'share')), 'crosshook'),
    runtime:
      env.XDG_RUNTIME_DIR && isAbsolute(env.XDG_RUNTIME_DIR) ? join(env.XDG_RUNTIME_DIR, 'crosshook') : state,
  }
}

export function projectHooks(workDir: string): string {
  return join(workDir, '.agents', 'hooks')
}

/** The XDG specification: a relative path in its variables is to be ignored. */
function folder(value: string | undefined, fallback: string): string {
  return value && isAbsolute(value) ? value : fallback
}
