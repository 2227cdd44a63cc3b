/** Commands that fire events, read hooks and say what they would decide. */

import { type Command, command, EVENT_OPTIONS, FORMAT, SOURCE } from './command-row.ts'
import type { Arguments } from './options.ts'

export const JUDGING: readonly Command[] = [
  command(
    'setup',
    [],
    'find the agents, take starter guards, install, and prove it: the place to begin',
    {
      agent: { value: 'ID', text: 'only this agent', multiple: true },
      guards: { value: 'daily|strict|none', text: 'which starter guards (default: daily)' },
      'dry-run': { text: 'write nothing, show what would be written' },
      undo: { text: 'revert what setup did' },
      yes: { text: 'ask nothing' },
    },
    () => import('./setup.ts'),
  ),
  command(
    'fire',
    ['EVENT'],
    'fire an event and show what the hooks decide',
    {
      ...EVENT_OPTIONS,
      'dry-run': { text: 'run nothing, show the plan' },
      all: { text: 'also list hooks that did not match' },
      via: { value: 'daemon', text: 'send the event to the running daemon' },
    },
    () => import('./fire.ts'),
  ),
  command('hook', ['AGENT', '[EVENT]'], "answer an agent's hook call (payload on stdin)", {}, () =>
    import('./hook.ts').then((m) => ({ run: (a: Arguments) => m.run(['hook', ...a.words], a.env) })),
  ),
  command(
    'list',
    [],
    'show every hook that was found, and whether it may run',
    { source: SOURCE, format: FORMAT },
    () => import('./list.ts'),
  ),
  command(
    'validate',
    ['[PATH]'],
    'check hooks: what is wrong, where, and how to fix it',
    { format: FORMAT },
    () => import('./validate.ts'),
  ),
  command(
    'explain',
    ['EVENT'],
    'say why each hook would or would not run; runs nothing',
    EVENT_OPTIONS,
    () => import('./explain.ts'),
  ),
  command(
    'acts',
    ['[COMMAND…]'],
    'say what a tool call does, and what could not be followed; runs nothing',
    {
      tool: { value: 'NAME', text: 'the tool (default: Shell)' },
      input: { value: 'JSON', text: "the tool's input" },
      'work-dir': { value: 'DIR', text: 'the project (default: this folder)' },
    },
    () => import('./acts.ts'),
  ),
  command(
    'check',
    ['[COMMAND|PATH|PAYLOAD…]'],
    'say what a call does, which hook decides, and what each agent would do about it',
    {
      agent: {
        value: 'ID',
        text: 'as this agent would ask (default: those that crosshook is installed in)',
        multiple: true,
      },
      tool: {
        value: 'NAME',
        text: 'the tool (default: Shell for a command, ReadFile and WriteFile for a path)',
      },
      input: { value: 'JSON', text: "the tool's input" },
      why: { text: 'also every hook that was asked, and what each agent is told' },
      'work-dir': { value: 'DIR', text: 'the project (default: this folder)' },
    },
    () => import('./check.ts'),
  ),
]
