/** The completion list at the cursor: arrows choose, Enter or Tab takes, Escape closes, Ctrl-Space asks for it. */

import { type EditorState, StateEffect, StateField } from '@codemirror/state'
import { type EditorView, type KeyBinding, showTooltip } from '@codemirror/view'
import { type Choices, choicesAt } from './complete.ts'

interface Shown extends Choices {
  chosen: number
}

const show = StateEffect.define<Shown | undefined>()

export function popup(schema: unknown) {
  const field = StateField.define<Shown | undefined>({
    create: () => undefined,
    update(before, transaction) {
      for (const effect of transaction.effects) if (effect.is(show)) return effect.value
      if (transaction.docChanged)
        return transaction.isUserEvent('input') || transaction.isUserEvent('delete')
          ? fresh(transaction.state, false)
          : undefined
      return transaction.selection ? undefined : before
    },
    provide: (self) =>
      showTooltip.from(self, (shown) =>
        shown ? { pos: shown.from, above: false, create: (view) => ({ dom: listOf(view, shown) }) } : null,
      ),
  })
  const fresh = (state: EditorState, isAsked: boolean): Shown | undefined => {
    const found = choicesAt(state, schema, isAsked)
    return found && { ...found, chosen: 0 }
  }
  const take = (view: EditorView, index?: number): boolean => {
    const shown = view.state.field(field)
    if (!shown) return false
    const { text } = shown.all[index ?? shown.chosen]!
    const { head } = view.state.selection.main
    view.dispatch({
      changes: { from: shown.from, to: head, insert: text },
      selection: { anchor: shown.from + text.length },
      effects: show.of(undefined),
      userEvent: 'complete',
    })
    return true
  }
  const move = (by: number) => (view: EditorView) => {
    const shown = view.state.field(field)
    if (!shown) return false
    const chosen = (shown.chosen + by + shown.all.length) % shown.all.length
    view.dispatch({ effects: show.of({ ...shown, chosen }) })
    return true
  }
  const listOf = (view: EditorView, { all, chosen }: Shown): HTMLElement => {
    const list = document.createElement('ul')
    list.className = 'completions'
    list.setAttribute('role', 'listbox')
    list.setAttribute('aria-label', 'What can be written here')
    for (const [i, { label, info }] of all.entries()) {
      const item = document.createElement('li')
      item.setAttribute('role', 'option')
      item.setAttribute('aria-selected', String(i === chosen))
      const name = document.createElement('strong')
      name.textContent = label
      item.append(name)
      if (info) item.append(` ${info}`)
      item.onmousedown = (event) => {
        event.preventDefault()
        take(view, i)
      }
      list.append(item)
    }
    requestAnimationFrame(() => list.children[chosen]?.scrollIntoView({ block: 'nearest' }))
    return list
  }
  const keys: KeyBinding[] = [
    { key: 'ArrowDown', run: move(1) },
    { key: 'ArrowUp', run: move(-1) },
    { key: 'Enter', run: (view) => take(view) },
    { key: 'Tab', run: (view) => take(view) },
    {
      key: 'Escape',
      run: (view) => {
        if (!view.state.field(field)) return false
        view.dispatch({ effects: show.of(undefined) })
        return true
      },
    },
    {
      key: 'Ctrl-Space',
      run: (view) => {
        view.dispatch({ effects: show.of(fresh(view.state, true)) })
        return true
      },
    },
  ]
  return { field, keys }
}
