/** Journal records: each question, each answer with who, where and when, each grant used. */

import type { Journal, JournalEntry } from '../journal/port.ts'
import { type Answer, GONE, type Question } from './question.ts'

/** Event name of these records. */
export const APPROVAL = 'approval'

type Door = JournalEntry['source']

export function noteAsked(journal: Journal, question: Question, source: Door): string | undefined {
  return append(journal, question, { decision: 'ask', reason: question.why, source })
}

export function noteAnswered(
  journal: Journal,
  question: Question,
  answer: Answer,
  source: Door,
): string | undefined {
  const { decision, words, by, via, at, scope, until, digest, signature, votes } = answer
  return append(journal, question, {
    decision,
    reason:
      by === GONE
        ? 'the agent has gone before anybody answered'
        : `${decision === 'allow' ? 'allowed' : 'denied'} by ${by} (${via})${words === '' ? '' : `: ${words}`}`,
    duration_ms: Math.max(0, Date.parse(at) - Date.parse(question.at)),
    source,
    approval: {
      by,
      via,
      at,
      scope,
      digest,
      signature,
      ...(until ? { until } : {}),
      ...(votes ? { votes } : {}),
    },
  })
}

export function noteGrant(
  journal: Journal,
  question: Pick<Question, 'agent' | 'session_id' | 'work_dir' | 'tool_name' | 'id' | 'summary'>,
  reason: string,
  source: Door,
): string | undefined {
  return append(journal, question, { decision: 'allow', reason, source })
}

/** Returns a sentence when it could not be stored. */
function append(
  journal: Journal,
  { agent, session_id, work_dir, tool_name, id, summary }: Parameters<typeof noteGrant>[1],
  more: Pick<JournalEntry, 'decision' | 'reason' | 'source'> & Partial<JournalEntry>,
): string | undefined {
  const { error } = journal.append({
    event: APPROVAL,
    agent,
    session_id,
    work_dir,
    tool_name,
    subject: id,
    detail: summary,
    stop: null,
    duration_ms: 0,
    hooks: [],
    ...more,
  })
  return error?.message
}
