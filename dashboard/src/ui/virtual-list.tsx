/** A list of any length: only the rows in view are there. One row can be chosen with the keyboard. */

import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core'
import type { ComponentChildren } from 'preact'
import { useEffect, useReducer, useRef, useState } from 'preact/hooks'

interface VirtualListProps {
  count: number
  /** In pixels: every row has the same. */
  rowHeight: number
  label: string
  row: (index: number) => ComponentChildren
  /** The address of a row; undefined while it is not loaded. */
  hrefOf: (index: number) => string | undefined
  onOpen: (href: string) => void
  onRange: (from: number, to: number) => void
  /** Changes when rows have come. */
  version: number
}

export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, label, row, hrefOf, onOpen, onRange } = props
  const box = useRef<HTMLDivElement>(null)
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const [active, setActive] = useState(-1)
  const options: VirtualizerOptions<HTMLDivElement, HTMLDivElement> = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(undefined as never),
  }
  const [virtualizer] = useState(() => new Virtualizer(options))
  virtualizer.setOptions(options)
  useEffect(() => virtualizer._didMount(), [virtualizer])
  useEffect(() => virtualizer._willUpdate())
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => onRange(first, last), [first, last, props.version, count])

  const move = (to: number) => {
    const next = Math.max(0, Math.min(count - 1, to))
    setActive(next)
    virtualizer.scrollToIndex(next, { align: 'auto' })
  }
  const open = (index: number, isTab: boolean) => {
    const href = hrefOf(index)
    if (href === undefined) return
    if (isTab) window.open(href, '_blank', 'noopener')
    else onOpen(href)
  }
  const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 1)
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    PageDown: () => move(Math.max(active, 0) + page),
    PageUp: () => move(active - page),
    Home: () => move(0),
    End: () => move(count - 1),
    Enter: () => open(active, false),
  }
  return (
    <div
      ref={box}
      class="virtual panel"
      style={{ '--rows': `${count * rowHeight + 2}px` }}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active >= first && active <= last ? `row-${active}` : undefined}
      onKeyDown={(event) => {
        const act = keys[event.key]
        if (!act || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        act()
      }}
    >
      <div role="presentation" style={{ height: `${virtualizer.getTotalSize()}px`, position: 'relative' }}>
        {items.map(({ index, start }) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
          <div
            key={index}
            id={`row-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            aria-posinset={index + 1}
            aria-setsize={count}
            class="event"
            style={{
              position: 'absolute',
              top: 0,
              left: 0,
              right: 0,
              height: `${rowHeight}px`,
              transform: `translateY(${start}px)`,
            }}
            onClick={(event) => {
              setActive(index)
              open(index, event.ctrlKey || event.metaKey)
            }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  )
}
