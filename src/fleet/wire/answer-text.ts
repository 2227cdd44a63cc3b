/** What a person signs when answering a machine's question: which question, about exactly what, and how. */

export interface SignedAnswer {
  id: string
  input_digest: string
  decision: 'allow' | 'deny'
  scope: string
  reason: string
}

export function answerText({ id, input_digest, decision, scope, reason }: SignedAnswer): string {
  return JSON.stringify([id, input_digest, decision, scope, reason])
}
