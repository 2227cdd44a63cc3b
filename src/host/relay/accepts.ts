/**
 * Which calls an engine answers: from a relay of its version, with its home and configuration, until it is outdated.
 */

import { realpathSync, type Stats, statSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { rememberWhileUnchanged } from '../../config/fingerprint.ts'
import { VERSION } from '../../version.ts'
import type { WarmRequest } from './protocol.ts'

/** Why this call is declined; `env` selects whose hooks the engine knows, unless it serves everybody. */
export function whyNot(
  { version }: WarmRequest,
  eventEnv: NodeJS.ProcessEnv,
  env: NodeJS.ProcessEnv | undefined,
): string | undefined {
  if (version !== VERSION) return `the engine is version ${VERSION}, the relay ${version}`
  if (env && !sameScope(eventEnv, env)) return 'the engine serves another home or configuration'
  if (eventEnv.CROSSHOOK_DEBUG === '1') return 'debug lines come from the cold path'
  return undefined
}

/** Variables that select hooks, trust and settings. An engine answers for one set of values. */
const SCOPE = [
  'HOME',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'CROSSHOOK_MANAGED_DIR',
  'CROSSHOOK_TRUST',
] as const

export function scopeOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(SCOPE.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}

function sameScope(a: NodeJS.ProcessEnv, b: NodeJS.ProcessEnv): boolean {
  for (let i = 0; i < SCOPE.length; i++) if (a[SCOPE[i]!] !== b[SCOPE[i]!]) return false
  return true
}

/** Was the program on disk replaced since this process started? `file` is what Node was started with. */
export function stampOf(file: string | undefined): () => boolean {
  if (file === undefined) return () => false
  const path = realpathSync(file)
  const known = statSync(path)
  // Replaced while this process started: either version may have been loaded.
  if (known.ctimeMs > performance.timeOrigin) return () => true
  return rememberWhileUnchanged(path, () => !isSame(path, known))
}

function isSame(path: string, known: Stats): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.ino === known.ino && found.size === known.size && found.ctimeMs === known.ctimeMs
  } catch {
    return false // no longer accessible
  }
}
