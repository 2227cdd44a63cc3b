/** Every program that is known, by its base name. A new program is one row in one of these files. */

import type { Program, Programs } from '../program.ts'
import { names } from '../read-argv.ts'
import { FILES } from './files.ts'
import { GIT } from './git.ts'
import { NETWORK } from './network.ts'
import { WRAPPERS } from './wrappers.ts'

const FAMILIES: readonly Programs[] = [FILES, GIT, NETWORK, WRAPPERS]

export function programTable(families: readonly Programs[] = FAMILIES): ReadonlyMap<string, Program> {
  const table = new Map<string, Program>()
  for (const family of families)
    for (const [key, row] of Object.entries(family)) for (const name of names(key)) table.set(name, row)
  return table
}
