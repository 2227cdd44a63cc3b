/** How code asks for the home folder: `~` stands for it in what is scanned. */

import type { Language } from '../program.ts'

/** Languages that are scanned by the words around their texts. */
const EXPRESSIONS =
  /\b(?:homedir\(\)|System\.user_home!?(?:\(\))?|NSHomeDirectory\(\)|FileManager\.default\.homeDirectoryForCurrentUser(?:\.path)?|(?:os:|System\.|Sys\.|env\.)?[gG]et_?env\(\s*["']HOME["']\s*\)|System\.getProperty\(\s*["']user\.home["']\s*\)|System\.get_env\(\s*"HOME"\s*\)|sys\.env\(\s*"HOME"\s*\)|ENV\[\s*"HOME"\s*\]|Path\.expand\(\s*"~"\s*\)|path\.expand\(\s*["']~["']\s*\)|getHomeDirectory|\(user-homedir-pathname\)|\(find-system-path 'home-dir\))/g
/** In a text: `${…}`, `#{…}`, `$(…)`, `\(…)`. */
const IN_TEXT = new RegExp(String.raw`[$#\\][({](?:${EXPRESSIONS.source})[)}]`, 'g')

export function withHome(language: Language, code: string): string {
  if (language === 'other' || language === 'r') {
    if (!/home|["']~["']/i.test(code)) return code
    return code.replace(IN_TEXT, '~').replace(EXPRESSIONS, '"~"')
  }
  return code
    .replaceAll(/\$ENV\{\s*["']?HOME["']?\s*\}/g, '~')
    .replace(/[$#]\{(?:process\.env\.HOME|ENV\[['"]HOME['"]\])\}/g, '~')
}
