/** Commands about what happened: the journal, replay, questions to people, failures. */

import { type Command, command } from './command-row.ts'

export const HISTORY: readonly Command[] = [
  command(
    'log',
    ['[NUMBER]'],
    'show what ran, how long, what it decided, and why; one event in full by its number',
    {
      follow: { text: 'keep showing new events', short: 'f' },
      limit: { value: 'N', text: 'number of newest events (default: 20)' },
      session: { value: 'ID', text: 'only this session' },
      hook: { value: 'NAME', text: 'only events on which this hook was asked' },
      agent: { value: 'ID', text: 'only calls of this agent' },
      tool: { value: 'NAME', text: 'only calls of this tool' },
      text: { value: 'TEXT', text: 'only records with this text anywhere in them' },
      failed: { text: 'only events on which a hook failed' },
      decision: { value: 'allow|ask|deny', text: 'only this decision' },
      event: { value: 'EVENT', text: 'only this event' },
      since: { value: 'TIME', text: 'not older: 90s, 10m, 1h, 7d, or a date' },
    },
    () => import('./log.ts'),
  ),
  command(
    'stats',
    [],
    'show how often each hook ran, what it decided and how long it took',
    {
      since: { value: 'TIME', text: 'not older: 24h, 7d (default), 4w, or a date' },
      by: { value: 'hook|agent|tool|project|day|hour', text: 'group runs of hooks by this' },
      hook: { value: 'NAME', text: 'only this hook' },
      agent: { value: 'ID', text: 'only this agent' },
      tool: { value: 'NAME', text: 'only this tool' },
      project: { value: 'DIR', text: 'only this project' },
    },
    () => import('./stats.ts'),
  ),
  command(
    'replay',
    [],
    "say what today's hooks would have decided about past calls; runs no tool",
    {
      since: { value: 'TIME', text: 'not older: 24h, 7d, 30d (default), or a date' },
      agent: { value: 'ID', text: 'only calls of this agent', multiple: true },
      hook: {
        value: 'PATH',
        text: 'by the hooks of this file or folder, instead of those of today',
        multiple: true,
      },
      transcripts: {
        value: 'PATH',
        text: "the transcripts of this file or folder, instead of the agents' own and the journal",
        multiple: true,
      },
      against: {
        value: 'REV|FOLDER',
        text: 'compare with the hooks of a folder, or of the project at a commit, instead of with what happened',
      },
      run: { text: 'also run hooks that are programs: confined, in an empty folder, without network' },
      budget: { value: 'SECONDS', text: 'for all programs together, with --run (default: 60)' },
      sarif: { text: 'print SARIF, for viewers and code scanning' },
      html: { text: 'print one HTML file' },
      cases: { text: 'print each kind of change as a line for cases.yaml, without secrets' },
    },
    () => import('./replay.ts'),
  ),
  command(
    'approvals',
    ['[list|show|allow|deny|sign|key]', '[ID]', '[allow|deny]'],
    'answer what agents wait for: a live list in a terminal, or one answer',
    {
      words: { value: 'TEXT', text: 'what the model is told' },
      scope: { value: 'once|session|project', text: 'scope of a yes (default: once)' },
      for: { value: '8h', text: 'how long a yes beyond once is valid (default: 8h)' },
      all: { text: 'also list what was answered or is too late' },
      digest: { value: 'HEX', text: 'with sign: the digest that you were shown' },
      as: { value: 'NAME', text: 'with sign: the name that the settings give to your key' },
      send: { value: 'URL', text: 'with sign: where the machine that asks takes answers' },
    },
    () => import('./approvals.ts'),
  ),
  command(
    'grants',
    ['[list|give|revoke]', '[ID]'],
    'permissions that are still valid, and suggestions for new ones',
    {
      scope: { value: 'once|session|project', text: 'with give: its scope (default: project)' },
      for: { value: '8h', text: 'with give: how long it is valid (default: 8h)' },
    },
    () => import('./grants.ts'),
  ),
  command(
    'suggest',
    [],
    'suggest guards for what ran without one, and conditions for guards that ask in vain; changes nothing',
    {
      since: { value: 'TIME', text: 'not older: 24h, 7d, 30d (default), or a date' },
      agent: { value: 'ID', text: 'only calls of this agent', multiple: true },
      transcripts: {
        value: 'PATH',
        text: "the transcripts of this file or folder, instead of the agents' own",
        multiple: true,
      },
    },
    () => import('./suggest.ts'),
  ),
  command(
    'dead-letter',
    ['[list|show|resolve]', '[ID]'],
    'show hooks that failed after all attempts, and resolve them',
    { reason: { value: 'TEXT', text: 'what was done about it (resolve)' } },
    () => import('./dead-letter.ts'),
  ),
  command(
    'status',
    [],
    'show totals, failures, and whether the daemon runs',
    {},
    () => import('./status.ts'),
  ),
]
