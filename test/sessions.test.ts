/** The command line as people use it: every session file, and every console block of the documents. */

import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { blocksIn, documents } from './documents.ts'
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
      () => play(readSession(text), file, { isFresh: /^# fresh home$/m.test(text) }),
    )
  }
})

/** Pages whose commands may start a daemon. */
const WITH_DAEMON = ['docs/daemon.md']

describe.concurrent('documents', () => {
  const pages = documents().filter((file) => file.startsWith('docs/'))
  for (const file of pages.filter((page) => blocksIn(page).some(({ language }) => language === 'console')))
    it(`${file}: every command does what the page shows`, () =>
      play(stepsOf(file), file, { mayStartDaemon: WITH_DAEMON.includes(file) }))
})

async function play(
  steps: readonly Step[],
  file: string,
  { mayStartDaemon = false, isFresh = false },
): Promise<void> {
  const place = makePlace({ isFresh })
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
  return blocksIn(page).flatMap(({ comment, language, text, line }): Step[] => {
    const [, file, executable] = /^file: (\S+)( \(executable\))?$/.exec(comment ?? '') ?? []
    if (file !== undefined) return [{ file, executable: executable !== undefined, text }]
    return language === 'console' ? readSession(text, line + 1) : []
  })
}
