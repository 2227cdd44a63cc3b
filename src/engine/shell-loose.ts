/** Words of a text that is no valid shell line: cut wherever a command could begin. */

export function looseWords(text: string): string[][] {
  const pieces: string[][] = []
  for (const piece of text.replace(/\\\r?\n/g, ' ').split(/[;&|\n(){}`!]+/)) {
    const words = piece
      .replace(/\$\{?IFS\}?/g, ' ')
      .split(/\s+/)
      .map((word) => word.replace(/[\\"'$]/g, ''))
      .filter((word) => word !== '')
    while (words.length > 0 && (LEADERS.has(words[0]!) || /^[A-Za-z_]\w*\+?=/.test(words[0]!))) words.shift()
    if (words.length > 0) pieces.push(words)
  }
  return pieces
}

const LEADERS = new Set([
  'if',
  'then',
  'else',
  'elif',
  'while',
  'until',
  'do',
  'time',
  'fi',
  'done',
  'case',
  'in',
])
