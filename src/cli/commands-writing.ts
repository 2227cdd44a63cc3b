/** Commands that make, change, test and trust hooks. */

import { type Command, command } from './command-row.ts'
import type { Arguments } from './options.ts'

export const WRITING: readonly Command[] = [
  command(
    'new',
    ['[NAME]'],
    'make a hook to start from',
    {
      trigger: { value: 'EVENT', text: 'when it runs (default: before_tool)' },
      lang: { value: 'sh|py|ts', text: 'language of its script (default: sh)' },
      template: { value: 'NAME', text: 'start from this template' },
      templates: { text: 'show the templates' },
      project: { text: 'for this project (the default)' },
      user: { text: 'for you, in every project' },
    },
    () => import('./new.ts'),
  ),
  command(
    'edit',
    ['NAME'],
    'change fields of a hook and keep every other byte of its HOOK.md',
    {
      set: {
        value: 'FIELD=VALUE',
        text: 'such as matcher.tool=Shell or after=[a,b]; JSON or text',
        multiple: true,
      },
      unset: { value: 'FIELD', text: 'remove this field', multiple: true },
      user: { text: 'your own hook' },
      project: { text: "the project's hook" },
      'dry-run': { text: 'write nothing, show the diff and what it would have changed' },
    },
    () => import('./edit.ts'),
  ),
]

export const SWITCHING: readonly Command[] = [
  command('disable', ['NAME'], 'switch a hook off, in config.toml', {}, () =>
    import('./disable.ts').then((m) => ({ run: (args: Arguments) => m.run(args, true) })),
  ),
  command('enable', ['NAME'], 'switch a hook on again', {}, () =>
    import('./disable.ts').then((m) => ({ run: (args: Arguments) => m.run(args, false) })),
  ),
  command('test', ['[NAME]'], 'run the cases written beside each hook', {}, () => import('./test.ts')),
  command(
    'trust',
    ['[NAME]'],
    "look at the project's hooks and let them run",
    {
      everywhere: { text: 'also the same bytes in other clones and worktrees of this repository' },
      yes: { text: 'ask nothing' },
    },
    () => import('./trust.ts'),
  ),
  command('untrust', ['[NAME]'], "withdraw trust from the project's hooks", {}, () => import('./untrust.ts')),
  command(
    'shadow',
    ['NAME'],
    'let a hook run and record what it would have decided, and decide nothing',
    {},
    () => import('./shadow.ts'),
  ),
  command('enforce', ['NAME'], 'let a hook that was in shadow decide again', {}, () => import('./shadow.ts')),
]
