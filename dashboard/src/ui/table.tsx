import type { ComponentChildren } from 'preact'

export interface Column<T> {
  head: string
  cell: (row: T) => ComponentChildren
  /** Figures stand at the right. */
  isNumber?: boolean
  /** The row's name: its header for screen readers. */
  isName?: boolean
}

interface TableProps<T> {
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
  /** Describes the table for screen readers. */
  caption: string
}

/** On a narrow screen each row becomes a block, and each cell names its column. */
export function Table<T>({ columns, rows, keyOf, caption }: TableProps<T>) {
  return (
    <table class="table">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, isNumber }) => (
            <th key={head} scope="col" class={isNumber ? 'number' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, cell, isNumber, isName }) =>
              isName ? (
                <th key={head} scope="row" data-head={head}>
                  {cell(row)}
                </th>
              ) : (
                <td key={head} data-head={head} class={isNumber ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
