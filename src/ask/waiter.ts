/** Does a process still wait for the answer to a question? */

import { isAlive } from '../config/is-alive.ts'
import type { Question } from './question.ts'

export function isWaitedFor({ waiter }: Pick<Question, 'waiter'>): boolean {
  return isAlive(waiter)
}
