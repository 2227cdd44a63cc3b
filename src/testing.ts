/** `crosshook/testing`: try one hook on its own, or the cases written beside it. */

export { type CaseResult, type Difference, runCases, runHook } from './testing/run-cases.ts'
