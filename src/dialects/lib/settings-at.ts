/** Settings that another file holds, for `doctor`. */

import { CrosshookError } from '../../spec/errors.ts'
import { readText } from '../../spec/read-file.ts'
import { parseSettings } from './json-settings.ts'
import { record } from './payload.ts'

/** Empty when there is no such file, or when it says nothing that could be read. */
export function settingsAt(path: string): Record<string, unknown> {
  try {
    return record(parseSettings(readText(path)))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A broken file is reported by whoever writes to it.
    if (error instanceof CrosshookError || code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR')
      return {}
    throw error
  }
}
