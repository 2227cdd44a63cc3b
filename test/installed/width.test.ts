/** What commands print fits a terminal of 80 and of 50 columns: lines are broken between words, by crosshook and not by the terminal. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makePlace, runCommand } from '../session-file.ts'
import { openTerminal } from '../terminal.ts'

const COMMANDS = [
  'crosshook help',
  'crosshook help install',
  'crosshook help tools',
  'crosshook list',
  'crosshook validate',
  'crosshook check "cd app && sudo git push --force origin main"',
  'crosshook check --why "rm -rf ~"',
  'crosshook explain before_tool --tool Shell --input \'{"command": "git push --force"}\'',
  'crosshook install --yes',
  'crosshook status',
  'crosshook doctor',
  'crosshook log',
  'crosshook log 1',
  'crosshook approvals list',
  'crosshook dead-letter',
  'crosshook stats',
  'crosshook gallery',
  'crosshook agents',
  'crosshook install no-such-agent',
]

describe.skipIf(spawnSync('tmux', ['-V']).error !== undefined)('lines in a terminal', () => {
  it.each([80, 50])(
    'of %i columns are broken between words',
    async (columns) => {
      const place = makePlace()
      onTestFinished(place.remove)
      mkdirSync(join(place.home, '.claude'))
      writeFileSync(join(place.home, '.claude/settings.json'), '{}\n')
      const run = (line: string) => runCommand({ line, stdout: [], stderr: [], exit: 0, at: 0 }, place)
      await run('crosshook add guards --yes')
      await run(
        `crosshook fire before_tool --tool Shell --input '{"command": "git push --force origin main"}'`,
      )
      const terminal = await openTerminal({ cwd: place.project, env: place.env, columns })
      try {
        const long: string[] = []
        for (const command of COMMANDS)
          for (const line of (await terminal.type(command)).split('\n').slice(1))
            if (isTooLong(line, columns)) long.push(`${command}: ${line}`)
        expect(long).toEqual([])
      } finally {
        await terminal.close()
      }
    },
    300_000,
  )
})

/** A path or a name that is longer than the terminal is wide cannot be broken. */
function isTooLong(line: string, columns: number): boolean {
  if ([...line].length <= columns) return false
  const indent = /^\s*/.exec(line)![0].length
  return !line.split(/\s+/).some((word) => [...word].length + indent > columns)
}
