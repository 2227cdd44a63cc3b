/** The part of the form that says when a hook runs among the others of its event. */

import { TextInput, Words } from './inputs.tsx'
import type { Part } from './part.ts'

interface OrderProps extends Pick<Part, 'builder' | 'set' | 'text'> {
  number: (path: string[], value: string) => void
}

export function Order({ builder, number, text, set }: OrderProps) {
  const order = builder.view.value?.order ?? []
  const at = order.findIndex((row) => row.is_draft)
  const after = order[at]?.after ?? []
  const others = order.filter((row) => !row.is_draft).map(({ name }) => name)
  const move = (by: -1 | 1) => {
    const other = order[at + by]
    if (other) number(['priority'], String(Math.max(0, Math.min(1000, other.priority - by))))
  }
  return (
    <section>
      <h2>Order among the other hooks of this event</h2>
      <div class="grid">
        <TextInput
          label="Priority (higher is earlier)"
          type="number"
          value={text('priority')}
          placeholder="100"
          onValue={(value) => number(['priority'], value)}
        />
      </div>
      {others.length > 0 && (
        <Words
          label="Runs after, and gets what they pass on in `data`"
          value={after}
          options={[...new Set([...others, ...after])]}
          onValue={(names) => set(['after'], names.length > 0 ? names : undefined)}
        />
      )}
      <ol class="order">
        {order.map((row, i) => (
          <li key={`${row.scope} ${row.name}`} data-draft={row.is_draft ? '' : undefined}>
            <span class="mono">{row.name}</span> <span class="soft">{row.priority}</span>
            {row.is_draft && (
              <span class="row">
                <button type="button" disabled={i === 0} onClick={() => move(-1)}>
                  earlier
                </button>
                <button type="button" disabled={i === order.length - 1} onClick={() => move(1)}>
                  later
                </button>
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
