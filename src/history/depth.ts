/** Limits nesting: values deeper than any tool's input would exhaust the stack of code that walks them. */

const MAX_DEPTH = 100

export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each).filter(isNested) : [],
    )
  }
  return false
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
