/** `when`: a CEL expression over the event. The library is loaded with the first expression. */

import { messageOf } from '../spec/errors.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'
import { lazy } from '../spec/lazy.ts'
import { loadPatterns } from './pattern.ts'

/** Whether the expression holds. `error`: why it could not be evaluated; `isLate`: because time ran out. */
export interface Answer {
  holds: boolean
  error?: string
  isLate?: boolean
}
export type Condition = (event: HookEvent) => Answer

/** Throws an Error that says what is wrong with the expression. */
export async function compileCondition(text: string): Promise<Condition> {
  const holds = await compileExpression(text)
  return (event) => holds(() => variables(text, event))
}

/** An expression over any variables that gives true or false. */
export async function compileExpression(
  text: string,
): Promise<(values: () => Record<string, unknown>) => Answer> {
  const environment = await library.get()
  const run = parse(environment, text)
  const checked = run.check()
  if (!checked.valid) throw new Error(plainMessage(checked.error ?? 'it does not pass the type check'))
  if (checked.type !== 'bool' && checked.type !== 'dyn')
    throw new Error(`it gives a ${checked.type}, but must give true or false; compare it with something`)
  const evaluate = await bounded(text, run)
  return (values) => {
    try {
      const value = evaluate(values())
      if (typeof value === 'boolean') return { holds: value }
      return { holds: false, error: `it gave ${typeof value}, not true or false` }
    } catch (thrown) {
      const isLate = (thrown as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      return { holds: false, error: plainMessage(thrown), isLate }
    }
  }
}

function parse(environment: Awaited<ReturnType<typeof createEnvironment>>, text: string) {
  try {
    return environment.parse(renameMatches(text, '.matches', `.${LINEAR_MATCHES}`))
  } catch (thrown) {
    throw new Error(plainMessage(thrown))
  }
}

/** What is wrong with an expression; null when it is fine. */
export async function checkCondition(text: string): Promise<string | null> {
  try {
    await compileCondition(text)
    return null
  } catch (thrown) {
    return `Condition \`${text}\`: ${plainMessage(thrown)}. Write a CEL expression, such as tool_input.command.contains("prod").`
  }
}

const LINEAR_MATCHES = 'matched'
const LIMITS = {
  maxAstNodes: 2000,
  maxDepth: 60,
  maxListElements: 500,
  maxMapEntries: 500,
  maxCallArguments: 16,
}

type Run = (variables: Record<string, unknown>) => unknown

const library = lazy(() => createEnvironment())

async function createEnvironment() {
  const [{ Environment }, compile] = await Promise.all([import('@marcbachmann/cel-js'), loadPatterns()])
  return new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
    // The library's own `matches` backtracks, so expressions call this linear-time function instead.
  }).registerFunction(`string.${LINEAR_MATCHES}(string): bool`, (text: string, pattern: string) =>
    compile(pattern).test(text),
  )
}

function renameMatches(text: string, from: string, to: string): string {
  const tokens =
    /[rR][bB]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*')|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*|\.\s*[A-Za-z_]\w*/g
  return text.replace(tokens, (token) =>
    token.replace(/\s/g, '') === from ? token.replace(from.slice(1), to.slice(1)) : token,
  )
}

const TIME_LIMIT_MS = 100

/** A single pass over the event's lists is short; nested passes get a time limit. */
async function bounded(text: string, run: Run): Promise<Run> {
  const loops = text.match(/\.\s*(?:all|exists|exists_one|existsOne|map|filter)\s*\(/g)?.length ?? 0
  if (loops < 2) return run
  const { createContext, Script } = await import('node:vm')
  const sandbox: { call?: () => unknown } = {}
  const context = createContext(sandbox)
  const script = new Script('call()')
  return (values) => {
    sandbox.call = () => run(values)
    return script.runInContext(context, { timeout: TIME_LIMIT_MS })
  }
}

/** The event's fields; fields that this kind of event may have but does not are null. `event` is the whole event. */
function variables(text: string, event: HookEvent): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null)
  for (const name of ['agent', 'native_event', 'native_tool_name', 'native', 'data']) values[name] = null
  for (const name of Object.keys(eventRow(event.event_type).fields)) values[name] = null
  const all = /\bevent\b/.test(text)
  for (const [name, value] of Object.entries(event))
    if (value !== undefined && (all || text.includes(name))) values[name] = toValue(value, 0)
  if (all)
    values.event = Object.assign(
      Object.create(null),
      ...Object.keys(event).map((name) => ({ [name]: values[name] })),
    )
  return values
}

const MAX_DEPTH = 64

/** Whole numbers become CEL integers, so that `duration_ms / 1000 > 5` works as written. */
function toValue(value: unknown, depth: number): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'function' || typeof value === 'symbol' || value === undefined || depth > MAX_DEPTH)
    return null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => toValue(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toValue(item, depth + 1)]))
}

/** The first line, reworded: redaction would take "token: x" for a secret. */
function plainMessage(thrown: unknown): string {
  const line = messageOf(thrown)
    .split('\n')[0]!
    .replace(/\.$/, '')
    .replace('Unexpected token: EOF', 'the expression ends too early')
    .replace(/^Unexpected token: (.*)/, 'unexpected `$1`')
  return renameMatches(line, `.${LINEAR_MATCHES}`, '.matches')
}
