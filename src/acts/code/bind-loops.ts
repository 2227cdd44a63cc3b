/** The variables of loops: an element of what they run over. */

import { evaluated, type Scan } from './expression.ts'
import { loopsOf } from './loops.ts'

/** Gives the variables of loops an element of what they run over. */
export function bindLoops(scan: Scan, text: string): void {
  // Loops over one name are looked for once: the code may be long.
  const lists = new Map<string, string | undefined>()
  const listOf = (name: string) => {
    if (!lists.has(name)) lists.set(name, assigned(text, name))
    return lists.get(name)
  }
  const any = new Map<string, string | undefined>()
  const anyOf = (name: string) => {
    if (!any.has(name)) any.set(name, assignedCall(text, name))
    return any.get(name)
  }
  for (const [names, given] of loopsOf(text)) {
    const collection = given.replace(/^\s*new\s+/, '')
    const held = /^\w+/.exec(collection)?.[0]
    if (held !== undefined && /^\w+\s*\./.test(collection) && !scan.values.has(held)) {
      const right = assignedPath(text, held)
      const found = right === undefined ? null : evaluated(scan, right)
      if (found) scan.values.set(held, found)
    }
    const bare = /^\$?[A-Za-z_]\w*$/.exec(collection.split(/[\n:;)]/)[0]!.trim())?.[0]
    const made = bare === undefined ? undefined : anyOf(bare)
    const value = evaluated(scan, (held === undefined ? undefined : listOf(held)) ?? made ?? collection)
    // os.walk gives a folder, its folders and its files.
    const isWalk = /^(?:os|fs)\.(?:walk|fwalk)\s*\(/.test(collection) && names.length === 3
    const folder = isWalk && value && 'items' in value ? value.items[0] : undefined
    if (folder && 'text' in folder) {
      scan.values.set(names[0]!, { text: folder.text.replace(/\/\*$/, '') })
      for (const name of names.slice(1)) scan.values.set(name, { items: [{ text: '*', isGlob: true }] })
    } else if (value && (names.length === 1 || /^(?:i?pairs|enumerate)\b/.test(collection)))
      scan.values.set(names.at(-1)!, 'items' in value ? { ...value, isOneOf: true } : value)
  }
}

/** `$files = glob('/etc/*');` somewhere before `foreach ($files as $f)`. */
function assignedCall(text: string, name: string): string | undefined {
  const at = text.search(new RegExp(`(?<![\\w.$])${name.replace('$', '\\$')}\\s*=\\s*(?:new\\s+)?[\\w.]+\\(`))
  return at === -1
    ? undefined
    : /^\s*(?:new\s+)?([^\n;]{0,300})/.exec(text.slice(text.indexOf('=', at) + 1))?.[1]
}

/** `cmds = [...]` somewhere before `for c in cmds`. */
function assigned(text: string, name: string): string | undefined {
  const at = text.search(new RegExp(`(?<![\\w.])${name}\\s*=\\s*[[(]`))
  return at === -1 ? undefined : text.slice(text.indexOf('=', at) + 1, at + 500)
}

/** `home = Path.home()` somewhere before `for f in home.iterdir()`. */
function assignedPath(text: string, name: string): string | undefined {
  const at = text.search(new RegExp(`(?<![\\w.])${name}\\s*=\\s*[\\w.]*(?:Path|path|os|dir|Dir|File)\\b`))
  return at === -1 ? undefined : /^[^\n;]{0,300}/.exec(text.slice(text.indexOf('=', at) + 1))?.[0]
}
