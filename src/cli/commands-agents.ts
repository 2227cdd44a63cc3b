/** Commands that connect agents with crosshook, and prove it. */

import { type Command, command } from './command-row.ts'

export const AGENTS: readonly Command[] = [
  command(
    'install',
    ['[AGENT]…'],
    "add crosshook to the agents' own settings",
    {
      project: { text: "into this project's settings instead of yours" },
      managed: {
        text: 'as root, for every user of this machine: nobody but root can change or switch it off',
      },
      portable: {
        text: 'files to commit with this repository, for hosted agents: crosshook is found where they run',
      },
      npx: { text: 'with --portable: where it is not found, npx may fetch this version' },
      http: { text: 'as URLs of the daemon where the agent has HTTP hooks, as commands elsewhere' },
      fail: {
        value: 'open',
        text: 'when crosshook cannot run, let calls pass with a notice (default: they are refused)',
      },
      'all-events': { text: 'also for events that no hook listens to yet' },
      'dry-run': { text: 'write nothing, show the diff' },
      yes: { text: 'ask nothing, and agree to what needs your consent' },
    },
    () => import('./install.ts'),
  ),
  command(
    'uninstall',
    ['[AGENT]…'],
    "remove crosshook from the agents' settings",
    {
      project: { text: "from this project's settings instead of yours" },
      managed: { text: 'as root: the installation for every user of this machine' },
      portable: { text: 'what --portable has put into this repository' },
      purge: {
        text: 'also guards that were added and not changed, the journal, trust, caches: everything but what you wrote',
      },
      'dry-run': { text: 'write nothing, show the diff' },
      yes: { text: 'ask nothing' },
    },
    () => import('./uninstall.ts'),
  ),
  {
    ...command(
      'managed',
      ['COMMAND…'],
      'as root: a command with the journal, policy and settings of the managed installation',
      {},
      () => import('./managed.ts'),
    ),
    passesOn: true,
  },
  command(
    'engine',
    [],
    "answer agents' calls from a warm process; the relay's first call starts it",
    { replace: { text: 'replace a running one' } },
    () => import('../host/relay/engine.ts'),
    true,
  ),
  command(
    'resident',
    [],
    'answer every user of this machine; the gate of a managed installation starts it',
    {},
    () => import('../host/relay/resident.ts'),
    true,
  ),
  command(
    'doctor',
    ['[AGENT]'],
    'prove that each agent calls crosshook and gets its answer',
    { managed: { text: 'check the managed installation of this machine instead' } },
    () => import('./doctor.ts'),
  ),
  command(
    'verify',
    [],
    "show hook entries in agents' settings that crosshook did not write",
    {
      accept: { value: 'FINGERPRINT', text: 'you know this entry', multiple: true },
      journal: { text: 'check the journal instead: records removed, altered, reordered or cut' },
    },
    () => import('./verify.ts'),
  ),
  command(
    'import',
    ['AGENT'],
    "run an agent's own hooks in every other agent",
    {
      copy: { text: 'copy them to hook folders of your own instead' },
      project: { text: "with --copy: the project's hooks, into the project" },
      'dry-run': { text: 'write nothing, show what would be written' },
    },
    () => import('./import.ts'),
  ),
  command(
    'export',
    ['AGENT'],
    "print crosshook's hooks as entries of an agent's own settings",
    { project: { text: "the project's hooks instead of yours" } },
    () => import('./export.ts'),
  ),
  command(
    'run-hook',
    ['AGENT', 'EVENT', 'NAME'],
    'answer an agent with one hook (payload on stdin)',
    {},
    () => import('./run-hook.ts'),
    true,
  ),
  command('agents', [], 'show the agents and hook formats that are known', {}, () => import('./agents.ts')),
  command(
    'completions',
    ['bash|zsh|fish'],
    'print completions for a shell',
    {},
    () => import('./completions.ts'),
  ),
]
