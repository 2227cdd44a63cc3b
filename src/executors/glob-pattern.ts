/**
 * Translates a glob to a pattern of the linear-time engine: a model writes it, and usual libraries make patterns that a
 * hostile glob can stall. Supports `*`, `**`, `?`, `[a-z]` and `{a,b}`.
 */
export function globPattern(glob: string): string {
  let out = ''
  let braces = 0
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i]!
    if (glob.startsWith('**/', i) && (i === 0 || glob[i - 1] === '/')) {
      out += '(?:[^/]+/)*'
      i += 2
    } else if (glob.startsWith('**', i)) {
      out += '.*'
      i += 1
    } else if (char === '*') out += '[^/]*'
    else if (char === '?') out += '[^/]'
    else if (char === '[' && glob.indexOf(']', i + 2) > 0) {
      const end = glob.indexOf(']', i + 2)
      const inside = glob.slice(i + 1, end).replace(/[\\[\]]/g, '\\$&')
      out += `[${inside.startsWith('!') ? `^/${inside.slice(1)}` : inside}]`
      i = end
    } else if (char === '{' && glob.indexOf('}', i) > 0) {
      out += '(?:'
      braces++
    } else if (char === '}' && braces > 0) {
      out += ')'
      braces--
    } else if (char === ',' && braces > 0) out += '|'
    else out += char.replace(/[.+^$|()[\]{}\\]/g, '\\$&')
  }
  return `^${out}${')'.repeat(braces)}$`
}
