/** The plugin itself, as text, for agents whose plugins are functions `(input, output)`. Loaded only while installing. */
/**
 * When a program that ends with its only session still answers a prompt: `idle`, at once, before it looks whether
 * there is one; `disposed`, once it has let go of the project, as long as the plugin does not let it end.
 */
export function outputPluginSource(options) {
    return `const ANSWERS = '${options.answers}'
const ENDS_WHEN_IDLE = process.argv[2] === 'run'

// Of the whole program: it may begin again with the same sessions.
const parents = new Map()
const starts = new Map()
const held = new Map()
const reasons = new Map()
const running = new Set()
let end
const ending = new Promise((resolve) => (end = resolve))

export const Crosshook = async ({ client, directory }) => {
  let isDisposed = false

  const payload = (event, sessionID, input, output) => ({
    event,
    cwd: directory,
    sessionID,
    parentID: parents.get(sessionID),
    input,
    output,
  })

  /** Nobody waits for these but the end of the program. */
  const tell = (event, sessionID, input) => {
    const call = observe(event, payload(event, sessionID, input)).finally(() => running.delete(call))
    running.add(call)
    return call
  }

  /** Once for each session, by its event or by its first prompt, whichever comes first. */
  const start = (sessionID, input) => {
    if (!starts.has(sessionID)) starts.set(sessionID, tell('session.created', sessionID, input))
    return starts.get(sessionID)
  }

  const learnParent = async (sessionID) => {
    if (parents.has(sessionID)) return
    const answer = await client.session.get({ path: { id: sessionID } }).catch(() => undefined)
    if (!parents.has(sessionID)) parents.set(sessionID, answer?.data?.parentID)
  }

  /** Context that its event cannot show goes with the next result of a tool. */
  const hold = (sessionID, text) => {
    if (text) held.set(sessionID, joined(held.get(sessionID), text))
  }
  const take = (sessionID) => {
    const text = held.get(sessionID)
    held.delete(sessionID)
    return text
  }

  const goOn = async (sessionID, answer) => {
    if (answer.deny === undefined) return
    reasons.set(sessionID, answer.deny)
    const parts = [{ type: 'text', text: answer.deny }]
    await client.session.prompt({ path: { id: sessionID }, body: { parts } })
  }

  const onIdle = (sessionID, input) => {
    if (parents.get(sessionID)) return tell('session.idle', sessionID, input)
    if (ANSWERS === 'idle')
      return goOn(sessionID, observeNow('session.idle', payload('session.idle', sessionID, input)))
    const call = tell('session.idle', sessionID, input)
      .then(async (answer) => {
        if (ENDS_WHEN_IDLE && answer.deny !== undefined) await ending
        await goOn(sessionID, answer)
      })
      .catch((error) => console.error(error.message))
      .finally(() => running.delete(call))
    running.add(call)
    return call
  }

  return {
    async event({ event }) {
      // Who has begun again hears it, too.
      if (isDisposed) return
      const { info, sessionID = info?.id } = event.properties ?? {}
      if (event.type === 'session.created') {
        parents.set(sessionID, info?.parentID)
        await start(sessionID, event)
      } else if (event.type === 'session.idle') await onIdle(sessionID, event)
      else if (event.type in COMMANDS) await tell(event.type, sessionID, event)
    },

    async 'chat.message'(input, output) {
      const id = input.sessionID
      const part = output.parts.find((each) => each.type === 'text')
      // Our own reason, not a person's prompt: as one it would begin a new turn, and the agent would never end.
      if (part && reasons.get(id) === part.text) return void reasons.delete(id)
      await learnParent(id)
      const { context } = await start(id, { type: 'session.created', properties: { sessionID: id } })
      starts.set(id, {})
      // The prompt of a subagent is no person's.
      const answer = parents.get(id) ? {} : await decide('chat.message', payload('chat.message', id, input, output))
      if (answer.deny !== undefined) throw new Error(answer.deny)
      if (part) part.text = joined(answer.prompt ?? part.text, context, answer.context, take(id))
    },

    async 'tool.execute.before'(input, output) {
      await learnParent(input.sessionID)
      const answer = await decide(
        'tool.execute.before',
        payload('tool.execute.before', input.sessionID, input, output),
      )
      if (answer.deny !== undefined) throw new Error(joined(answer.deny, answer.context))
      // In place: another object would be ignored.
      if (answer.input) {
        for (const key of Object.keys(output.args)) delete output.args[key]
        Object.assign(output.args, answer.input)
      }
      hold(input.sessionID, answer.context)
    },

    async 'tool.execute.after'(input, output) {
      const answer = await observe(
        'tool.execute.after',
        payload('tool.execute.after', input.sessionID, input, output),
      )
      const added = joined(take(input.sessionID), answer.deny, answer.context)
      if (Array.isArray(output.content)) {
        if (answer.output !== undefined) output.content = [{ type: 'text', text: answer.output }]
        if (added) output.content.push({ type: 'text', text: added })
      } else if (added || answer.output !== undefined) output.output = joined(answer.output ?? output.output, added)
    },

    async 'experimental.session.compacting'(input, output) {
      const answer = await tell('experimental.session.compacting', input.sessionID, input)
      if (answer.context) output.context.push(answer.context)
    },

    async dispose() {
      isDisposed = true
      end()
      while (running.size > 0) await Promise.allSettled(running)
      const roots = [...starts.keys()].filter((id) => !parents.get(id))
      await Promise.allSettled(roots.map((id) => tell('dispose', id, null)))
    },
  }
}
`;
}
