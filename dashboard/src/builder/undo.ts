/** Undo and redo. CodeMirror's own come with a parser that nothing else here needs: a tenth of the whole page. */

import { Annotation, type ChangeSet } from '@codemirror/state'
import { EditorView, type KeyBinding } from '@codemirror/view'

const step = Annotation.define<'undo' | 'redo'>()
/** Edits within this pause are undone together. */
const TYPING_PAUSE_MS = 600
const MAX_STEPS = 500

export function undo() {
  const done: ChangeSet[] = []
  const undone: ChangeSet[] = []
  let last = 0
  const listener = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return
    const back = update.changes.invert(update.startState.doc)
    const by = update.transactions.find((each) => each.annotation(step))?.annotation(step)
    const now = Date.now()
    if (by === 'undo') undone.push(back)
    else if (by === 'redo' || now - last > TYPING_PAUSE_MS || done.length === 0) done.push(back)
    else done.push(back.compose(done.pop()!))
    if (by === undefined) undone.length = 0
    if (done.length > MAX_STEPS) done.shift()
    last = by === undefined ? now : 0
  })
  const run = (stack: ChangeSet[], kind: 'undo' | 'redo') => (view: EditorView) => {
    const changes = stack.pop()
    if (changes) view.dispatch({ changes, annotations: step.of(kind), scrollIntoView: true })
    return true
  }
  const keys: KeyBinding[] = [
    { key: 'Mod-z', run: run(done, 'undo'), preventDefault: true },
    { key: 'Mod-y', mac: 'Mod-Shift-z', run: run(undone, 'redo'), preventDefault: true },
    { linux: 'Ctrl-Shift-z', run: run(undone, 'redo'), preventDefault: true },
  ]
  return { listener, keys }
}

/** A new line begins below the first character of the one before. */
export const PLAIN_KEYS: readonly KeyBinding[] = [
  {
    key: 'Enter',
    run(view) {
      const { state } = view
      const line = state.doc.lineAt(state.selection.main.from)
      const indent = /^ */.exec(line.text.slice(0, state.selection.main.from - line.from))![0]
      view.dispatch(state.replaceSelection(state.lineBreak + indent), {
        scrollIntoView: true,
        userEvent: 'input',
      })
      return true
    },
  },
  {
    key: 'Mod-a',
    run(view) {
      view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } })
      return true
    },
  },
]
