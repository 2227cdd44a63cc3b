/** A tolerant scan of code: string literals that reach known functions. It runs nothing and understands no control flow. */

import { beginning, cutShort } from '../cut.ts'
import type { Effect, Language } from '../program.ts'
import { bindLoops } from './bind-loops.ts'
import { expression, type Scan } from './expression.ts'
import { withHome } from './home-folder.ts'
import { imports } from './imports.ts'
import { PICKS } from './loops.ts'
import { scanLoosely } from './loosely.ts'
import { scanOther } from './other.ts'
import { isOnlyRequest, unheard } from './requests.ts'
import { tokenize } from './tokens.ts'
import { effectsOfText } from './whole-text.ts'

export interface Scanned {
  effects: Effect[]
}

const MAX_CODE_CHARS = 500_000
const MAX_EFFECTS = 2_000

export function scanCode(language: Language, code: string): Scanned {
  const followed = beginning(code, MAX_CODE_CHARS, 'the code')
  const other = scanOther(language, followed)
  if (other) return other
  const text = withHome(language, followed)
  const { tokens, isCut } = tokenize(text, language)
  const scan: Scan = {
    tokens,
    at: 0,
    language,
    names: imports(followed),
    values: new Map(),
    effects: [],
    depth: 0,
    picks: PICKS.test(text),
    packs: PACKS.test(text),
  }
  bindLoops(scan, text)
  while (scan.at < tokens.length && scan.effects.length < MAX_EFFECTS) {
    const before = scan.at
    const known = scan.effects.length
    expression(scan)
    if (scan.effects.length > known && isOnlyRequest(scan, before)) scan.effects.push(...unheard(scan, known))
    if (scan.at === before) scan.at++
  }
  if (isCut || scan.at < tokens.length) cutShort('the code is too long to be followed')
  scan.effects.push(...effectsOfText(text), ...scanLoosely(language, text, tokens))
  return { effects: READS.test(text) ? scan.effects : scan.effects.filter((effect) => !isWalk(effect)) }
}

const PACKS = /\b(?:zipfile|tarfile|archiver|adm-zip|rubyzip|ZipArchive)\b/

/** The content of files, not only their names and sizes. */
const READS =
  /\b(?:open|read_text|read_bytes|read|readFile(?:Sync)?|createReadStream|file_get_contents|copy(?:File(?:Sync)?|2)?|add|sendall|upload\w*)\s*\(/

function isWalk(effect: Effect): boolean {
  return 'takes' in effect && effect.walked === true
}
