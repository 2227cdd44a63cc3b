/** Our own command line, and the programs of agents as their dialects declare them. */
import { GUARD_COMMANDS, guardChange } from '../../spec/guard-commands.ts';
import { AGENT_PROGRAMS } from '../gen/agents.ts';
export const CROSSHOOK = () => ({
    'crosshook crosshook-relay': {
        acts: ({ operands: [command, word], given }) => {
            if (command?.unknown)
                return [{ does: 'change_guards', certain: false, why: 'a command that is not known' }];
            const why = guardChange({
                name: command?.text ?? '',
                word: word?.text,
                has: (option) => given(`--${option}`),
            });
            if (why !== undefined)
                return [{ does: 'change_guards', why }];
            const isOpen = word?.unknown && Object.hasOwn(GUARD_COMMANDS, command?.text ?? '');
            return isOpen ? [{ does: 'change_guards', certain: false, why: 'a command that is not known' }] : [];
        },
    },
});
/** Agents that are started without their hooks, or told to change them. */
export const AGENTS = () => Object.fromEntries(Object.entries(AGENT_PROGRAMS).map(([name, { unguarded, changes }]) => [
    name,
    {
        options: { flag: unguarded },
        acts: (call) => {
            if (unguarded !== '' && call.given(unguarded))
                return [{ does: 'change_guards', why: `${name} without its hooks` }];
            const words = call.operands.map(({ text }) => text.toLowerCase()).join(' ');
            const change = changes.find((each) => words === each || words.startsWith(`${each} `));
            return change === undefined ? [] : [{ does: 'change_guards', why: `${name} ${change}` }];
        },
    },
]));
