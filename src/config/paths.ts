/** Where files live. Follows XDG, so every folder can be moved by its variable. */

import { isAbsolute, join } from 'node:path'
import { normalPath } from '../fast/normal-path.ts'
import { within } from '../fast/within.ts'

export interface Paths {
  home: string
  /** Hooks, by scope. */
  managedHooks: string
  userHooks: string
  settings: string
  managedSettings: string
  /** The fleet's policy in force on this machine; empty unless it is enrolled: see src/fleet. */
  fleet: { folder: string; hooks: string; settings: string; shadow: string; guard: string }
  state: string
  cache: string
  /** Programs that agents' settings name. */
  data: string
  runtime: string
}

/** Cached for the last environment: one call asks many times, almost always with the same one. */
export function paths(env: NodeJS.ProcessEnv): Paths {
  const key = VARIABLES.map((name) => env[name] ?? '\0').join('\n')
  if (last?.key !== key) last = { key, paths: derive(env) }
  return last.paths
}

let last: { key: string; paths: Paths } | undefined

/** Every variable that `derive` reads. */
const VARIABLES = [
  ...['HOME', 'CROSSHOOK_MANAGED_DIR', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'],
  ...['XDG_DATA_HOME', 'XDG_RUNTIME_DIR'],
]

function derive(env: NodeJS.ProcessEnv): Paths {
  const home = env.HOME || process.getBuiltinModule('node:os').homedir()
  const config = normalPath(folder(env.XDG_CONFIG_HOME, within(home, '.config')))
  const state = within(normalPath(folder(env.XDG_STATE_HOME, within(home, '.local/state'))), 'crosshook')
  const managed = env.CROSSHOOK_MANAGED_DIR || '/etc/agents'
  const fleet = within(state, 'fleet')
  return {
    home,
    // CROSSHOOK_MANAGED_DIR is the folder of managed hooks itself, like /etc/agents/hooks.
    managedHooks: env.CROSSHOOK_MANAGED_DIR ? managed : within(managed, 'hooks'),
    managedSettings: env.CROSSHOOK_MANAGED_DIR
      ? join(managed, 'crosshook.toml')
      : '/etc/crosshook/config.toml',
    fleet: {
      folder: fleet,
      hooks: within(fleet, 'current/hooks'),
      settings: within(fleet, 'current/crosshook.toml'),
      shadow: within(fleet, 'shadow/hooks'),
      guard: within(fleet, 'guard'),
    },
    userHooks: within(config, 'agents/hooks'),
    settings: within(config, 'crosshook/config.toml'),
    state,
    cache: within(normalPath(folder(env.XDG_CACHE_HOME, within(home, '.cache'))), 'crosshook'),
    data: within(normalPath(folder(env.XDG_DATA_HOME, within(home, '.local/share'))), 'crosshook'),
    runtime:
      env.XDG_RUNTIME_DIR && isAbsolute(env.XDG_RUNTIME_DIR) ? join(env.XDG_RUNTIME_DIR, 'crosshook') : state,
  }
}

/** In order of increasing precedence. */
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
