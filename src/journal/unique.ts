/** Unique hexadecimal digits. Not for secrets: that would need `node:crypto`, which is slow to load. */
export function uniqueHex(length: number): string {
  let out = ''
  while (out.length < length)
    out += Math.floor(Math.random() * 2 ** 48)
      .toString(16)
      .padStart(12, '0')
  return out.slice(0, length)
}
