/** Who may answer a question, and whether those who did are enough. */

import type { Approver } from '../config/settings.ts'
import type { Answer, Question } from './question.ts'

/** The name of the person at this machine among a hook's approvers. */
export const LOCAL = 'local'

export type Required = Pick<Question, 'approvers' | 'approvals'>

/** `by` is a proven name: by a key, a passkey, a service's signature, or `local` by the machine itself. */
export function mayAnswer({ approvers, approvals }: Required, by: string): boolean {
  if (approvers.length > 0) return approvers.includes(by)
  // One person may press two buttons: where several people are needed, only named ones count.
  return approvals <= 1 || !isNameless(by)
}

/** Names that channels use for people without a name in the settings. */
const NAMELESS = /^(?:webhook|ntfy|slack:.*)$/

export function isNameless(by: string): boolean {
  return NAMELESS.test(by)
}

const PROOFS = ['key', 'passkey', 'slack'] as const

/** What proves an approver's name in the settings. */
export function proofOf(approver: Approver, by: (typeof PROOFS)[number]): string {
  return `${by} ${approver[by]}`
}

/** Do the settings still give the name to the person who proved it? Names from elsewhere stay valid. */
export function isStill(
  { by, proof }: Pick<Answer, 'by' | 'proof'>,
  approvers: readonly Approver[],
): boolean {
  if (proof === undefined) return true
  return approvers.some((each) => each.name === by && PROOFS.some((kind) => proofOf(each, kind) === proof))
}

/** Somebody who said yes: under one name, with all names of the same key or account. */
export type Voter = { by: string; names?: readonly string[] }

export function isSamePerson(one: Voter, other: Voter): boolean {
  return (
    one.by === other.by || one.names?.includes(other.by) === true || other.names?.includes(one.by) === true
  )
}

/** One name for each person. */
export function peopleOf(voters: readonly Voter[]): string[] {
  const people: Voter[] = []
  for (const voter of voters) if (!people.some((each) => isSamePerson(each, voter))) people.push(voter)
  return people.map(({ by }) => by)
}

/** Different people, each of whom may. */
export function satisfies(by: readonly string[], required: Required): boolean {
  const people = new Set(by.filter((name) => mayAnswer(required, name)))
  return people.size >= required.approvals
}

/** What several hooks require together: everybody's lists, and the largest number. */
export function requiredBy(hooks: readonly Partial<Required>[]): Required {
  const lists = hooks.flatMap(({ approvers }) => (approvers && approvers.length > 0 ? [approvers] : []))
  const [first = [], ...others] = lists
  return {
    // Only people who may answer for each of them may answer.
    approvers: others.length === 0 ? first : common(first, others),
    approvals: Math.max(1, ...hooks.map(({ approvals }) => approvals ?? 1)),
  }
}

function common(first: readonly string[], others: readonly (readonly string[])[]): readonly string[] {
  const left = first.filter((name) => others.every((list) => list.includes(name)))
  // An impossible name, because an empty list would mean "everybody".
  return left.length > 0 ? left : ['\0nobody']
}
