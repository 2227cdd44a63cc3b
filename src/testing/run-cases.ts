/** Runs one hook alone through the real runtime in a scratch folder. */

import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Case, readCases, type Step } from '../cases/case-file.ts'
import { type Difference, differences, NOT_RUN } from '../cases/expect.ts'
import { fill } from '../cases/fill.ts'
import { type Assembly, assemble } from '../host/assemble.ts'
import { ownEnvironment } from '../host/environment.ts'
import { inCanonicalWords } from '../pipeline/decode/named-tool.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Sandbox } from '../spec/hook.ts'
import type { FireResult } from '../spec/outcome.ts'
import { makeScratch, type Scratch } from './scratch.ts'

export type { Difference } from '../cases/expect.ts'

export interface CaseResult {
  name: string
  passed: boolean
  /** Differences of the first step that failed. */
  differences: Difference[]
  /** The step that failed, from 1; absent for a case of one event. */
  step?: number
  duration_ms: number
  /** What came of the last event. */
  result: FireResult
}

/** Fires one event at the hook in this folder. Without a `work_dir` it works in a scratch folder. */
export async function runHook(
  folder: string,
  event: { event_type: string } & Record<string, unknown>,
  options: { env?: Record<string, string> } = {},
): Promise<FireResult> {
  const scratch = makeScratch()
  const { event_type: type, ...fields } = event
  const { runtime, close } = await runtimeFor(folder, scratch)
  try {
    return await runtime.fire(
      type,
      { work_dir: scratch.workDir, ...fields },
      { all: true, env: hookEnv(options.env) },
    )
  } finally {
    await close()
  }
}

export interface RunOptions {
  /** Told of each case. */
  ended?: (result: CaseResult) => void
  /** Lines for people who want to see everything. */
  debug?: (line: string) => void
  /** Run it with these rights instead of those it declares. */
  sandbox?: Sandbox
}

/** Runs every case of the `cases.yaml` in a hook's folder. */
export async function runCases(folder: string, options: RunOptions = {}): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  for (const each of await readCases(folder)) {
    const result = await runCase(resolve(folder), each, options)
    options.ended?.(result)
    results.push(result)
  }
  return results
}

async function runCase(folder: string, given: Case, options: RunOptions): Promise<CaseResult> {
  const started = performance.now()
  const scratch = makeScratch(given.files)
  const { name, env, steps } = fill(given, { work_dir: scratch.workDir, hook_dir: folder })
  const { runtime, close } = await runtimeFor(folder, scratch, options)
  try {
    let taken: { result: FireResult; differences: Difference[] } | undefined
    let at = 0
    for (const step of steps) {
      at++
      taken = await take(step, { runtime, scratch, env })
      if (taken.differences.length > 0) break
    }
    const { result, differences: found } = taken!
    return {
      name,
      passed: found.length === 0,
      differences: found,
      ...(found.length > 0 && steps.length > 1 ? { step: at } : {}),
      duration_ms: performance.now() - started,
      result,
    }
  } finally {
    await close()
  }
}

async function take(
  { event, fields, expect }: Step,
  { runtime, scratch, env }: { runtime: Assembly; scratch: Scratch; env: Record<string, string> },
): Promise<{ result: FireResult; differences: Difference[] }> {
  const { workDir } = scratch
  const { fields: given, unknown } = await inCanonicalWords(event, {
    session_id: 'case',
    work_dir: workDir,
    ...fields,
  })
  const result = await runtime.fire(event, given, { all: true, env: hookEnv(env) })
  const [hook] = result.hooks
  if (!hook) {
    // A hook for another event has no report.
    const status =
      expect.status === 'skipped'
        ? []
        : [{ field: 'status', expected: 'the hook runs', got: `it is not for ${event}` }]
    const { status: _, ...others } = expect
    return {
      result,
      differences: status.length > 0 ? status : differences(others, { result, hook: NOT_RUN, workDir }),
    }
  }
  const compare = () => differences(expect, { result, hook, workDir })
  let found = compare()
  // A background hook is not awaited, so its files appear later.
  for (let waited = 0; hook.status === 'background' && found.length > 0 && waited < 5000; waited += 50) {
    await sleep(50)
    found = compare()
  }
  // A mistyped tool is a likely reason.
  if (found.length > 0 && unknown !== undefined)
    found.push({ field: 'tool_name', expected: 'a tool that agents have', got: unknown })
  return { result, differences: found }
}

async function runtimeFor(
  folder: string,
  scratch: Scratch,
  { debug, sandbox }: RunOptions = {},
): Promise<{ runtime: Assembly; close(): Promise<void> }> {
  const runtime = assemble({
    source: 'library',
    sources: [{ path: resolve(folder) }],
    env: scratch.env,
    silent: true,
    ...(debug ? { debug } : {}),
  })
  const { hooks, problems } = await runtime.hookSet(scratch.workDir)
  const close = async () => {
    await runtime.settled()
    await runtime.close()
    scratch.remove()
  }
  const [hook] = hooks
  if (hook && sandbox) hook.sandbox = sandbox
  if (hooks.length === 1) return { runtime, close }
  const [error] = problems.filter(({ level }) => level === 'error')
  await close()
  if (error) throw new CrosshookError('invalid_hooks', `${error.file}: ${error.message}`, { fix: error.fix })
  throw new CrosshookError(
    'bad_source',
    `${folder}: there are ${hooks.length} hooks, and one can be tried at a time`,
    {
      fix: 'Name the folder of one hook.',
    },
  )
}

/** The hook sees the person's environment and what the case adds. */
function hookEnv(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...ownEnvironment(), ...more }
}
