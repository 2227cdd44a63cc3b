/** Our plugin in OpenClaw's folder of plugins, what it is found by, and the setting that loads it. */

import { join } from 'node:path'
import type { Installer, Place } from '../../spec/installer.ts'
import { pluginFile } from '../lib/plugin-file.ts'
import { pluginManifest } from '../lib/plugin-manifest.ts'
import { HEARD } from './events.ts'
import { PLUGIN } from './plugin.ts'
import { openclawSettings, PLUGIN_ID } from './settings.ts'

export const installer: Installer = {
  detect: { programs: ['openclaw'], folders: ['.openclaw'] },
  // Plugins of a project are switched off unless the person's own settings name them.
  files: (place) => (place.level === 'project' ? [] : filesOf(place)),
  activity: (place) => [join(stateFolder(place), 'agents')],
}

function stateFolder({ home, env }: Place): string {
  return env.OPENCLAW_STATE_DIR || join(home, '.openclaw')
}

function filesOf(place: Place) {
  const state = stateFolder(place)
  const folder = join(state, 'extensions', PLUGIN_ID)
  const event = 'before_tool_call'
  return [
    pluginFile({ path: join(folder, 'index.js'), events: HEARD, body: PLUGIN }),
    pluginManifest({
      path: join(folder, 'package.json'),
      members: {
        name: PLUGIN_ID,
        version: '1.0.0',
        private: true,
        type: 'module',
        openclaw: { extensions: ['./index.js'] },
      },
      event,
    }),
    pluginManifest({
      path: join(folder, 'openclaw.plugin.json'),
      members: {
        id: PLUGIN_ID,
        name: PLUGIN_ID,
        description: 'Hooks of every format, by crosshook.',
        activation: { onStartup: true },
        contracts: { agentToolResultMiddleware: ['openclaw'] },
        configSchema: { type: 'object', additionalProperties: false },
      },
      event,
    }),
    openclawSettings(place.env.OPENCLAW_CONFIG_PATH || join(state, 'openclaw.json')),
  ]
}
