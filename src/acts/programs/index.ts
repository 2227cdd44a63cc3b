/** Every program that is known, by its base name. A new program is one row in one of these files. */

import { PROGRAM_NAMES } from '../gen/program-names.ts'
import type { Program, Programs, ProgramTable } from '../program.ts'
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
import { FORGES } from './forges.ts'
import { GIT } from './git.ts'
import { MACHINE } from './machine.ts'
import { MOUNTS } from './mounts.ts'
import { NETWORK } from './network.ts'
import { PACKAGES } from './packages.ts'
import { SECRETS } from './secrets.ts'
import { SERVICES } from './services.ts'
import { SHELLS } from './shells.ts'
import { SYSTEM_PACKAGES } from './system-packages.ts'
import { TERMINALS } from './terminals.ts'
import { TEXT } from './text.ts'
import { WINDOWS } from './windows.ts'
import { WRAPPERS } from './wrappers.ts'

/** A name that two families know means the later one. */
export const FAMILIES: Readonly<Record<string, () => Programs>> = {
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
  FORGES,
  SERVICES,
  DATABASES,
  PACKAGES,
  SYSTEM_PACKAGES,
  DISKS,
  MOUNTS,
  MACHINE,
  TERMINALS,
  SECRETS,
  AGENTS,
  CROSSHOOK,
}

/** Every row of these families, by each of its names. */
export function programTable(
  families = Object.values(FAMILIES).map((family) => family()),
): Map<string, Program> {
  const table = new Map<string, Program>()
  for (const family of families)
    for (const [key, row] of Object.entries(family)) for (const name of names(key)) table.set(name, row)
  return table
}

/** The same, but a family is made when one of its programs is asked for: most calls name programs of two or three. */
export function lazyProgramTable(): ProgramTable {
  const made = new Map<string, Programs>()
  /** Rows by name; null for names that no family has. */
  const known = new Map<string, Program | null>()
  const rowsOf = (family: string) => {
    let rows = made.get(family)
    if (!rows) made.set(family, (rows = FAMILIES[family]!()))
    return rows
  }
  const get = (name: string) => {
    let row = known.get(name)
    if (row === undefined) {
      const family = familyOf(name)
      row = family === undefined ? null : rowIn(rowsOf(family), name)
      if (known.size >= MAX_CACHED) known.clear()
      known.set(name, row)
    }
    return row ?? undefined
  }
  return { get, has: (name) => get(name) !== undefined }
}

/** The last row of that name. All names of a family are not taken apart for one of them. */
function rowIn(rows: Programs, name: string): Program {
  let row: Program | undefined
  for (const key in rows)
    if (key === name || (key.includes(name) && names(key).includes(name))) row = rows[key]
  return row!
}

/** Names come from command lines, so the cache is bounded. */
const MAX_CACHED = 1000

function familyOf(name: string): string | undefined {
  let last: string | undefined
  if (!name.includes(' '))
    for (const family in PROGRAM_NAMES) if (PROGRAM_NAMES[family]!.includes(` ${name} `)) last = family
  return last
}
