/** A hook file of ours in Kiro's folder of hooks. */

import { join } from 'node:path'
import type { CommandLine, Entry, Installer } from '../../spec/installer.ts'
import { isOurCommand } from '../lib/command-marker.ts'
import { wanted } from '../lib/entry-events.ts'
import { append, lineOf, parseSettings, removeEach, setNew } from '../lib/json-settings.ts'
import { record, string } from '../lib/payload.ts'
import { INSTALLED } from './capabilities.ts'
import { ID } from './events.ts'

/** Long, so that the time limits of the engine apply first. */
const TIMEOUT_SECONDS = 600

export const installer: Installer = {
  detect: { programs: ['kiro'], folders: ['.kiro/hooks'] },
  files: ({ home, project, env, level }) => [
    {
      path: join(
        level === 'user' ? env.KIRO_HOME || join(home, '.kiro') : join(project, '.kiro'),
        'hooks',
        'crosshook.json',
      ),
      add,
      remove,
      find,
    },
  ],
}

const FRESH = setNew(undefined, ['version'], 'v1')

function add(text: string | undefined, command: CommandLine): string {
  const clean = text === undefined ? undefined : remove(text)
  return wanted(INSTALLED, command).reduce(
    (edited, trigger) =>
      append(edited, ['hooks'], {
        name: `crosshook-${trigger}`,
        trigger,
        action: { type: 'command', command: command.line(trigger) },
        timeout: TIMEOUT_SECONDS,
        enabled: true,
      }),
    clean ?? FRESH,
  )
}

function remove(text: string): string | undefined {
  const rest = removeEach(text, (root) => {
    const index = hooksOf(root).findIndex(isOurs)
    return index < 0 ? undefined : ['hooks', index]
  })
  return rest === FRESH && rest !== text ? undefined : rest
}

function find(text: string): Entry[] {
  return hooksOf(parseSettings(text)).map((hook, index) => {
    const matcher = string(hook.matcher)
    return {
      event: string(hook.trigger) ?? '',
      command: commandOf(hook),
      ours: isOurs(hook),
      ...(matcher === undefined ? {} : { matcher }),
      line: lineOf(text, ['hooks', index]) ?? 1,
    }
  })
}

function hooksOf(root: unknown): Record<string, unknown>[] {
  const { hooks } = record(root)
  return Array.isArray(hooks) ? hooks.map(record) : []
}

function commandOf(hook: Record<string, unknown>): string {
  const { command, prompt } = record(hook.action)
  return string(command) ?? string(prompt) ?? ''
}

function isOurs(hook: Record<string, unknown>): boolean {
  return isOurCommand(commandOf(hook), ID)
}
