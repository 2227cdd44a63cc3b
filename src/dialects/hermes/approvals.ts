/** Hermes Agent runs a hook only when the person has approved it. crosshook records the approval only with consent. */

import { join } from 'node:path'
import type { CommandLine, SettingsFile } from '../../spec/installer.ts'
import { isOurCommand } from '../lib/command-marker.ts'
import { wanted } from '../lib/entry-events.ts'
import { append, parseSettings, removeEach } from '../lib/json-settings.ts'
import { isRecord, record, string } from '../lib/payload.ts'
import { ID } from './events.ts'
import { shellCommand } from './words.ts'

const CONSENT =
  'Hermes Agent asks about every new hook at the terminal, and skips it without a word where there is none. crosshook ' +
  'can record your agreement to its own entries; without it, start `hermes` in a terminal once and agree there.'

export function approvalsFile(folder: string, events: readonly string[]): SettingsFile {
  return {
    path: join(folder, 'shell-hooks-allowlist.json'),
    consent: CONSENT,
    add: (text, command) => add(text === undefined ? undefined : remove(text), command, events),
    remove,
    find: (text) =>
      approvals(parseSettings(text)).map((approval) => ({
        event: string(approval.event) ?? '',
        command: string(approval.command) ?? '',
        ours: isOurCommand(string(approval.command), ID),
      })),
  }
}

function add(text: string | undefined, command: CommandLine, events: readonly string[]): string {
  return wanted(events, command).reduce<string | undefined>(
    (edited, event) => append(edited, ['approvals'], { event, command: shellCommand(command.line(event)) }),
    text,
  )!
}

function remove(text: string): string | undefined {
  return removeEach(text, (root) => {
    const at = approvals(root).findIndex(({ command }) => isOurCommand(string(command), ID))
    return at < 0 ? undefined : ['approvals', at]
  })
}

function approvals(root: unknown): Record<string, unknown>[] {
  const list = record(root).approvals
  return Array.isArray(list) ? list.map((each) => (isRecord(each) ? each : {})) : []
}
