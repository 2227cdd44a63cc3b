/** The plugin itself, as text. Loaded only while installing. */

export const PLUGIN = `/** Answers may wait for a person. */
const PATIENT = { timeoutMs: LIMIT }

/** OpenClaw loads several copies of this file, and takes hooks from one and the middleware from another. */
const { folders, starts, prompts, forResult } = (globalThis[Symbol.for('crosshook.openclaw')] ??= {
  // By session: the folder it works in, which only some events say, and what its start had to say.
  folders: new Map(),
  starts: new Map(),
  // By run: the prompt that was asked about, and the answer.
  prompts: new Map(),
  // By session and call of a tool: context for its result.
  forResult: new Map(),
})

function register(api) {
  const keyOf = (event, context) => context.sessionKey ?? event.sessionKey ?? ''
  const callOf = (event, context) => keyOf(event, context) + ' ' + event.toolCallId

  const payload = (event, context) => {
    const key = keyOf(event, context)
    if (context.workspaceDir) folders.set(key, context.workspaceDir)
    return {
      ...event,
      messages: undefined,
      systemPrompt: undefined,
      sessionId: context.sessionId ?? event.sessionId,
      sessionKey: key,
      cwd: event.cwd ?? context.workspaceDir ?? folders.get(key) ?? process.cwd(),
    }
  }

  // The task of a subagent was judged when the tool that starts it was called.
  const isSubagent = (context) => /:subagent:/.test(context.sessionKey ?? '')

  const askPrompt = (event, context) => {
    const asked = { prompt: event.prompt, answer: decide('before_agent_run', payload(event, context)) }
    if (context.runId) prompts.set(context.runId, asked)
    return asked
  }

  api.on('session_start', async (event, context) => {
    const start = observe('session_start', payload(event, context))
    starts.set(keyOf(event, context), start)
    await start
  })

  // The only hook that can add to the prompt; the next one is the only one that can refuse it.
  api.on('before_prompt_build', async (event, context) => {
    const key = keyOf(event, context)
    const start = await starts.get(key)
    const asked = isSubagent(context) ? undefined : askPrompt(event, context)
    const answer = await asked?.answer
    if (answer?.deny !== undefined) return
    starts.delete(key)
    const prependContext = joined(start?.context, answer?.context)
    if (prependContext) return { prependContext }
  }, PATIENT)

  api.on('before_agent_run', async (event, context) => {
    if (isSubagent(context)) return
    const earlier = prompts.get(context.runId)
    prompts.delete(context.runId)
    // What was added to the prompt since then stands around it.
    const asked = earlier && event.prompt.includes(earlier.prompt) ? earlier : askPrompt(event, context)
    const { deny } = await asked.answer
    prompts.delete(context.runId)
    if (deny !== undefined) return { outcome: 'block', reason: deny, message: deny }
  }, PATIENT)

  api.on('before_tool_call', async (event, context) => {
    const answer = await decide('before_tool_call', payload(event, context))
    if (answer.deny !== undefined) return { block: true, blockReason: joined(answer.deny, answer.context) }
    if (answer.context) forResult.set(callOf(event, context), answer.context)
    if (answer.input) return { params: answer.input }
  }, PATIENT)

  api.registerAgentToolResultMiddleware(async ({ args, result, ...event }, context) => {
    const { status, exitCode } = result.details ?? {}
    const shown = { content: result.content, details: { status, exitCode } }
    const answer = await observe('after_tool_call', payload({ ...event, params: args, result: shown }, context))
    const call = callOf(event, context)
    const added = joined(forResult.get(call), answer.deny, answer.context)
    forResult.delete(call)
    if (!added && answer.output === undefined) return
    // The details of a result repeat its text.
    const rest = answer.output === undefined ? result : { ...result, details: shown.details }
    const content = answer.output === undefined ? [...result.content] : [{ type: 'text', text: answer.output }]
    if (added) content.push({ type: 'text', text: added })
    return { result: { ...rest, content } }
  }, { runtimes: ['openclaw'] })

  for (const name of ['before_agent_finalize', 'before_compaction', 'after_compaction', 'subagent_spawned', 'subagent_ended'])
    api.on(name, async (event, context) => {
      await observe(name, payload(event, context))
    }, PATIENT)

  api.on('session_end', async (event, context) => {
    await observe('session_end', payload(event, context))
    const key = keyOf(event, context)
    folders.delete(key)
    for (const call of forResult.keys()) if (call.startsWith(key + ' ')) forResult.delete(call)
  })
}

export default { id: 'crosshook', name: 'crosshook', description: 'Hooks of every format, by crosshook.', register }
`
