/** The names that imports give to modules and functions. */

export function module(name: string): string {
  return name
    .replace(/^node:/, '')
    .replace('fs/promises', 'fs')
    .replace(/^(?:fs-extra|graceful-fs)$/, 'fs')
}

/** `import subprocess as s`, `from os import system as x`, `const { rmSync: x } = require('fs')`. */
export function imports(code: string): Map<string, string> {
  const names = new Map<string, string>()
  for (const found of code.matchAll(/\bimport\s+([\w.]+)\s+as\s+(\w+)/g)) names.set(found[2]!, found[1]!)
  for (const found of code.matchAll(/\bfrom\s+([\w.]+)\s+import\s+([^\n;)]{1,400})/g))
    for (const item of found[2]!.replace(/[()]/g, '').split(',')) {
      const [name = '', as = name] = item.trim().split(/\s+as\s+/)
      if (name !== '' && name !== '*')
        names.set(as.trim(), found[1] === 'pathlib' ? name : `${found[1]}.${name}`)
    }
  for (const found of code.matchAll(
    /(?:\b(?:const|let|var)\s+|,\s*)(\w+)\s*=\s*(?:await\s+)?(?:require|import)\(\s*['"]([^'"]+)['"]\s*\)\s*(?:\.(\w+))?/g,
  ))
    names.set(found[1]!, module(found[2]!) + (found[3] && found[3] !== 'promises' ? `.${found[3]}` : ''))
  for (const found of code.matchAll(
    /(?:const|let|var|import)\s*\{([^}]{0,400})\}\s*(?:=\s*(?:await\s+)?(?:require|import)\(|from)\s*['"]([^'"]+)['"]/g,
  ))
    for (const item of found[1]!.split(',')) {
      const [name = '', as = name] = item.trim().split(/\s*(?::|\bas\b)\s*/)
      if (name !== '') names.set(as.trim(), `${module(found[2]!)}.${name.trim()}`)
    }
  for (const found of code.matchAll(/\bimport\s+(?:\*\s+as\s+)?(\w+)\s+from\s*['"]([^'"]+)['"]/g))
    names.set(found[1]!, module(found[2]!))
  return names
}
