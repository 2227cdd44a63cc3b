/** What every executor that starts things on this machine has in common. */

import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { Call, Executor } from '../spec/executor.ts'
import type { Run } from '../spec/hook.ts'
import { type Failure, isFailure } from '../spec/outcome.ts'
import { callbackExecutor } from './callback.ts'
import { commandCall, fixture, shell, ways } from './command-testing.ts'
import { moduleExecutor } from './module.ts'
import { outcomeExecutor } from './outcome.ts'
import { callOf } from './testing.ts'

interface Subject {
  /** A hook that answers, and what comes back. */
  answers: Run
  result: object
  /** Hooks that fail, and what their failures say. */
  fails: { run: Run; message: string; retryable: boolean } | Exception
  never: Run | Exception
}

interface Exception {
  because: string
}

const SUBJECTS: { executor: Executor; way?: string; subject: Subject }[] = [
  ...ways().map(([way, executor]) => ({
    way,
    executor,
    subject: {
      answers: shell('printf 42'),
      result: { exit_code: 0, signal: null, stdout: '42', stderr: '' },
      fails: {
        run: { type: 'command' as const, argv: ['no-such-program-here'] },
        message: 'Cannot start no-such-program-here: no such program on PATH',
        retryable: false,
      },
      never: shell('sleep 30'),
    },
  })),
  {
    executor: moduleExecutor,
    subject: {
      answers: { type: 'module', file: fixture('answers.ts') },
      result: { value: expect.objectContaining({ late: false }) },
      fails: {
        run: { type: 'module', file: fixture('throws.js') },
        message: 'the hook broke',
        retryable: true,
      },
      never: { type: 'module', file: fixture('never-answers.js') },
    },
  },
  {
    executor: callbackExecutor,
    subject: {
      answers: { type: 'callback', name: 'answers', call: () => 42 },
      result: { value: 42 },
      fails: {
        run: {
          type: 'callback',
          name: 'fails',
          call: () => {
            throw new Error('the hook broke')
          },
        },
        message: 'the hook broke',
        retryable: true,
      },
      never: { type: 'callback', name: 'never', call: () => new Promise(() => {}) },
    },
  },
  {
    executor: outcomeExecutor,
    subject: {
      answers: { type: 'outcome', outcome: { decision: 'deny', reason: 'by rule' } },
      result: { value: { decision: 'deny', reason: 'by rule' }, fixed: true },
      fails: { because: 'a fixed answer is data: nothing runs that could fail' },
      never: { because: 'a fixed answer is there at once, before any time limit' },
    },
  },
]

describe.for(SUBJECTS.map((row) => [[row.executor.type, row.way].filter(Boolean).join(' '), row] as const))(
  '%s',
  ([, row]) => {
    const { subject } = row
    const run = async (hook: Run, options: { signal?: AbortSignal; timeout?: number } = {}) =>
      row.executor.run(callFor(hook, options))

    test('returns what came back', async () => {
      expect(await run(subject.answers)).toEqual(subject.result)
    })

    test('gives every one of many calls at once its answer', async () => {
      const results = await Promise.all(Array.from({ length: 8 }, () => run(subject.answers)))
      expect(results).toEqual(Array.from({ length: 8 }, () => subject.result))
    })

    test('leaves no listener on the signal', async () => {
      const { signal } = new AbortController()
      await run(subject.answers, { signal })
      expect(getEventListeners(signal, 'abort')).toEqual([])
    })

    const { fails, never } = subject
    if ('because' in fails) test.skip(`never fails: ${fails.because}`, () => {})
    else {
      test('reports a failure as a value', async () => {
        expect(await run(fails.run)).toEqual({
          failed: true,
          kind: 'failed',
          message: fails.message,
          retryable: fails.retryable,
        } satisfies Failure)
      })
    }

    if ('because' in never) test.skip(`knows no time limit: ${never.because}`, () => {})
    else {
      test.for([
        ['before the start', AbortSignal.abort()],
        ['at the time limit', undefined],
      ] as const)('obeys a signal that comes %s', async ([, signal]) => {
        const start = performance.now()
        const result = await run(never, { timeout: 60, ...(signal && { signal }) })
        expect(result).toEqual({
          failed: true,
          kind: 'timed_out',
          message: 'timed out after 60 ms',
          retryable: true,
        } satisfies Failure)
        expect(isFailure(result)).toBe(true)
        expect(performance.now() - start).toBeLessThan(20_000)
      })
    }
  },
)

function callFor(run: Run, options: { signal?: AbortSignal; timeout?: number }): Call {
  if (run.type === 'command') return commandCall(run, options)
  return callOf(run, { ...options, event: { work_dir: import.meta.dirname } })
}
