/** Settings for hooks that programs register, from the file beside `config.toml`. */

import { dirname, join } from 'node:path'
import {
  DEFAULT_SETTINGS,
  readSettings,
  SETTINGS_FILE,
  type Settings,
} from '../dialects/registry-programs.ts'
import { messageOf } from '../spec/errors.ts'
import type { Problem } from '../spec/hook.ts'
import { readText } from '../spec/read-file.ts'
import type { Paths } from './paths.ts'

export interface RegisteredSettings {
  settings: Settings
  problems: Problem[]
}

export function registeredSettingsFile({ settings }: Pick<Paths, 'settings'>): string {
  return join(dirname(settings), SETTINGS_FILE)
}

/** A wrong value is reported, and its default is used. */
export function readRegisteredSettings(file: string): RegisteredSettings {
  let text: string
  try {
    text = readText(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { settings: DEFAULT_SETTINGS, problems: [] }
    const problem: Problem = {
      level: 'error',
      file,
      message: `it cannot be read: ${messageOf(error)}; the defaults apply`,
      fix: 'Make it a file that you may read, or remove it.',
    }
    return { settings: DEFAULT_SETTINGS, problems: [problem] }
  }
  const { settings, problems } = readSettings(text, file)
  return { settings, problems }
}
