/** What a search shows of the files that it goes through. */

/** Does it show some lines only? A pattern that every line fits prints whole files. */
export function isNarrowPattern(pattern: string): boolean {
  return pattern.split(/\\?\||\n/).every(hasLetters)
}

/** Two characters at least that a line must have: not `.`, `^`, `[a-z]`, `\w` or `.*`. */
function hasLetters(pattern: string): boolean {
  return /[\p{L}\p{N}_]{2}/u.test(
    pattern.replace(/\[[^\]]*\]|\\[a-zA-Z]|\{[^}]*\}|\(\?[^)]*\)|[\p{L}\p{N}_][*?]/gu, ''),
  )
}

/** Of the files with secrets, the lines that it shows are those with the secrets. */
export function seeksKeys(pattern: string): boolean {
  return /AKIA|PRIVATE KEY|passw(?:or)?d|secret|api[_-]?key|access[_-]?key|token|credential/i.test(pattern)
}
