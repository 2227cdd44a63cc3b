/** Keys that work everywhere: `g` and a letter for a view, `/` for the filters, `?` for this list. */

import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ViewRow } from '../frame.tsx'
import { go, link } from '../router.ts'

const isShown = signal(false)
/** Longest time between `g` and its letter. */
const KEY_PAUSE_MS = 1500

export function useShortcuts(views: readonly ViewRow[]): void {
  useEffect(() => {
    let since = 0
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        target.closest('input, select, textarea, [contenteditable]')
      )
        return
      if (event.key === 'g') since = event.timeStamp
      else if (event.timeStamp - since < KEY_PAUSE_MS && since > 0) {
        since = 0
        const view = views.find(({ key }) => key === event.key)
        if (view) go(link(view.name))
      } else if (event.key === '?') isShown.value = !isShown.value
      else if (event.key === '/') {
        event.preventDefault()
        document.querySelector<HTMLElement>('.filters input')?.focus()
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

export function Keys({ views }: { views: readonly ViewRow[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isShown.value) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isShown.value])
  return (
    <dialog ref={dialog} class="keys" aria-label="Keys" onClose={() => (isShown.value = false)}>
      <h2>Keys</h2>
      <dl>
        {views.map(({ key, title }) => (
          <div key={key}>
            <dt>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>filter</dd>
        </div>
        <div>
          <dt>
            <kbd>↑</kbd> <kbd>↓</kbd> <kbd>Enter</kbd>
          </dt>
          <dd>in lists</dd>
        </div>
      </dl>
      <button type="button" onClick={() => (isShown.value = false)}>
        Close
      </button>
    </dialog>
  )
}
