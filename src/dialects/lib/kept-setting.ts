/** A settings file of the machine that, beside our entries, holds a setting which a user could change otherwise. */

import type { SettingsFile } from '../../spec/installer.ts'
import { parseSettings, setNew } from './json-settings.ts'
import { record } from './payload.ts'

export function withSetting(file: SettingsFile, path: readonly string[], value: boolean): SettingsFile {
  const isSet = (text: string) =>
    path.reduce<unknown>((at, name) => record(at)[name], parseSettings(text)) === value
  return {
    ...file,
    add(text, command) {
      const added = file.add(text, command)
      return isSet(added) ? added : setNew(added, path, value)
    },
    problems: (text, place) => [
      ...(file.problems?.(text, place) ?? []),
      ...(isSet(text ?? '')
        ? []
        : [
            {
              level: 'error' as const,
              message: `"${path.join('.')}" is not ${value}, so that a user can switch hooks off.`,
              fix: `Set it to ${value}.`,
            },
          ]),
    ],
  }
}
