/** Checks for the hooks of every format: patterns run in linear time, conditions compile, HTTP targets are public. */

import { checkMatcher } from '../engine/match.ts'
import { compilePattern } from '../engine/pattern.ts'
import { hostsIn } from '../executors/confine/policy.ts'
import { HOW_TO_ALLOW, validateTarget } from '../executors/http-target.ts'
import type { Dialect } from '../spec/dialect.ts'
import { messageOf } from '../spec/errors.ts'
import type { Hook, Loaded, Problem } from '../spec/hook.ts'

/** Leaves out hooks with a problem and keeps the others, unless the format treats a file as all or nothing. */
export async function checkHooks(
  loaded: Loaded,
  dialect: Dialect,
  allowedHosts: readonly string[] = [],
): Promise<Loaded> {
  const problems = [...loaded.problems]
  const hooks: Hook[] = []
  const broken: Hook[] = [...(loaded.broken ?? [])]
  const atFields = (hook: Hook, found: Problem[]) => found.map((problem) => atField(problem, hook, loaded))
  for (const hook of loaded.refused ?? [])
    problems.push(...atFields(hook, await problemsOf(hook, allowedHosts)))
  for (const hook of loaded.hooks) {
    const found = atFields(hook, await problemsOf(hook, allowedHosts))
    problems.push(...found)
    const wrong = found.find((p) => p.level === 'error')
    if (wrong)
      broken.push({ ...hook, broken: `${hook.origin.file}: ${wrong.message} ${wrong.fix}`, matcher: {} })
    else hooks.push(hook)
  }
  for (const hook of hooks) {
    for (const name of hook.after ?? [])
      if (!loaded.hooks.some((other) => other.name === name))
        problems.push(
          ...atFields(hook, [
            {
              ...place(hook),
              level: 'warning',
              field: 'after',
              message: `"${hook.name}" comes after "${name}", which is not among the hooks of this source`,
              fix: 'Check the name; a missing hook is not waited for.',
            },
          ]),
        )
  }
  const spoiled = dialect.format?.allOrNothing && problems.some((p) => p.level === 'error')
  for (const hook of hooks) {
    const circle = circleOf(hook, hooks)
    if (circle)
      problems.push(
        ...atFields(hook, [
          {
            ...place(hook),
            level: 'warning',
            field: 'after',
            message: `"${circle.join('" comes after "')}": a cycle; it is broken at the first of them in rank`,
            fix: 'Take one of the names out of `after`.',
          },
        ]),
      )
  }
  // In an all-or-nothing format one invalid hook makes the whole file inactive.
  return { hooks: spoiled ? [] : hooks, problems, broken: spoiled ? [] : broken }
}

/** The names on the `after` cycle from a hook back to itself; undefined when there is none. */
function circleOf(hook: Hook, hooks: readonly Hook[]): string[] | undefined {
  const seen = new Set<string>()
  const open = [[hook.name]]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const last = hooks.find(({ name }) => name === path.at(-1))
    for (const next of last?.after ?? []) {
      if (next === hook.name) return [...path, next]
      if (seen.has(next)) continue
      seen.add(next)
      open.push([...path, next])
    }
  }
  return undefined
}

/**
 * Some formats silently use an invalid pattern as plain text; this is the warning. Undefined when the pattern is valid.
 */
export async function patternAsText({
  name,
  matcher,
}: Pick<Hook, 'name' | 'matcher'>): Promise<string | undefined> {
  const { command_text: text } = matcher
  if (text === undefined) return undefined
  return compilePattern(text).then(
    () => undefined,
    (error) =>
      `the pattern \`${text}\` of hook "${name}" cannot be used, and is looked for as plain text: ${messageOf(error)}`,
  )
}

async function problemsOf(hook: Hook, allowedHosts: readonly string[]): Promise<Problem[]> {
  const found: Problem[] = []
  const add = (field: string, message: string, fix: string) =>
    found.push({ ...place(hook), level: 'error', field, message, fix })
  for (const { field, message } of await checkMatcher(hook.matcher)) {
    const isCondition = field.endsWith('.when')
    add(
      isCondition ? 'when' : field,
      message,
      isCondition
        ? 'Write a CEL expression over the event, such as tool_input.command.contains("prod").'
        : 'Correct it; `crosshook explain EVENT` shows what it would match.',
    )
  }
  if (hook.run.type === 'http') {
    const wrong = validateTarget(hook.run.url, allowedHosts)
    if (wrong !== null) add('url', wrong.replace(`: ${HOW_TO_ALLOW}`, ''), `${FIX_TARGET}.`)
  }
  if (hook.run.type === 'agent' && hook.run.tools?.length) {
    const { AGENT_TOOLS, agentToolName } = await import('../executors/agent-tools.ts')
    for (const name of hook.run.tools)
      if (agentToolName(name) === undefined)
        found.push({
          ...place(hook),
          level: 'warning',
          field: 'tools',
          message: `agent hooks have no tool "${name}": the hook will fail`,
          fix: `Their tools only look: ${AGENT_TOOLS.join(', ')}.`,
        })
  }
  if (hook.sandbox && hook.run.type === 'module')
    add(
      'sandbox',
      'a module runs inside crosshook and cannot be confined',
      'Run it as a script (scripts/run), or take `sandbox` out.',
    )
  for (const { field, connect } of confinements(hook)) {
    const hosts = hostsIn(connect)
    if (hosts.length > 0)
      found.push({
        ...place(hook),
        level: 'warning',
        field,
        message: `no system confines a program to ${hosts.join(', ')}: the hook will be refused`,
        fix: '`connect` is `["*"]` (the network), `[]`, or names Unix sockets: `["unix:PATH"]`.',
      })
  }
  return found
}

/** Where a hook says what a confined program may connect to: its own program, or the agent's command. */
function confinements({ sandbox, run }: Hook): { field: string; connect: readonly string[] }[] {
  const own = typeof sandbox === 'object' && run.type === 'command' ? sandbox.connect : undefined
  const command = run.type === 'outcome' ? run.outcome.confine?.connect : undefined
  return [
    ...(own ? [{ field: 'sandbox', connect: own }] : []),
    ...(command ? [{ field: 'outcome', connect: command }] : []),
  ]
}

const FIX_TARGET = HOW_TO_ALLOW[0]!.toUpperCase() + HOW_TO_ALLOW.slice(1)

function atField(problem: Problem, hook: Hook, { lineOf }: Loaded): Problem {
  const line = problem.field === undefined ? undefined : lineOf?.(hook, problem.field)
  return line === undefined ? problem : { ...problem, line }
}

function place(hook: Hook): Pick<Problem, 'file' | 'hook'> & { line?: number } {
  return {
    file: hook.origin.file,
    hook: hook.name,
    ...(hook.origin.line === undefined ? {} : { line: hook.origin.line }),
  }
}
