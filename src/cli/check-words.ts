/** What `check` found, for people. */

import { TOOLS } from '../spec/tool.ts'
import { actsTree } from './acts-words.ts'
import type { Checked } from './check.ts'
import type { Painter } from './paint.ts'
import { plural } from './print.ts'
import { SKIPPED_WORDS } from './status-words.ts'
import { brief, columns } from './table.ts'
import { visible } from './visible.ts'

const DECISIONS = {
  allow: { text: 'allowed', colour: 'green' },
  ask: { text: 'asked about', colour: 'yellow' },
  deny: { text: 'denied', colour: 'red' },
  unasked: { text: 'not asked: it calls no hook for this tool', colour: 'dim' },
} as const satisfies Record<string, { text: string; colour: keyof Painter }>

export function checkWords(checked: Checked, paint: Painter, isWhy: boolean): string {
  const { tool, input, acts, verdict, agents } = checked
  const { text, colour } = DECISIONS[verdict.decision]
  const by = verdict.by.length > 0 ? ` by ${paint.bold(visible(verdict.by.join(', ')))}` : ''
  return [
    `${paint.bold(visible(tool))}  ${subject(tool, input)}\n`,
    acts.length > 0 ? actsTree(acts, paint).replace(/^(?=.)/gm, '  ') : '',
    `${paint[colour](text)}${by}${verdict.reason ? `: ${visible(verdict.reason)}` : ''}\n`,
    verdict.rewritten ? `${paint.yellow('rewritten')} to ${subject(tool, verdict.rewritten)}\n` : '',
    agentLines(agents, paint),
    isWhy ? whyLines(checked, paint) : '',
  ].join('')
}

function subject(tool: string, input: Record<string, unknown>): string {
  const fields: readonly string[] = Object.hasOwn(TOOLS, tool) ? TOOLS[tool as keyof typeof TOOLS].fields : []
  const value = input[fields[0] ?? '']
  return brief(typeof value === 'string' ? value : JSON.stringify(input), 200)
}

function agentLines(agents: Checked['agents'], paint: Painter): string {
  if (agents.length === 0) return paint.dim('No agent was found: `crosshook setup` looks for them.\n')
  return columns(
    agents.map((verdict) => {
      const { text, colour } = DECISIONS[verdict.decision]
      const notes = 'notes' in verdict ? verdict.notes.join('; ') : ''
      return [paint.dim('in'), verdict.title, paint[colour](text), paint.dim(visible(notes))]
    }),
    '  ',
  )
}

/** Every hook that was asked, and the agents' own replies. */
function whyLines({ verdict, agents }: Checked, paint: Painter): string {
  const hooks = verdict.result.hooks.map(({ name, status, reason, error, skipped }) => [
    paint.bold(visible(name)),
    status === 'skipped' ? SKIPPED_WORDS[skipped ?? 'no_match'] : status,
    brief(reason ?? error ?? '', 100),
  ])
  const replies = agents.flatMap((each) => ('reply' in each ? [replyWords(each, paint)] : []))
  return `\n${plural(hooks.length, 'hook')} had a say:\n${columns(hooks, '  ')}${replies.join('')}`
}

function replyWords(
  { title, event, reply }: Extract<Checked['agents'][number], { reply: object }>,
  paint: Painter,
): string {
  const lines = [reply.stdout, reply.stderr].map((text) => text.trim()).filter((text) => text !== '')
  const said = lines.length > 0 ? lines.map(visible).join('\n    ') : paint.dim('nothing')
  return `\n${paint.bold(title)} ${event} is told, with exit code ${reply.exit_code}:\n    ${said}\n`
}
