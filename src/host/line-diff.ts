/** A unified diff of two texts, line by line. */

const CONTEXT = 3
/** Above this the table would be too large, and the texts are shown as replaced. */
const MAX_CELLS = 4_000_000

type Edit = { mark: ' ' | '-' | '+'; line: string }

/** Hunks with three lines of context; empty when the texts are equal. */
export function lineDiff(before: string, after: string): string[] {
  if (before === after) return []
  const edits = compare(lines(before), lines(after))
  const out: string[] = []
  let at = 0
  while (at < edits.length) {
    const first = edits.findIndex(({ mark }, index) => index >= at && mark !== ' ')
    if (first < 0) break
    const start = Math.max(at, first - CONTEXT)
    const end = hunkEnd(edits, first)
    out.push(heading(edits, start, end))
    for (const { mark, line } of edits.slice(start, end)) out.push(mark + line)
    at = end
  }
  return out
}

/** Ends a hunk after this many unchanged lines in a row, or at the end. */
function hunkEnd(edits: readonly Edit[], first: number): number {
  let same = 0
  for (let at = first; at < edits.length; at++) {
    same = edits[at]!.mark === ' ' ? same + 1 : 0
    if (same > CONTEXT * 2) return at - same + 1 + CONTEXT
  }
  return edits.length - Math.max(0, same - CONTEXT)
}

function heading(edits: readonly Edit[], start: number, end: number): string {
  const count = (from: number, to: number, mark: '-' | '+') =>
    edits.slice(from, to).filter((edit) => edit.mark === ' ' || edit.mark === mark).length
  const range = (mark: '-' | '+') => {
    const size = count(start, end, mark)
    return `${count(0, start, mark) + (size > 0 ? 1 : 0)},${size}`
  }
  return `@@ -${range('-')} +${range('+')} @@`
}

function lines(text: string): string[] {
  const all = text.split('\n')
  if (all.at(-1) === '') all.pop()
  return all
}

/** Longest common subsequence of what is left after the common beginning and end. */
function compare(before: readonly string[], after: readonly string[]): Edit[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++
  const edits = (list: readonly string[], mark: Edit['mark']) => list.map((line) => ({ mark, line }))
  return [
    ...edits(before.slice(0, head), ' '),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...edits(before.slice(before.length - tail), ' '),
  ]
}

function middle(before: readonly string[], after: readonly string[]): Edit[] {
  const removed = before.map((line): Edit => ({ mark: '-', line }))
  const added = after.map((line): Edit => ({ mark: '+', line }))
  if (before.length * after.length === 0 || before.length * after.length > MAX_CELLS)
    return [...removed, ...added]
  const width = after.length + 1
  const longest = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      longest[i * width + j] =
        before[i] === after[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!)
  const out: Edit[] = []
  let i = 0
  let j = 0
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      out.push({ mark: ' ', line: before[i]! })
      i++
      j++
    } else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) out.push(removed[i++]!)
    else out.push(added[j++]!)
  }
  return [...out, ...removed.slice(i), ...added.slice(j)]
}
