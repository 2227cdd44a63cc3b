/** Lengths of time as people write them. */

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** `90s`, `10m`, `8h`, `7d`, `2w` in milliseconds; undefined for other texts. At most six digits, so that dates stay valid. */
export function durationMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * UNITS_MS[unit!]!
}

/** A length of time before now, or a date; undefined for other texts. */
export function momentOf(text: string): Date | undefined {
  const ago = durationMs(text)
  const moment = new Date(ago === undefined ? text : Date.now() - ago)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}
