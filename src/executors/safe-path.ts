/**
 * Which program a bare name means. The PATH of an agent may come from a file of the project, so folders of a project,
 * and those that others may write to, do not choose the interpreter of a guard.
 */

import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path'

/** Where systems keep their own programs. Searched last, so that a PATH without them still finds a shell. */
export const SYSTEM_FOLDERS = [
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/opt/homebrew/bin',
]

/** The trustworthy folders of a PATH, in order, then the system's. */
export function safeFolders(path: string | undefined, projects: readonly string[]): string[] {
  const given = (path ?? '').split(delimiter).filter((folder) => isSafe(folder, projects))
  return [...new Set([...given, ...SYSTEM_FOLDERS])]
}

/** The program's full path; undefined when no safe folder has it. A name with a slash is returned as is. */
export function findProgram(name: string, folders: readonly string[]): string | undefined {
  if (name.includes('/') || name.includes(sep)) return name
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

/** May a program of this folder run as part of a guard? */
export function isSafe(folder: string, projects: readonly string[]): boolean {
  if (!isAbsolute(folder) || folder.split(/[\\/]/).includes('node_modules')) return false
  if (projects.some((project) => project !== '/' && isBelow(folder, project))) return false
  return process.platform === 'win32' || isOurs(folder)
}

/** Owned by the user or root, and so are all folders above it, unless their content is protected (as in /tmp). */
function isOurs(folder: string): boolean {
  const uid = process.getuid?.()
  for (let next = folder, isLast = true; ; next = dirname(next), isLast = false) {
    let stat: ReturnType<typeof statSync>
    try {
      stat = statSync(next)
    } catch {
      return false // missing or not accessible
    }
    const isForeign = stat!.uid !== 0 && stat!.uid !== uid
    const isOpen = (stat!.mode & 0o002) !== 0 && (isLast || (stat!.mode & 0o1000) === 0)
    if (isForeign || isOpen) return false
    if (next === dirname(next)) return true
  }
}

function isProgram(file: string): boolean {
  try {
    if (!statSync(file).isFile()) return false
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
