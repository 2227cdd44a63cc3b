/** A place where a hook can be tried: a work folder and a state folder that are gone afterwards. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { ownEnvironment } from '../host/environment.ts'
import { isObject } from '../pipeline/decode/event.ts'
import { CrosshookError } from '../spec/errors.ts'

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

export function inside(folder: string, path: string): string {
  const file = resolve(folder, path)
  if (file.startsWith(folder + sep)) return file
  throw new CrosshookError('bad_input', `${path} is not inside the work folder`, {
    fix: 'Files of a case are named relative to its work folder.',
  })
}

/** `{work_dir}` and `{hook_dir}` in every text of a case. */
export function fill<T>(value: T, names: Readonly<Record<string, string>>): T {
  if (typeof value === 'string')
    return value.replace(/\{(work_dir|hook_dir)\}/g, (whole, name: string) => names[name] ?? whole) as T
  if (Array.isArray(value)) return value.map((item) => fill(item, names)) as T
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, names)])) as T
}
