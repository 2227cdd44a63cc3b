/** Our own command line, and the programs of agents as their dialects declare them. */

import { AGENT_PROGRAMS } from '../gen/agents.ts'
import type { Call, Effect, Programs } from '../program.ts'

const changes = (why: string) => ({ does: 'change_guards', why }) as const

export const CROSSHOOK = (): Programs => ({
  'crosshook crosshook-relay': {
    commands: {
      'untrust uninstall remove trust install add import shadow enforce': {
        does: changes('changes which hooks run'),
      },
      export: {},
      daemon: { with: { '=stop =restart =kill': { does: changes('stops the engine of the hooks') } } },
      'enroll fleet': { does: changes('changes who decides which hooks run') },
      ui: { does: changes('opens the page on which the person decides') },
      grants: { with: { '=give': { does: changes('gives a permission in the place of the person') } } },
      approvals: {
        with: { '=allow =sign =key': { does: changes('answers a question that was put to the person') } },
      },
      'list validate explain test status log doctor agents help new fire acts replay suggest verify completions demo dead-letter hook run hub':
        {},
    },
  },
})

/** Agents that are started without their hooks, or told to change them. */
export const AGENTS = (): Programs =>
  Object.fromEntries(
    Object.entries(AGENT_PROGRAMS).map(([name, { unguarded, changes }]) => [
      name,
      {
        options: { flag: unguarded },
        acts: (call: Call): readonly Effect[] => {
          if (unguarded !== '' && call.given(unguarded))
            return [{ does: 'change_guards', why: `${name} without its hooks` }]
          const words = call.operands.map(({ text }) => text.toLowerCase()).join(' ')
          const change = changes.find((each) => words === each || words.startsWith(`${each} `))
          return change === undefined ? [] : [{ does: 'change_guards', why: `${name} ${change}` }]
        },
      },
    ]),
  )
