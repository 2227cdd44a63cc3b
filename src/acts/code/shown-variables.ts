/** Code that shows the environment: all of it, or a variable that holds a secret by its name. */

import type { Effect } from '../program.ts'
import { isSecretName } from '../programs/secrets.ts'

/** The environment as a whole, not one variable of it. */
const WHOLE =
  /(?:console\.\w+|print|puts|p|pp|pprint|var_dump|print_r|stringify|dumps|write)\s*\(?\s*(?:dict\()?\s*(?:process\.env|os\.environ|ENV|\$_ENV|\$_SERVER|getenv\(\))\s*[),;\n]|(?<!\b(?:in|of) )(?<![\w$.])(?:process\.env|os\.environ|ENV|%ENV)\s*$/
/** Every variable, one after another; shown if the code prints anything. */
const EACH =
  /\bos\.environ\.(?:items|values|copy)\(|\bObject\.(?:entries|values|assign)\([^)]{0,20}process\.env\b|\bDeno\.env\.toObject\(|\bfor\b[^\n]{0,40}\s(?:in|of)\s+(?:process\.env|os\.environ)\b|\bENV\.(?:to_h|to_a|each|inspect|map|values|sort)\b|\b(?:keys|values|each|sort)\s*\(?\s*%ENV\b|\bENVIRON\b\s*\)|\bBun\.env\s*\)|\.\.\.process\.env\b[^\n]{0,20}\}\s*\)|\b(?:dict|str|repr|dumps)\(\s*(?:dict\(\s*)?os\.environ\s*\)/
const SHOWS =
  /\b(?:print\w*|puts|p|pp|say|echo|console\.\w+|stdout|write|dumps|stringify|fetch|post|var_dump|print_r)\b/
/** Given to a request as a whole. */
const SENT =
  /\b(?:fetch|axios|post|put|request|write|send|end|got|ky)\s*\((?:[^;\n()]|\([^;\n()]{0,80}\)){0,200}[:(,]\s*(?:process\.env|os\.environ)\s*[,)}]/
/** A request with a body. */
const SENDS =
  /\b(?:requests|httpx|axios|session|client)\.(?:post|put|patch)\b|\burlopen\s*\([^)]{0,200},|\bfetch\s*\([^)]{0,200}\bbody\b|\.sendall\(|\bNet::HTTP\.post|\.request\s*\([^)]{0,200}['"]POST['"]/
const ONE =
  /(?:os\.environ(?:\.get\(|\[)|os\.getenv\(|process\.env(?:\.|\[)|\bENV(?:\.fetch\(|\[)|\$ENV\{|\bgetenv\(|\$_ENV\[|ENVIRON\[|Deno\.env\.get\(|Sys\.getenv\(|System\.getenv\()\s*['"]?(\w+)/g

/** Of what stands before a variable in its statement, in characters. */
const MAX_STATEMENT_CHARS = 300

/** `console.log(require('dotenv').config())` */
const DOTENV = /\b(?:console\.\w+|print\w*|puts)\s*\(?[^;\n]{0,80}\bdotenv['"]?\)?\.(?:config|parse|load)\b/

export function environmentEffects(given: string): Effect[] {
  const code = given.replace(/\b__import__\(\s*['"]os['"]\s*\)/g, 'os')
  if (DOTENV.test(code)) return [{ does: 'read', path: '.env', why: 'prints what dotenv reads' }]
  if (SENT.test(code)) return [{ does: 'send', place: 'environment', why: 'sends the environment' }]
  if (WHOLE.test(code) || (EACH.test(code) && SHOWS.test(code)))
    return [
      { does: 'read', place: 'environment', why: 'prints the environment' },
      ...(SENDS.test(code)
        ? [{ does: 'send', place: 'environment', why: 'sends the environment' } as const]
        : []),
    ]
  for (const { index, 1: name } of code.matchAll(ONE)) {
    if (!isSecretName(name!)) continue
    const before = code.slice(Math.max(0, index - MAX_STATEMENT_CHARS), index)
    const statement = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf(';')) + 1)
    // What is passed to something that is called (a client, a header) is not shown.
    if (
      /\b(?:print|puts|p|say|echo|console\.\w+|print_r|var_dump|stdout\.write)\s*\(?\s*(?:f?['"][^'"]*|[^()!]{0,40})$/.test(
        statement,
      )
    )
      return [{ does: 'read', place: 'environment', why: 'prints a secret of the environment' }]
  }
  return []
}
