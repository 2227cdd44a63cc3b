/** Who may answer a question, and whether those who did are enough. */

import type { Approver } from '../config/settings.ts'
import type { Answer, Question } from './question.ts'

/** The name under which the person at this machine can be listed among a hook's approvers. */
export const LOCAL = 'local'

export type Required = Pick<Question, 'approvers' | 'approvals'>

/** `by` is a name that was proven: by a key, a passkey, a service's signature, or `local` by the machine itself. */
export function mayAnswer({ approvers, approvals }: Required, by: string): boolean {
  if (approvers.length > 0) return approvers.includes(by)
  // Two buttons may be pressed by one person: where several are needed, only who has a name counts.
  return approvals <= 1 || !isNameless(by)
}

/** What channels call whoever answered there when the settings have no name for them. */
const NAMELESS = /^(?:webhook|ntfy|slack:.*)$/

export function isNameless(by: string): boolean {
  return NAMELESS.test(by)
}

const PROOFS = ['key', 'passkey', 'slack'] as const

/** With what an approver of the settings has proven the name. */
export function proofOf(approver: Approver, by: (typeof PROOFS)[number]): string {
  return `${by} ${approver[by]}`
}

/** Do the settings still give the name to whoever had proven it? Names that do not come from there stand. */
export function isStill(
  { by, proof }: Pick<Answer, 'by' | 'proof'>,
  approvers: readonly Approver[],
): boolean {
  if (proof === undefined) return true
  return approvers.some((each) => each.name === by && PROOFS.some((kind) => proofOf(each, kind) === proof))
}

/** Somebody who said yes: under one name, with all names that the same key or account has. */
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
    // Only who may answer for each of them may answer at all.
    approvers: others.length === 0 ? first : common(first, others),
    approvals: Math.max(1, ...hooks.map(({ approvals }) => approvals ?? 1)),
  }
}

function common(first: readonly string[], others: readonly (readonly string[])[]): readonly string[] {
  const left = first.filter((name) => others.every((list) => list.includes(name)))
  // Nobody may: a name that no approver can have keeps the list from meaning "everybody".
  return left.length > 0 ? left : ['\0nobody']
}
