/** Questions and grants as a terminal shows them. */

import type { Grant } from '../ask/grants.ts'
import { type Answer, GONE, type Question } from '../ask/question.ts'
import { isWaitedFor } from '../ask/waiter.ts'
import type { Painter } from './paint.ts'
import { plural } from './print.ts'
import { brief, columns } from './table.ts'
import { visible } from './visible.ts'

export function listWords(questions: readonly Question[], paint: Painter, now = Date.now()): string {
  if (questions.length === 0) return 'Nobody is asked anything now.\n'
  const rows = questions.map((question) => {
    const { id, agent_title, hooks, summary, why } = question
    const left = paint.yellow(secondsLeft(question, now))
    return `${paint.bold(id)}  ${left}  ${brief(agent_title, 30)}  ${paint.dim(brief(hooks.join(', '), 60))}\n  ${brief(summary, 200)}\n  ${paint.dim(brief(why, 200))}\n`
  })
  return `${rows.join('')}\n${plural(questions.length, 'question')}. Answer with \`crosshook approvals allow ID\` or \`deny ID --words "…"\`; \`show ID\` has all of it.\n`
}

export function secondsLeft(question: Pick<Question, 'deadline' | 'waiter'>, now = Date.now()): string {
  const left = Math.ceil((Date.parse(question.deadline) - now) / 1000)
  if (left <= 0) return 'too late'
  // Its process was killed. A yes applies to the next equal call.
  if (!isWaitedFor(question)) return 'nobody waits'
  return left >= 120 ? `${Math.floor(left / 60)} min left` : `${left} s left`
}

export function showWords(question: Question, answer: Answer | undefined, paint: Painter): string {
  const { acts, scripts, run_up, input } = question
  const facts: [string, string][] = [
    ['question', `${question.id}, ${answer ? answered(answer) : secondsLeft(question)}`],
    ['agent', `${question.agent_title}, session ${question.session_id || 'unknown'}`],
    ['folder', question.work_dir],
    ['tool', question.tool_name],
    ['asked by', question.hooks.join(', ')],
    ['why', question.why],
    ...(question.repeats === undefined
      ? []
      : [['note', `the same acts were refused in ${question.repeats}`] as [string, string]]),
    ...(question.approvers.length === 0
      ? []
      : [['approvers', question.approvers.join(', ')] as [string, string]]),
    ...(question.approvals > 1 ? [['needs', `${question.approvals} people`] as [string, string]] : []),
    ['digest', question.digest],
  ]
  const parts = [
    columns(facts.map(([name, text]) => [paint.dim(name), visible(text)])),
    `${paint.dim('would run')}\n${indented(inputText(input))}`,
    acts.length === 0
      ? ''
      : `${paint.dim('which does')}\n${acts.map((act) => `  ${actWords(act)}\n`).join('')}`,
    scripts.length === 0
      ? ''
      : `${paint.dim('with the scripts')}\n${scripts.map(({ path, digest }) => `  ${visible(path)}  ${digest?.slice(0, 12) ?? 'could not be read'}\n`).join('')}`,
    run_up.length === 0
      ? ''
      : `${paint.dim('before that')}\n${run_up.map(({ tool_name, detail, decision }) => `  ${decision}  ${brief(`${tool_name} ${detail}`, 120)}\n`).join('')}`,
  ]
  return parts.join('')
}

function answered({ decision, by, via, words }: Answer): string {
  if (by === GONE) return 'refused, since its agent has gone'
  return `${decision === 'allow' ? 'allowed' : 'denied'} by ${by} (${via})${words === '' ? '' : `: ${words}`}`
}

function actWords({ does, path, host, program, certain }: Question['acts'][number]): string {
  const to = [path, host, program && `by ${program}`].filter(Boolean).join(' ')
  return visible(`${does.replaceAll('_', ' ')} ${to}${certain ? '' : ' (guessed)'}`)
}

/** The fields of the input, each text unchanged. */
export function inputText(input: unknown): string {
  if (typeof input !== 'object' || input === null) return String(input)
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${visible(line)}\n`)
    .join('')
}

export function grantWords(grants: readonly Grant[], paint: Painter): string {
  if (grants.length === 0) return 'There are no grants.\n'
  const rows = grants.map(({ id, scope, until, agent, by, summary, project, session_id, digest }) => {
    const where = scope === 'project' ? project : `session ${session_id}`
    return `${paint.bold(id)}  ${scope}  ${paint.dim(`until ${until}  ${agent}  by ${by.join(', ')}`)}\n  ${brief(summary, 200)}\n  ${paint.dim(`${brief(where, 120)}  ${digest.slice(0, 16)}`)}\n`
  })
  return `${rows.join('')}\n${plural(grants.length, 'grant')}. \`crosshook grants revoke ID\` ends one.\n`
}
