/** Plugins of ours as their agents load them, with a small program in the place of crosshook. For tests. */

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SettingsFile } from '../../spec/installer.ts'

export interface PluginBench {
  /** The module of the plugin. */
  load(): Promise<Record<string, unknown>>
  /** What crosshook answers to an event: a reply, or a line of shell. */
  answers(event: string, reply: object | string): void
  /** What crosshook was told. */
  heard(): { event: string; payload: Record<string, unknown> }[]
  /** crosshook is not on the machine any more. */
  uninstall(): void
  close(): void
}

export function pluginBench(file: SettingsFile, agent: string): PluginBench {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-plugin-'))
  const program = join(folder, 'crosshook')
  const log = join(folder, 'log')
  writeFileSync(log, '')
  // Told in one write, since several calls may be under way.
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s\\n' "{\\"event\\":\\"$3\\",\\"payload\\":$(cat)}" >> '${log}'\nif [ -f '${folder}'/"$3" ]; then . '${folder}'/"$3"; else echo '{}'; fi\nexit 0\n`,
  )
  chmodSync(program, 0o755)
  const argv = (event: string) => [program, 'hook', agent, event]
  const text = file.add(undefined, { argv, line: (event) => argv(event).join(' ') })
  const module = join(folder, 'plugin.mjs')
  writeFileSync(module, text)
  return {
    load: () => import(pathToFileURL(module).href),
    answers(event, reply) {
      const line = typeof reply === 'string' ? reply : `printf '%s' '${JSON.stringify(reply)}'`
      writeFileSync(join(folder, event), `${line}\n`)
    },
    heard: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    uninstall: () => rmSync(program),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
