/** Time functions that avoid what Node and V8 set up at first use. */

/**
 * Milliseconds on a clock that never goes back, as `performance.now()`. The first use of the global `performance` loads
 * a module: about 1 ms of a cold start of some 30 (bench/cold.ts).
 */
export function now(): number {
  const time = process.hrtime() // destructuring takes longer than the call
  return time[0] * 1000 + time[1] / 1e6
}

/** A duration without digits below a microsecond: they say nothing and make every record longer. */
export function roundedMs(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

const DAY_MS = 86_400_000
/** Days from 0000-03-01 (so that a leap day ends each 400-year cycle) to 1970. */
const DAYS_BEFORE_1970 = 719_468
const DAYS_OF_400_YEARS = 146_097

/**
 * The text of a time between the years 1970 and 9999. The first use of `Date` makes V8 look for the time zone of the machine:
 * 0.2 ms of a cold call and eight system calls. The slow twin is `new Date(ms).toISOString()`.
 */
export function isoTime(ms: number): string {
  const days = Math.floor(ms / DAY_MS) + DAYS_BEFORE_1970
  const era = Math.floor(days / DAYS_OF_400_YEARS)
  const dayOfEra = days - era * DAYS_OF_400_YEARS
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  /** Counted from March. */
  const month = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * month + 2) / 5) + 1
  const year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
  const time = ms - Math.floor(ms / DAY_MS) * DAY_MS
  const part = (value: number, size: number) => String(Math.floor(value)).padStart(size, '0')
  return (
    `${part(year, 4)}-${part(month < 10 ? month + 3 : month - 9, 2)}-${part(day, 2)}T` +
    `${part(time / 3_600_000, 2)}:${part((time / 60_000) % 60, 2)}:${part((time / 1000) % 60, 2)}.${part(time % 1000, 3)}Z`
  )
}
