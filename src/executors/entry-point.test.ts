import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { commandExecutor } from './command.ts'
import { commandCall, temporaryFolder, writeProgram } from './command-testing.ts'
import { findEntryPoint, SETTLED_MS } from './entry-point.ts'

const PLAIN = 0o644

const fire = (folder: string) => commandExecutor.run(commandCall({ type: 'command', entry: folder }))

/** A hook's folder with these scripts. */
function hookFolder(scripts: Record<string, string | [text: string, mode: number]>): string {
  const folder = join(temporaryFolder(), 'a hook')
  for (const [name, script] of Object.entries(scripts)) {
    const [text, mode] = typeof script === 'string' ? [script, 0o755] : script
    writeProgram(join(folder, 'scripts', name), text, mode)
  }
  return folder
}

describe('the entry point', () => {
  const say = (word: string) => `#!/bin/sh\necho ${word}\n`

  test('is run before run.sh before run.py', async () => {
    const all = { run: say('run'), 'run.sh': say('sh'), 'run.py': say('py'), 'check.sh': say('check') }
    expect(await fire(hookFolder(all))).toMatchObject({ stdout: 'run\n' })
    const { run: _, ...two } = all
    expect(await fire(hookFolder(two))).toMatchObject({ stdout: 'sh\n' })
    const { 'run.sh': __, ...one } = two
    expect(await fire(hookFolder(one))).toMatchObject({ stdout: 'py\n' })
  })

  test('is looked for at each call', async () => {
    const folder = hookFolder({ 'run.sh': say('first') })
    expect(await fire(folder)).toMatchObject({ stdout: 'first\n' })
    writeProgram(join(folder, 'scripts', 'run'), say('second'))
    expect(await fire(folder)).toMatchObject({ stdout: 'second\n' })
  })

  test('that has been the same for long is looked at again when it changes', async () => {
    const folder = hookFolder({ 'run.sh': say('$0') })
    const file = join(folder, 'scripts', 'run.sh')
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * SETTLED_MS })
    for (let i = 0; i < 2; i++) expect(await fire(folder)).toMatchObject({ stdout: `${file}\n` })
    chmodSync(file, PLAIN)
    expect(findEntryPoint(folder)).toEqual({ file: 'bash', args: [file] })
    chmodSync(file, 0o755)
    expect(findEntryPoint(folder)).toEqual({ file, args: [] })
    writeProgram(file, '[ -n "$BASH" ] && echo bash\n')
    expect(await fire(folder)).toMatchObject({ stdout: 'bash\n' })
  })

  test('that is missing is a failure, whatever other files there are', async () => {
    const folder = hookFolder({ 'check.sh': say('check') })
    expect(await fire(folder)).toEqual({
      failed: true,
      kind: 'failed',
      retryable: false,
      message: `No entry point found (scripts/run, scripts/run.sh, or scripts/run.py) in ${folder}: add one of them`,
    })
  })

  test('is never a folder', async () => {
    const folder = hookFolder({ 'run.sh': say('sh') })
    mkdirSync(join(folder, 'scripts', 'run'))
    expect(await fire(folder)).toMatchObject({ stdout: 'sh\n' })
  })
})

describe('the interpreter of', () => {
  const bash = '[[ -n $BASH_VERSION ]] && echo bash\n'
  const python = 'import sys; print("python", sys.version_info[0])\n'
  const noted = { stderr: '', exit_code: 0 }

  test.for([
    ['run.sh without x-bit is bash', { 'run.sh': [`#!/bin/sh\n${bash}`, PLAIN] }, 'bash\n'],
    ['run.py without x-bit is python3', { 'run.py': [python, PLAIN] }, 'python 3\n'],
    ['run.sh without a first line is bash', { 'run.sh': bash }, 'bash\n'],
    ['run.py without a first line is python3', { 'run.py': python }, 'python 3\n'],
    ['run without a first line is sh', { run: 'echo plain\n' }, 'plain\n'],
    ['run with a first line is what it names', { run: `#!/usr/bin/env bash\n${bash}` }, 'bash\n'],
    [
      'run without x-bit is what its first line names',
      { run: [`#!/usr/bin/env bash\n${bash}`, PLAIN] },
      'bash\n',
    ],
    [
      'run without x-bit gets the argument of that line',
      { run: ['#! /bin/sh -e\nfalse || echo $-\n', PLAIN] },
      'e\n',
    ],
  ] as [string, Parameters<typeof hookFolder>[0], string][])('%s', async ([, scripts, stdout]) => {
    expect(await fire(hookFolder(scripts))).toMatchObject({ ...noted, stdout })
  })

  test('run with neither x-bit nor first line is not guessed', async () => {
    expect(await fire(hookFolder({ run: ['echo no\n', PLAIN] }))).toMatchObject({
      failed: true,
      retryable: false,
      message: expect.stringContaining('chmod +x'),
    })
  })

  test('a script with Windows line ends is missed with advice', async () => {
    expect(await fire(hookFolder({ run: '#!/bin/sh\r\necho\r\n' }))).toMatchObject({
      failed: true,
      message: expect.stringContaining('Windows line ends'),
    })
  })
})
