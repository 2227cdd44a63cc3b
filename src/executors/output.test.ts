import { describe, expect, test } from 'vitest'
import { commandCall, fixture, shell, ways } from './command-testing.ts'

type HookOptions = NonNullable<Parameters<typeof commandCall>[1]>['hook']

describe.for(ways())('run %s,', ([, executor]) => {
  const print = (text: string, size: number, hook: HookOptions) =>
    executor.run(
      commandCall(
        { type: 'command', argv: [process.execPath, fixture('output.js'), text, `${size}`] },
        { hook: hook ?? {} },
      ),
    )

  describe('output', () => {
    test('of exactly the limit is whole', async () => {
      expect(await print('x', 1000, { output_limit: 1000 })).toEqual({
        exit_code: 0,
        signal: null,
        stdout: 'x'.repeat(1000),
        stderr: '',
      })
    })

    test('beyond the limit is a failure where the hook says so', async () => {
      expect(await print('x', 1001, { output_limit: 1000 })).toEqual({
        failed: true,
        kind: 'failed',
        retryable: true,
        message: 'hook output exceeded 1000 bytes',
      })
    })

    test('beyond the limit ends a program that would print for ever', async () => {
      const endless = commandCall(shell('yes'), { hook: { output_limit: 100_000 } })
      expect(await executor.run(endless)).toMatchObject({ message: 'hook output exceeded 100000 bytes' })
    })

    test('beyond the limit is cut, and the program still ends by itself', async () => {
      expect(await print('x', 20_000_000, { output_limit: 10, on_overflow: 'truncate' })).toMatchObject({
        exit_code: 0,
        stdout: 'xxxxxxxxxx',
        truncated: true,
      })
    })

    test.for([
      ['é', 5, 'éé'],
      ['é', 4, 'éé'],
      ['你', 5, '你'],
      ['🎉', 7, '🎉'],
      ['🎉', 3, ''],
      ['a🎉', 6, 'a🎉a'],
      ['a', 0, ''],
    ] as const)('of %s cut at %i bytes holds whole characters: %s', async ([text, output_limit, stdout]) => {
      expect(await print(text, 100, { output_limit, on_overflow: 'truncate' })).toMatchObject({ stdout })
    })

    test('on stderr has the same limit of its own', async () => {
      const call = commandCall(shell('printf abcdef >&2; printf abc'), {
        hook: { output_limit: 3, on_overflow: 'truncate' },
      })
      expect(await executor.run(call)).toEqual({
        exit_code: 0,
        signal: null,
        stdout: 'abc',
        stderr: 'abc',
        stderr_truncated: true,
      })
    })

    test('that is not UTF-8 has marks in place of the broken bytes', async () => {
      expect(await executor.run(commandCall(shell(String.raw`printf 'a\377b'`)))).toMatchObject({
        stdout: 'a\ufffdb',
      })
    })
  })
})
