/** pi's folder of extensions. */

import { join } from 'node:path'
import type { Installer } from '../../spec/installer.ts'
import { pluginFile } from '../lib/plugin-file.ts'
import { HEARD } from './events.ts'
import { EXTENSION } from './extension.ts'

export const installer: Installer = {
  detect: { programs: ['pi'], folders: ['.pi/agent'] },
  files: ({ home, project, env, level }) => [
    pluginFile({
      path:
        level === 'user'
          ? join(env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'extensions', 'crosshook.js')
          : join(project, '.pi', 'extensions', 'crosshook.js'),
      events: HEARD,
      body: EXTENSION,
    }),
  ],
}
