import fc from 'fast-check'

/** Any character, as fast-check's own unit `binary`, which makes a table of a million of them first: a second of each process. */
export const ANY_CHARACTER = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800))
