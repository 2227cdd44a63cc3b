/** Hooks that ask a model: the question, the answer `{ok, reason}`, and what it means. Light. */

import type { RawResult } from '../../spec/executor.ts'
import type { Run } from '../../spec/hook.ts'
import { type Failure, failure, type Outcome } from '../../spec/outcome.ts'
import { wholeJson } from './hook-specific-output.ts'
import { isRecord, string } from './payload.ts'

const SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['ok'],
} as const

/** What the model is told beside the question: how to answer. */
export function verdictInput(run: Run): { value: unknown } | undefined {
  return run.type === 'prompt' || run.type === 'agent' ? { value: { schema: SCHEMA } } : undefined
}

/** `$ARGUMENTS` stands for the payload, which follows the question when it is not in it. */
export function verdictTemplate(prompt: string): string {
  const payload = '{{invocation_json}}'
  return prompt.includes('$ARGUMENTS') ? prompt.replaceAll('$ARGUMENTS', payload) : `${prompt}\n\n${payload}`
}

export function readVerdict(raw: RawResult): Outcome | Failure {
  const json = isRecord(raw.value) ? raw.value : wholeJson(raw.stdout)
  if (typeof json?.ok !== 'boolean')
    return failure('the model did not answer {"ok": …}', { retryable: false })
  return json.ok ? {} : { decision: 'deny', reason: string(json.reason) ?? 'The condition is not met.' }
}
