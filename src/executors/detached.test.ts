import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isFailure } from '../spec/outcome.ts'
import { startDetached } from './command.ts'
import {
  commandCall,
  fixture,
  isAlive,
  processIds,
  shell,
  temporaryFolder,
  textOf,
  until,
} from './command-testing.ts'

describe('a background hook', () => {
  test('reads its input and prints to the log', async () => {
    const log = join(temporaryFolder(), 'logs', 'hook.log')
    const call = commandCall(shell('cat; echo; echo problem >&2'), { input: { text: 'the event' } })
    expect(await startDetached(call, { log })).toEqual({ pid: expect.any(Number) })
    await until(() => textOf(log) === 'the event\nproblem\n')
  })

  test('runs beside another: two that wait for each other both end', async () => {
    const folder = temporaryFolder()
    const log = (name: string) => join(folder, `${name}.log`)
    for (const [name, other] of ['ab', 'ba']) {
      const line = `touch ${folder}/${name}; until [ -e ${folder}/${other} ]; do sleep 0.02; done; echo done`
      await startDetached(commandCall(shell(line)), { log: log(name!) })
    }
    await until(() => textOf(log('a')) === 'done\n' && textOf(log('b')) === 'done\n')
  })

  test('leaves neither supervisor nor clock when it has ended', async () => {
    const log = join(temporaryFolder(), 'log')
    const started = await startDetached(commandCall(shell('echo $PPID'), { timeout: 60_000 }), { log })
    if (isFailure(started)) throw new Error(started.message)
    // Of the whole group, once the last of it is collected.
    await until(() => !isAlive(-started.pid))
  })

  test('outlives the program that started it', async () => {
    const folder = temporaryFolder()
    const log = join(folder, 'log')
    const program = `
      import { spawnDetached } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'detached.ts')).href)}
      const start = { file: 'sh', args: ['-c', 'until [ -e go ]; do sleep 0.02; done; cat; echo " survived"'], cwd: ${JSON.stringify(folder)}, env: process.env, input: 'it' }
      await spawnDetached(start, { log: ${JSON.stringify(log)}, timeout: 60_000 })`
    const starter = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
    expect({ status: starter.status, stderr: starter.stderr }).toEqual({ status: 0, stderr: '' })
    expect(textOf(log)).toBe('')
    writeFileSync(join(folder, 'go'), '')
    await until(() => textOf(log) === 'it survived\n')
  })

  test.concurrent.for(['family.sh', 'stubborn-family.sh'])(
    'is ended with all of %s at its time limit',
    async (program, { expect }) => {
      const folder = temporaryFolder()
      const log = join(folder, 'log')
      const file = join(folder, 'ids')
      await startDetached(
        commandCall({ type: 'command', argv: [fixture(program), file] }, { timeout: 3000 }),
        { log },
      )
      const ids = await processIds(file, 3)
      expect(ids.map(isAlive)).toEqual([true, true, true])
      await until(() => !ids.some(isAlive), 25_000)
      expect(textOf(log)).toContain('crosshook: the time limit was reached\n')
    },
  )

  test('that has no entry point is a failure', async () => {
    const folder = temporaryFolder()
    const call = commandCall({ type: 'command', entry: folder })
    expect(await startDetached(call, { log: join(folder, 'log') })).toMatchObject({ failed: true })
  })

  test('whose log cannot be used is a failure', async () => {
    expect(await startDetached(commandCall(shell('true')), { log: '/dev/null/log' })).toMatchObject({
      failed: true,
    })
  })
})
