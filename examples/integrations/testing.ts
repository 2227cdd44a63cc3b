/** A model that follows a script, and hooks that do one thing each; the same for every SDK. */

import { createHooks, type Hooks } from 'crosshook'
import { chat } from '../../test/agents/stand-in/chat.ts'
import { startStandIn } from '../../test/agents/stand-in/server.ts'
import type { Api, Turn } from '../../test/agents/stand-in/turn.ts'

/** What a tool was really called with. */
export type Ran = string[]

export async function scriptedModel(turns: readonly Turn[], api: Api = chat) {
  const standIn = await startStandIn(api)
  standIn.play({
    main: turns.map((turn, index) => ({ id: `${index + 1}`, turn })),
    sub: [],
    mainMarker: '',
    subMarker: 'nobody says this',
  })
  return {
    url: standIn.url,
    /** What the model was told with each question, since its last answer. */
    told: () => standIn.asked.filter(({ who }) => who === 'main').map(({ told }) => told),
    /** All that it was told with each question. */
    asked: () => standIn.asked.map(({ text }) => text),
    [Symbol.asyncDispose]: () => standIn.close(),
  }
}

export const shell = (command: string): Turn => ({ call: { tool: 'Shell', input: { command } } })
export const says = (text: string): Turn => ({ text })

/** A tool that remembers its calls; `fail` fails, `password` gives one away. */
export function runCommand(ran: Ran, command: string): string {
  ran.push(command)
  if (command.includes('fail')) throw new Error('exit status 1')
  return command.includes('password') ? 'the password is hunter2' : `ran ${command}`
}

/** The hooks under test: refuse `rm`, mend `sudo`, hide secrets, comment failures, ask before `deploy`, stop at `halt`. */
export function houseRules<H extends Hooks>(fired: string[], hooks = createHooks() as H): H {
  const matcher = { tool: 'Shell' }
  for (const event of [
    'before_agent',
    'before_model',
    'after_model',
    'before_tool',
    'after_tool',
    'after_tool_failure',
    'after_agent',
  ] as const)
    hooks.on(event, () => void fired.push(event), { name: `watch-${event}`, priority: 1000 })
  hooks.on(
    'before_tool',
    ({ tool_input }) => {
      const command = String(tool_input?.command)
      if (command.startsWith('rm ')) return { decision: 'deny', reason: 'nothing is deleted here' }
      if (command.startsWith('sudo ')) return { updated_input: { command: command.slice(5) } }
      if (command.startsWith('deploy')) return { decision: 'ask', reason: 'deploy now?' }
      if (command.startsWith('halt')) return { stop: 'the shop is closed' }
      return undefined
    },
    { name: 'commands', matcher },
  )
  hooks.on(
    'after_tool',
    ({ tool_output }) =>
      JSON.stringify(tool_output).includes('hunter2')
        ? { updated_output: 'the password is ***' }
        : { additional_context: ['remember the tests'] },
    { name: 'secrets', matcher },
  )
  hooks.on('after_tool_failure', ({ error }) => ({ additional_context: [`a failure: ${error}`] }), {
    name: 'failures',
    matcher,
  })
  hooks.on('before_model', () => ({ additional_context: ['it is Tuesday'] }), { name: 'calendar' })
  hooks.on(
    'after_model',
    ({ response }) =>
      response === 'Bother!'
        ? { decision: 'deny', reason: 'be polite' }
        : response === 'Call 555-0100.'
          ? { updated_output: 'Call us.' }
          : undefined,
    { name: 'manners' },
  )
  hooks.on(
    'before_agent',
    ({ prompt }) => (prompt?.includes('attack') ? { decision: 'deny', reason: 'not that' } : undefined),
    { name: 'prompts' },
  )
  hooks.on(
    'after_agent',
    ({ response }) => (response?.includes('nonsense') ? { decision: 'deny', reason: 'not this' } : undefined),
    { name: 'answers' },
  )
  return hooks
}
