/** What the model is told about an answer. It reads the reason of a deny, so that says what to do next. */

import type { Answer, Question } from './question.ts'
import { GONE, SILENCE } from './question.ts'
import { LOCAL } from './who.ts'

/** As the model reads it. */
export function personWords(by: string): string {
  return by === LOCAL ? 'The person' : by
}

export function allowedReason({ by, via }: Pick<Answer, 'by' | 'via'>): string {
  return `Allowed by ${by === LOCAL ? 'the person' : by} (${via}).`
}

export function deniedReason(
  { why }: Pick<Question, 'why'>,
  { by, words }: Pick<Answer, 'by' | 'words'>,
): string {
  const said =
    words.trim() === ''
      ? `${personWords(by)} was asked and said no.`
      : `${personWords(by)} was asked and said no: ${words.trim()}`
  return `${said}\nWhy it was asked: ${why}\nDo not try the same in other words; do something else, or ask the person what they want.`
}

export function silentReason({ why, id }: Pick<Question, 'why' | 'id'>, seconds: number): string {
  return `A person was asked and has not answered within ${Math.round(seconds)} seconds, so this is refused for now.\nWhy it was asked: ${why}\nThe question stays open as ${id}: if the person says yes later, the same call will be allowed once. Go on with something else, or wait and try exactly this again.`
}

export function unheardReason({ why, id }: Pick<Question, 'why' | 'id'>): string {
  return `This needs a person's yes, and nobody could be asked now, so it is refused.\nWhy: ${why}\nTell the person: \`crosshook approvals allow ${id}\`, run by them, lets exactly this call through once; then try it again. (To be asked right away they can keep \`crosshook approvals\` or \`crosshook ui\` open, or set [approvals] in config.toml.)`
}

export function floodReason(count: number, why: string): string {
  return `More than ${count} questions in a minute: the person is not asked about this one, and it is refused.\nWhy it would have been asked: ${why}\nStop asking. Do what needs no permission, or end your turn and say what you need.`
}

export function changedReason({ why }: Pick<Question, 'why'>): string {
  return `A person said yes, but the script that this would run has changed since they saw it, so it is refused.\nWhy it was asked: ${why}\nTry the call again: it is a new question.`
}

export function brokenReason(why: string, trouble: string): string {
  return `This needs a person's yes, and the question could not be asked: ${trouble}. It is refused.\nWhy it would have been asked: ${why}`
}

/** Nobody answered: a late yes is still valid for the next equal call. */
export function isSilence({ by }: Pick<Answer, 'by'>): boolean {
  return by === SILENCE || by === GONE
}

export function closedWords({ by }: Pick<Answer, 'by'>): string {
  return by === GONE ? 'since its agent has gone' : 'since nobody answered in time'
}
