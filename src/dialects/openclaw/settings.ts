/** OpenClaw's openclaw.json: it loads our plugin only when this says so. */

import type { EntryProblem, SettingsFile } from '../../spec/installer.ts'
import { append, parseSettings, removeEach, setNew } from '../lib/json-settings.ts'
import { record } from '../lib/payload.ts'

export const PLUGIN_ID = 'crosshook'
const ENTRY = ['plugins', 'entries', PLUGIN_ID]
/** Without the second setting OpenClaw does not show prompts to plugins. */
const ALLOWED = { enabled: true, hooks: { allowConversationAccess: true } }

export function openclawSettings(path: string): SettingsFile {
  return {
    path,
    add(text) {
      const clean = text === undefined ? undefined : remove(text)
      const listed = clean !== undefined && allowList(clean).length > 0
      return setNew(listed ? append(clean, ['plugins', 'allow'], PLUGIN_ID) : clean, ENTRY, ALLOWED)
    },
    remove,
    find: (text) =>
      entryIn(text) === undefined
        ? []
        : [{ event: 'before_agent_run', command: ENTRY.join('.'), ours: true }],
    problems: (text) => (text === undefined || entryIn(text) === undefined ? [] : problemsOf(text)),
  }
}

function plugins(text: string): Record<string, unknown> {
  return record(record(parseSettings(text)).plugins)
}

function entryIn(text: string): unknown {
  return record(plugins(text).entries)[PLUGIN_ID]
}

/** If the list has any entry, OpenClaw loads only the plugins in it. */
function allowList(text: string): unknown[] {
  const { allow } = plugins(text)
  return Array.isArray(allow) ? allow : []
}

function remove(text: string): string | undefined {
  return removeEach(text, (root) => {
    const { entries, allow } = record(record(root).plugins)
    if (record(entries)[PLUGIN_ID] !== undefined) return ENTRY
    const at = Array.isArray(allow) ? allow.indexOf(PLUGIN_ID) : -1
    return at < 0 ? undefined : ['plugins', 'allow', at]
  })
}

/** What keeps our plugin from running. */
function problemsOf(text: string): EntryProblem[] {
  const { enabled, deny } = plugins(text)
  const allow = allowList(text)
  const entry = record(entryIn(text))
  const hooks = record(entry.hooks)
  const off: [boolean, string, string][] = [
    [enabled === false, '"plugins.enabled" is false', 'Set it to true.'],
    [
      Array.isArray(deny) && deny.includes(PLUGIN_ID),
      `"plugins.deny" names ${PLUGIN_ID}`,
      'Take it out of the list.',
    ],
    [
      allow.length > 0 && !allow.includes(PLUGIN_ID),
      `"plugins.allow" does not name ${PLUGIN_ID}`,
      'Add it to the list.',
    ],
    [entry.enabled === false, `"${ENTRY.join('.')}.enabled" is false`, 'Set it to true.'],
  ]
  const found: EntryProblem[] = off
    .filter(([is]) => is)
    .map(([, what, fix]) => ({ level: 'error', message: `${what}: OpenClaw asks no hook.`, fix }))
  if (hooks.allowConversationAccess !== true || hooks.allowPromptInjection === false)
    found.push({
      level: 'warning',
      message: `"${ENTRY.join('.')}.hooks" keeps prompts from crosshook: no prompt is judged, and the model is given no context with one.`,
      fix: 'Set allowConversationAccess to true there, and take allowPromptInjection out.',
    })
  return found
}
