import type { ComponentChildren } from 'preact'
import type { Problem } from '../api.ts'
import { Text } from './text.tsx'

/** Says that there is nothing, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** What went wrong, and what to do. */
export function ProblemBox({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>
          <Text of={problem.detail} />
        </strong>
      </p>
      {problem.fix && (
        <p>
          <Text of={problem.fix} />
        </p>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}
