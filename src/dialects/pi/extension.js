/** The extension itself, as text. Loaded only while installing. */
export const EXTENSION = `export default function (pi) {
  /** Context that its event cannot show: for the next prompt, and for the next result of a tool. */
  let forPrompt = ''
  let forResult = ''

  const payload = (event, context) => ({
    ...event,
    signal: undefined,
    preparation: undefined,
    branchEntries: undefined,
    cwd: context.cwd,
    sessionId: context.sessionManager?.getSessionId?.(),
  })

  const show = (context, text) => {
    if (!text) return
    if (context.hasUI) context.ui.notify(text, 'warning')
    else console.error(text)
  }

  pi.on('session_start', async (event, context) => {
    const answer = await observe('session_start', payload(event, context))
    forPrompt = joined(answer.context)
  })

  pi.on('input', async (event, context) => {
    // What an extension says is no person's prompt.
    if (event.source === 'extension') return
    const answer = await decide('input', payload({ ...event, images: undefined }, context))
    if (answer.deny !== undefined) {
      show(context, answer.deny)
      return { action: 'handled' }
    }
    forPrompt = joined(forPrompt, answer.context)
    if (answer.prompt !== undefined) return { action: 'transform', text: answer.prompt, images: event.images }
  })

  pi.on('before_agent_start', () => {
    const content = joined(forPrompt, forResult)
    forPrompt = ''
    forResult = ''
    if (content) return { message: { customType: 'crosshook', content, display: false } }
  })

  pi.on('tool_call', async (event, context) => {
    const answer = await decide('tool_call', payload(event, context))
    if (answer.deny !== undefined) return { block: true, reason: joined(answer.deny, answer.context) }
    if (answer.input) {
      for (const key of Object.keys(event.input)) delete event.input[key]
      Object.assign(event.input, answer.input)
    }
    forResult = joined(forResult, answer.context)
  })

  pi.on('tool_result', async (event, context) => {
    const answer = await observe('tool_result', payload(event, context))
    const added = joined(forResult, answer.deny, answer.context)
    forResult = ''
    if (!added && answer.output === undefined) return
    const content = answer.output === undefined ? [...event.content] : [{ type: 'text', text: answer.output }]
    if (added) content.push({ type: 'text', text: added })
    return { content }
  })

  pi.on('agent_end', async (event, context) => {
    const messages = event.messages.slice(-1)
    const answer = await observe('agent_end', payload({ ...event, messages }, context))
    if (answer.deny !== undefined) pi.sendUserMessage(answer.deny, { deliverAs: 'followUp' })
  })

  pi.on('session_before_compact', async (event, context) => {
    const answer = await decide('session_before_compact', payload(event, context))
    if (answer.deny === undefined) return
    show(context, answer.deny)
    return { cancel: true }
  })

  pi.on('session_compact', async (event, context) => {
    await observe('session_compact', payload(event, context))
  })

  pi.on('session_shutdown', async (event, context) => {
    await observe('session_shutdown', payload(event, context))
  })
}
`;
