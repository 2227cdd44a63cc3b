/** Hexadecimal digits that no other id has. Not for secrets: `node:crypto` would be, and is slow to load. */
export function uniqueHex(length: number): string {
  let out = ''
  while (out.length < length)
    out += Math.floor(Math.random() * 2 ** 48)
      .toString(16)
      .padStart(12, '0')
  return out.slice(0, length)
}
