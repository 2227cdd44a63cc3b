import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FOLDER_FORMAT, loadDialect } from '../dialects/list.ts'
import { createMatcher } from '../engine/match.ts'
import { plan } from '../engine/plan.ts'
import { type Lent, run } from '../engine/run.ts'
import { createExecute } from '../pipeline/run/execute.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Host } from '../spec/executor.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import type { HookReport } from '../spec/outcome.ts'

const event = {
  event_type: 'before_tool',
  timestamp: '',
  session_id: 's',
  work_dir: '/',
  context: {},
  tool_name: 'Shell',
  tool_input: { command: 'ls' },
} as HookEvent

const answers = fc.array(
  fc.record(
    {
      decision: fc.constantFrom('allow', 'ask', 'deny', 'maybe', null),
      reason: fc.constantFrom('no', '', 7),
      user_message: fc.constantFrom('told', undefined),
      updated_input: fc.constantFrom({ command: 'pwd' }, {}, 'pwd'),
      additional_context: fc.constantFrom(['fact'], 'fact'),
      stop: fc.constantFrom('enough', ''),
      skip: fc.constantFrom(true, false),
      verdict: fc.constantFrom('deny'),
    },
    { requiredKeys: [] },
  ),
  { minLength: 1, maxLength: 3 },
)

test('hooks with a fixed answer end as they do when they are executed', async () => {
  await loadDialect(FOLDER_FORMAT)
  const execute = createExecute({})
  let quick = 0
  const atOnce: Lent['atOnce'] = (planned, seen) => {
    const answer = execute.atOnce(planned, seen)
    if (answer) quick++
    return answer
  }
  const lent: Lent = {
    execute: (planned, seen, limits) => execute({} as Host, planned, seen, limits),
    background: () => {},
  }
  await fc.assert(
    fc.asyncProperty(answers, fc.boolean(), fc.boolean(), async (outcomes, isClosed, redacts) => {
      const steps = plan(
        outcomes.map((outcome, i) => {
          const hook: Hook = {
            ...HOOK_DEFAULTS,
            name: `h${i}`,
            format: FOLDER_FORMAT,
            scope: 'user',
            events: ['before_tool'],
            on_failure: isClosed ? 'closed' : 'open',
            redact_reasons: redacts,
            retries: 0,
            run: { type: 'outcome', outcome: outcome as never },
            origin: { file: 'f' },
          }
          return { hook, matcher: createMatcher(hook.matcher) }
        }),
      )
      const [slow, fast] = [await run(steps, event, lent), await run(steps, event, { ...lent, atOnce })]
      const plain = ({ reports, ...ran }: typeof slow) => ({ ...ran, reports: reports.map(withoutTime) })
      expect(plain(fast)).toEqual(plain(slow))
    }),
    { numRuns: 300 },
  )
  expect(quick).toBeGreaterThan(50)
})

const withoutTime = ({ duration_ms: _, ...report }: HookReport) => report
