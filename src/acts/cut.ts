/**
 * Limits that leave out part of a call. The rest may do anything, so the cut is recorded: a guard that finds nothing in
 * the rest has not judged the call. A call is followed without a pause, so one list is enough for all that follow it.
 */

let cuts = new Set<string>()

/** Records that part of the current call was left out. */
export function cutShort(why: string): void {
  cuts.add(why)
}

/** The reasons for cuts since the last call of this function. */
export function takeCuts(): string[] {
  const taken = [...cuts]
  if (taken.length > 0) cuts = new Set()
  return taken
}

/** The first items; records when there were more. */
export function atMost<Item>(items: readonly Item[], most: number, what: string): readonly Item[] {
  if (items.length <= most) return items
  cutShort(`more than ${most} ${what}`)
  return items.slice(0, most)
}

/** The beginning of a text; records when there was more. */
export function beginning(text: string, longest: number, what: string): string {
  if (text.length <= longest) return text
  cutShort(`${what} is longer than ${longest} characters`)
  return text.slice(0, longest)
}
