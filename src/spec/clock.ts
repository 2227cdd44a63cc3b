/** As `new Date(time).toISOString()`, whose first use takes longer than most of what a short process does. */
export function isoTime(time: number): string {
  const day = Math.floor(time / DAY)
  const rest = time - day * DAY
  // Years that begin in March end with the day that some of them lack; 400 of them have so many days, always.
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const year = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const fromMarch = Math.floor((5 * ofYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const date = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  const seconds = Math.floor(rest / 1000)
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
  return `${era * 400 + year + (month <= 2 ? 1 : 0)}-${two(month)}-${two(date)}T${clock}.${String(rest % 1000).padStart(3, '0')}Z`
}

const DAY = 86_400_000

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number)
}

/** Milliseconds on a clock that never goes back. The global `performance` would load a whole module at its first use. */
export function now(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}
