/** Kilo's settings name the plugin file, which lies beside them. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Installer, Place, SettingsFile } from '../../spec/installer.ts'
import { append, lineOf, parseSettings, removeEach } from '../lib/json-settings.ts'
import { HEARD } from '../lib/output-plugin-events.ts'
import { outputPluginSource } from '../lib/output-plugin-source.ts'
import { record } from '../lib/payload.ts'
import { pluginFile } from '../lib/plugin-file.ts'

const NAMES = ['kilo.json', 'kilo.jsonc', 'opencode.json', 'opencode.jsonc']

export const installer: Installer = {
  detect: { programs: ['kilo'], folders: ['.config/kilo', '.kilo'] },
  files(place) {
    const folder = folderOf(place)
    const plugin = join(folder, 'crosshook.js')
    return [
      pluginFile({ path: plugin, events: HEARD, body: outputPluginSource({ answers: 'idle' }) }),
      settingsFile(settingsPath(folder), pathToFileURL(plugin).href),
    ]
  },
}

function folderOf({ home, project, env, level }: Place): string {
  return level === 'user'
    ? join(env.XDG_CONFIG_HOME || join(home, '.config'), 'kilo')
    : join(project, '.kilo')
}

/** The one that is there, or a new one. */
function settingsPath(folder: string): string {
  const name = NAMES.find((each) => existsSync(join(folder, each))) ?? NAMES[0]!
  return join(folder, name)
}

function settingsFile(path: string, url: string): SettingsFile {
  const remove = (text: string) =>
    removeEach(text, (root) => {
      const index = plugins(root).indexOf(url)
      return index < 0 ? undefined : ['plugin', index]
    })
  return {
    path,
    add: (text, _command) => append(text === undefined ? undefined : remove(text), ['plugin'], url),
    remove,
    find: (text) =>
      plugins(parseSettings(text)).map((plugin, index) => ({
        event: 'session.created',
        command: String(plugin),
        ours: plugin === url,
        line: lineOf(text, ['plugin', index]) ?? 1,
      })),
  }
}

function plugins(root: unknown): unknown[] {
  const { plugin } = record(root)
  return Array.isArray(plugin) ? plugin : []
}
