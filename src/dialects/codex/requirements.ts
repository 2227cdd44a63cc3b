/** Codex's requirements.toml: settings of an administrator that a user's config.toml cannot change. Used to keep hooks on. */

import type { SettingsFile } from '../../spec/installer.ts'
import { record } from '../lib/payload.ts'
import { parseTomlSettings } from '../lib/toml-settings.ts'

const OURS = 'hooks = true # crosshook'
const TABLE = '[features]'
const BLOCK = `${TABLE}\n${OURS}\n`

export function requirementsFile(path: string): SettingsFile {
  return {
    path,
    add: (text = '') => (isOn(text) ? text : added(text)),
    remove: (text) => {
      const rest = text.replace(`\n${BLOCK}`, '').replace(BLOCK, '').replace(`${OURS}\n`, '')
      return rest === '' && text !== '' ? undefined : rest
    },
    find: () => [],
    problems: (text) =>
      isOn(text ?? '')
        ? []
        : [
            {
              level: 'error',
              message: 'hooks are not required here, so that a user can switch them off in config.toml.',
              fix: `Write \`hooks = true\` below ${TABLE}.`,
            },
          ],
  }
}

function isOn(text: string): boolean {
  return record(record(parseTomlSettings(text)).features).hooks === true
}

function added(text: string): string {
  const table = /^\[features\][^\n]*\n/m.exec(text)
  if (!table) return text === '' ? BLOCK : `${text.replace(/\n*$/, '\n')}\n${BLOCK}`
  const end = table.index + table[0].length
  return `${text.slice(0, end)}${OURS}\n${text.slice(end)}`
}
