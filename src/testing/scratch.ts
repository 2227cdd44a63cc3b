/** A place where a hook can be tried: a work folder and a state folder that are gone afterwards. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inside } from '../cases/fill.ts'
import { ownEnvironment } from '../host/environment.ts'

export interface Scratch {
  workDir: string
  /** For the runtime: nothing of the person's own settings, journal or cache is read or written. */
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
    // What a background hook still writes must not make the case fail.
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}
