/** Where things live. XDG, so every one can be moved by its variable. */

import { isAbsolute, join } from 'node:path'

export interface Paths {
  home: string
  /** Hooks, by scope. */
  managedHooks: string
  userHooks: string
  settings: string
  managedSettings: string
  /** Of the fleet's policy that is in force here; nothing unless this machine is enrolled: see src/fleet. */
  fleet: { folder: string; hooks: string; settings: string; shadow: string; guard: string }
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
    fleet: {
      folder: join(state, 'fleet'),
      hooks: join(state, 'fleet', 'current', 'hooks'),
      settings: join(state, 'fleet', 'current', 'crosshook.toml'),
      shadow: join(state, 'fleet', 'shadow', 'hooks'),
      guard: join(state, 'fleet', 'guard'),
    },
    userHooks: join(config, 'agents', 'hooks'),
    settings: join(config, 'crosshook', 'config.toml'),
    state,
    cache: join(folder(env.XDG_CACHE_HOME, join(home, '.cache')), 'crosshook'),
    data: join(folder(env.XDG_DATA_HOME, join(home, '.local', 'share')), 'crosshook'),
    runtime:
      env.XDG_RUNTIME_DIR && isAbsolute(env.XDG_RUNTIME_DIR) ? join(env.XDG_RUNTIME_DIR, 'crosshook') : state,
  }
}

/** The later ones count more. */
export function settingsFiles({ settings, managedSettings, fleet }: Paths): string[] {
  return [settings, managedSettings, fleet.settings]
}

export function projectHooks(workDir: string): string {
  return join(workDir, '.agents', 'hooks')
}

/** The XDG specification: a relative path in its variables is to be ignored. */
function folder(value: string | undefined, fallback: string): string {
  return value && isAbsolute(value) ? value : fallback
}
