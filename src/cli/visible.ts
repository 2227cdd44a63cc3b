/** Makes text from files, hooks and models safe for a terminal: nothing in it can hide, move or colour anything. */

/** Escape codes and other control characters, direction marks, and zero-width characters. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0)!
    return `\\u{${code.toString(16)}}`
  })
}
