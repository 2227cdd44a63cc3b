/** A scratch place for trying a hook: a work folder and a state folder that are removed afterwards. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inside } from '../cases/fill.ts'
import { ownEnvironment } from '../host/environment.ts'

export interface Scratch {
  workDir: string
  /** For the runtime: the person's own settings, journal and cache are neither read nor written. */
  env: NodeJS.ProcessEnv
  remove(): void
}

export function makeScratch(files: Readonly<Record<string, string>> = {}): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'crosshook-test-')))
  const workDir = join(root, 'work')
  mkdirSync(workDir)
  for (const [path, text] of Object.entries(files)) {
    const file = inside(workDir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return {
    workDir,
    env: {
      ...ownEnvironment(),
      XDG_CONFIG_HOME: join(root, 'config'),
      XDG_STATE_HOME: join(root, 'state'),
      XDG_CACHE_HOME: join(root, 'cache'),
      CROSSHOOK_MANAGED_DIR: join(root, 'managed'),
    },
    // Files that a background hook still writes must not make the case fail.
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}
