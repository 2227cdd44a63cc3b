/** Our own command line, and the programs of agents as their dialects declare them. */

import { GUARD_COMMANDS, guardChange } from '../../spec/guard-commands.ts'
import { AGENT_PROGRAMS } from '../gen/agents.ts'
import type { Call, Effect, Programs } from '../program.ts'
import { asksNoMore } from '../unasked.ts'

export const CROSSHOOK = (): Programs => ({
  'crosshook crosshook-relay': {
    acts: ({ operands: [command, word], given }): readonly Effect[] => {
      if (command?.unknown)
        return [{ does: 'change_guards', certain: false, why: 'a command that is not known' }]
      const why = guardChange({
        name: command?.text ?? '',
        word: word?.text,
        has: (option) => given(`--${option}`),
      })
      if (why !== undefined) return [{ does: 'change_guards', why }]
      const isOpen = word?.unknown && Object.hasOwn(GUARD_COMMANDS, command?.text ?? '')
      return isOpen ? [{ does: 'change_guards', certain: false, why: 'a command that is not known' }] : []
    },
  },
})

/** Agents that are started without their hooks, with settings of another folder, or told to change them. */
export const AGENTS = (): Programs =>
  Object.fromEntries(
    Object.entries(AGENT_PROGRAMS).map(
      ([name, { unguarded = '', unasked = [], settings, variables = [], changes = [] }]) => [
        name,
        {
          options: {
            flag: [unguarded, ...unasked.filter((each) => !each.includes('='))].join(' '),
            value: [
              ...(settings ? [settings.options] : []),
              ...unasked.filter((each) => each.includes('=')).map((each) => each.split('=')[0]),
            ].join(' '),
          },
          steered: [...MOVES_HOME, ...variables],
          acts: (call: Call): readonly Effect[] => {
            if (unguarded !== '' && call.given(unguarded))
              return [{ does: 'change_guards', why: `${name} without its hooks` }]
            const given = settings ? call.values(settings.options) : []
            if (given.some(({ text }) => settings!.begin.some((each) => text.toLowerCase().startsWith(each))))
              return [{ does: 'change_guards', why: `${name} with other settings of its hooks` }]
            const moved = [...MOVES_HOME, ...variables].find((each) => call.env.has(each))
            if (moved !== undefined)
              return [{ does: 'change_guards', why: `${moved} gives ${name} other settings` }]
            const free = unasked.find((each) => {
              const [option = '', value] = each.split('=')
              return value === undefined
                ? call.given(option)
                : call.values(option).some(({ text }) => text === value)
            })
            if (free !== undefined || asksNoMore(call.args))
              return [{ does: 'escalate', place: 'machine', why: `${name} runs every tool without asking` }]
            const words = call.operands.map(({ text }) => text.toLowerCase()).join(' ')
            const change = changes.find((each) => words === each || words.startsWith(`${each} `))
            return change === undefined ? [] : [{ does: 'change_guards', why: `${name} ${change}` }]
          },
        },
      ],
    ),
  )

/** Every agent finds its own files below these. */
const MOVES_HOME = ['HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'APPDATA']
