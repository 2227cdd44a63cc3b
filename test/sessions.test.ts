/** The command line as people use it: every session file, and every console block of the documents. */

import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  hasProgram,
  makePlace,
  mismatch,
  readSession,
  runCommand,
  type Step,
  writeStep,
} from './session-file.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const EMPTY = { stdout: [], stderr: [], exit: 0, at: 0 }

describe.concurrent('sessions', () => {
  for (const file of globSync('test/sessions/*.session', { cwd: root }).sort()) {
    const text = readFileSync(join(root, file), 'utf8')
    const needs = /^# needs: (\S+)$/m.exec(text)?.[1]
    it.skipIf(needs !== undefined && !hasProgram(needs))(
      `${basename(file, '.session')}: ${/^# (.*)/.exec(text)?.[1]}`,
      () => play(readSession(text), file),
    )
  }
})

describe.concurrent('documents', () => {
  for (const file of ['docs/cli.md', 'docs/cases.md', 'docs/install.md', 'docs/packs.md', 'docs/replay.md'])
    it(`${file}: every command does what the page shows`, () =>
      play(stepsOf(readFileSync(join(root, file), 'utf8')), file))
  it('docs/daemon.md: every command does what the page shows', () =>
    play(stepsOf(readFileSync(join(root, 'docs/daemon.md'), 'utf8')), 'docs/daemon.md', true))
})

async function play(steps: readonly Step[], file: string, mayStartDaemon = false): Promise<void> {
  const place = makePlace()
  if (mayStartDaemon) delete place.env.CROSSHOOK_NO_DAEMON
  try {
    for (const step of steps) {
      if ('file' in step) {
        writeStep(step, place)
        continue
      }
      const got = await runCommand(step, place)
      const wrong = [
        got.exit === step.exit ? null : `exit: expected ${step.exit}, got ${got.exit}`,
        mismatch(step.stdout, got.stdout),
        mismatch(step.stderr, got.stderr)?.replace(/^/gm, 'stderr '),
      ].filter(Boolean)
      if (wrong.length > 0)
        expect.fail(
          `${file}:${step.at}: $ ${step.line}\n${wrong.join('\n')}\n--- stdout\n${got.stdout.join('\n')}\n--- stderr\n${got.stderr.join('\n')}\n--- exit ${got.exit}`,
        )
    }
  } finally {
    if (mayStartDaemon) await runCommand({ ...EMPTY, line: 'crosshook daemon stop' }, place)
    place.remove()
  }
}

/** A `console` block is a piece of the page's session; a block below `<!-- file: PATH -->` is that file. */
function stepsOf(page: string): Step[] {
  const steps: Step[] = []
  const blocks = page.matchAll(/(?:<!-- file: (\S+)( \(executable\))? -->\n+)?^```(\S*)\n(.*?)^```$/gms)
  for (const { 0: whole, 1: path, 2: executable, 3: language, 4: text, index } of blocks) {
    const line =
      page.slice(0, index).split('\n').length + whole.slice(0, whole.indexOf('```')).split('\n').length
    if (path !== undefined) steps.push({ file: path, executable: executable !== undefined, text: text! })
    else if (language === 'console') steps.push(...readSession(text!, line))
  }
  return steps
}
