/** OpenCode's folder of plugins. */

import { join } from 'node:path'
import type { Installer } from '../../spec/installer.ts'
import { HEARD } from '../lib/output-plugin-events.ts'
import { outputPluginSource } from '../lib/output-plugin-source.ts'
import { pluginFile } from '../lib/plugin-file.ts'

export const installer: Installer = {
  detect: { programs: ['opencode'], folders: ['.config/opencode', '.opencode'] },
  portable: {},
  files: ({ home, project, env, level }) => [
    pluginFile({
      path:
        level === 'user'
          ? join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode', 'plugin', 'crosshook.js')
          : join(project, '.opencode', 'plugin', 'crosshook.js'),
      events: HEARD,
      body: outputPluginSource({ answers: 'disposed' }),
    }),
  ],
}
