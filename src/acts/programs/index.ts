/** Every program that is known, by its base name. A new program is one row in one of these files. */

import type { Program, Programs } from '../program.ts'
import { names } from '../read-argv.ts'
import { ARCHIVES } from './archives.ts'
import { CLOUDS } from './clouds.ts'
import { CONTAINERS } from './containers.ts'
import { AGENTS, CROSSHOOK } from './crosshook.ts'
import { DATABASES } from './databases.ts'
import { DISKS } from './disks.ts'
import { EDITORS } from './editors.ts'
import { FILES } from './files.ts'
import { FIND } from './find.ts'
import { GIT } from './git.ts'
import { MACHINE } from './machine.ts'
import { NETWORK } from './network.ts'
import { PACKAGES } from './packages.ts'
import { SECRETS } from './secrets.ts'
import { SHELLS } from './shells.ts'
import { TEXT } from './text.ts'
import { WINDOWS } from './windows.ts'
import { WRAPPERS } from './wrappers.ts'

/** A name that two families know means the later one. */
const FAMILIES: readonly Programs[] = [
  WINDOWS,
  FILES,
  TEXT,
  ARCHIVES,
  FIND,
  WRAPPERS,
  SHELLS,
  EDITORS,
  NETWORK,
  GIT,
  CONTAINERS,
  CLOUDS,
  DATABASES,
  PACKAGES,
  DISKS,
  MACHINE,
  SECRETS,
  AGENTS,
  CROSSHOOK,
]

export function programTable(families: readonly Programs[] = FAMILIES): ReadonlyMap<string, Program> {
  const table = new Map<string, Program>()
  for (const family of families)
    for (const [key, row] of Object.entries(family)) for (const name of names(key)) table.set(name, row)
  return table
}
