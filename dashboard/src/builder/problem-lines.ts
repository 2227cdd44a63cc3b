/** Shows the problems of a line after its text. */

import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import type { DraftProblem } from './state.ts'

const show = StateEffect.define<readonly DraftProblem[]>()

class Words extends WidgetType {
  readonly problem: DraftProblem
  constructor(problem: DraftProblem) {
    super()
    this.problem = problem
  }
  override eq(other: Words): boolean {
    return other.problem.message === this.problem.message
  }
  toDOM(): HTMLElement {
    const made = document.createElement('span')
    made.className = `problem-words ${this.problem.level}`
    made.textContent = ` ${this.problem.message} ${this.problem.fix}`
    return made
  }
}

export const problemLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(show)) {
        const { doc } = transaction.state
        const ranges = effect.value.flatMap((problem) => {
          const line = doc.line(Math.max(1, Math.min(problem.line, doc.lines)))
          return [
            Decoration.line({ class: `problem-line ${problem.level}` }).range(line.from),
            Decoration.widget({ widget: new Words(problem), side: 1 }).range(line.to),
          ]
        })
        return Decoration.set(ranges, true)
      }
    return before.map(transaction.changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

export function showProblems(view: EditorView, problems: readonly DraftProblem[]): void {
  view.dispatch({ effects: show.of(problems) })
}
