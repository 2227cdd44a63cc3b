/** Ways in which Grok Build runs no hook of a person. Loaded only while installing and by `doctor`. */

import { join } from 'node:path'
import { parse } from 'smol-toml'
import type { EntryProblem } from '../../spec/installer.ts'
import { readText } from '../../spec/read-file.ts'
import { record } from '../lib/payload.ts'

const POLICIES = ['requirements.toml', 'managed_config.toml']

/** By a policy of the organisation, which no user's file can override; or because the user switched our hooks off. */
export function switchedOff(folder: string, system = '/etc/grok'): EntryProblem[] {
  const files = [folder, system].flatMap((place) => POLICIES.map((name) => join(place, name)))
  const policies = files
    .filter((file) => {
      const { allow_managed_hooks_only: snake, allowManagedHooksOnly: camel } = settingsAt(file)
      // Grok Build treats any value that is not a boolean as true.
      return [snake, camel].some((value) => value !== undefined && value !== false)
    })
    .map(
      (file): EntryProblem => ({
        level: 'error',
        message: `${file} lets only hooks of the organisation run ("allow_managed_hooks_only").`,
        fix: `Ask the one who put it there to add crosshook's entries to ${system}/requirements.toml.`,
      }),
    )
  const disabled = textAt(join(folder, 'disabled-hooks'))
    .split('\n')
    .filter((line) => line.includes('crosshook'))
  if (disabled.length > 0)
    policies.push({
      level: 'error',
      message: `${join(folder, 'disabled-hooks')} switches entries of crosshook off: ${disabled.join(', ')}.`,
      fix: 'Switch them on again in the tab Hooks of /hooks, or take these lines out.',
    })
  return policies
}

function settingsAt(file: string): Record<string, unknown> {
  try {
    return record(parse(textAt(file)))
  } catch {
    return {} // a file that is not TOML has no effect
  }
}

function textAt(file: string): string {
  try {
    return readText(file)
  } catch {
    return ''
  }
}
