/** Gives hooks of packs their settings from config.toml, checked against what the pack declares. */

import { join } from 'node:path'
import type { Hook, Problem } from '../spec/hook.ts'
import { didYouMean } from '../spec/nearest.ts'
import { readText } from '../spec/read-file.ts'
import { type SettingRows, settingsOf } from './pack-settings.ts'
import type { Settings } from './settings.ts'

/** The variable that holds a pack hook's settings as JSON. */
export const SETTINGS_VARIABLE = 'AGENT_HOOK_SETTINGS'

interface Locked {
  hooks?: Record<string, { pack?: string }>
  packs?: Record<string, { settings?: SettingRows }>
}

/** `bases` are folders of hooks with a lock file. Defaults apply only to the person's own hooks: see below. */
export function applyPackSettings(
  hooks: readonly Hook[],
  bases: readonly { path: string; scope: 'user' | 'project' }[],
  { settings, file }: { settings: Settings; file: string },
): Problem[] {
  const problems: Problem[] = []
  const known = new Set<string>()
  for (const { path, scope } of bases) {
    const lock = readLock(join(path, 'hooks.lock.json'))
    for (const [pack, { settings: rows = {} }] of Object.entries(lock.packs ?? {})) {
      known.add(pack)
      const given = settings.packs[pack] ?? {}
      // A project's lock file is not covered by trust, so its defaults must not reach a trusted hook.
      const found = settingsOf(scope === 'user' ? rows : withoutDefaults(rows), given)
      for (const { setting, message, fix } of found.problems)
        problems.push({
          level: 'error',
          file,
          field: `packs."${pack}".${setting}`,
          message: `${pack}, ${setting}: ${message}`,
          fix,
        })
      if (Object.keys(found.values).length === 0) continue
      for (const hook of hooks)
        if (
          hook.scope === scope &&
          hook.origin.dir?.startsWith(`${path}/`) &&
          lock.hooks?.[hook.name]?.pack === pack
        )
          hook.env = { ...hook.env, [SETTINGS_VARIABLE]: JSON.stringify(found.values) }
    }
  }
  for (const pack of Object.keys(settings.packs))
    if (!known.has(pack))
      problems.push({
        level: 'warning',
        file,
        field: `packs."${pack}"`,
        message: `there are settings for ${pack}, but no such pack is installed.${didYouMean(pack, known)}`,
        fix: 'Correct its name, or remove the settings.',
      })
  return problems
}

function withoutDefaults(rows: SettingRows): SettingRows {
  return Object.fromEntries(
    Object.entries(rows).map(([name, { default: _, required: __, ...row }]) => [name, row]),
  )
}

/** Problems of the lock file are reported by the code that uses the rest of it. */
function readLock(file: string): Locked {
  try {
    const found = JSON.parse(readText(file)) as Locked | null
    return typeof found === 'object' && found !== null ? found : {}
  } catch {
    return {} // no lock file, or a damaged one, which `doctor` reports
  }
}
