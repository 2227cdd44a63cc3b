/** The files that decide which hooks run: crosshook's own, and those that the dialects declare. */

import { GUARD_FILES } from './gen/guard-files.ts'
import { shellPattern } from './shell/shell-pattern.ts'
import type { World } from './world.ts'

/** Ours, in the home folder of anybody. */
export const OURS = [
  '.config/agents/hooks',
  '.config/crosshook',
  '.local/state/crosshook',
  '.cache/crosshook',
  '.local/share/crosshook',
  '.local/bin/crosshook',
]
const MACHINE = [
  ...['/etc/agents', '/etc/crosshook', '/usr/bin/crosshook', '/usr/local/bin/crosshook'],
  ...['/usr/lib/node_modules/crosshook', '/usr/local/lib/node_modules/crosshook'],
  '/opt/homebrew/lib/node_modules/crosshook',
]

/** Names are looked up in a map: compiling patterns for all of them would take longer than a call. */
type Lookup = (path: string) => boolean

/** Is the path, or a folder above it, one of these? A `*` stands for a name. */
function lookup(files: readonly string[]): Lookup {
  const plain = new Set(files.filter((file) => !file.includes('*')).map((file) => file.toLowerCase()))
  const patterns = files.filter((file) => file.includes('*')).map((file) => file.toLowerCase().split('/'))
  return (path) => {
    for (let at = path.indexOf('/', 1); at !== -1; at = path.indexOf('/', at + 1))
      if (plain.has(path.slice(0, at))) return true
    if (plain.has(path)) return true
    if (patterns.length === 0) return false
    const names = path.split('/')
    return patterns.some(
      (pattern) =>
        names.length >= pattern.length &&
        pattern.every((part, at) =>
          part.includes('*') ? shellPattern(part)(names[at]!) : part === names[at],
        ),
    )
  }
}

/** Folders of a project that mostly hold something else. */
const SHARED = new Set(['.github', 'hooks'])
/** The folders of a project that hold guards. */
const PARENTS = new Set(
  GUARD_FILES.project
    .flatMap((file) => {
      const parts = file.toLowerCase().split('/')
      return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
    })
    .filter((folder) => !SHARED.has(folder)),
)
const inHome = lookup([...OURS, ...GUARD_FILES.user])
const inProject = lookup([...GUARD_FILES.project, '.agents/policies', '.agents/crosshook'])
const onMachine = lookup(MACHINE)

interface Guards {
  /** In lower case. */
  homes: readonly string[]
  own: Lookup
  files: readonly string[]
}
/** Cached: the next call usually has the same folder and environment. */
let last: { key: string; guards: Guards } | undefined

function guards({ home, agentHome = home, variables, own, workDir }: World): Guards {
  const key = [home, agentHome, workDir, ...MOVABLE.map((name) => variables[name] ?? ''), ...own].join('\0')
  if (last?.key !== key) {
    const moved = [
      [variables.XDG_CONFIG_HOME, 'agents/hooks'],
      [variables.XDG_CONFIG_HOME, 'crosshook'],
      [variables.XDG_STATE_HOME, 'crosshook'],
      [variables.XDG_CACHE_HOME, 'crosshook'],
      [variables.XDG_DATA_HOME, 'crosshook'],
      [variables.XDG_RUNTIME_DIR, 'crosshook'],
    ].flatMap(([folder, name]) => (folder === undefined ? [] : [`${folder}/${name}`]))
    const absolute = [...moved, ...own]
    const above = (file: string) => file.replace(/\/[^/]*\*.*$/, '')
    const found = {
      homes: [...new Set([home, agentHome])].map((each) => each.toLowerCase()),
      own: lookup(absolute),
      files: [
        ...new Set([
          ...absolute,
          ...MACHINE,
          ...[...OURS, ...GUARD_FILES.user].map((file) => above(`${home}/${file}`)),
          ...GUARD_FILES.project.map((file) => above(`${workDir}/${file}`)),
        ]),
      ],
    }
    last = { key, guards: found }
  }
  return last.guards
}

/** The variables that say where crosshook keeps its files. */
const MOVABLE = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR']

/** Is this, or something below it, what guards the person? Files of a project alone do not count. */
export function holdsGuards(world: World, path: string): boolean {
  if (isGuard(world, path)) return true
  const prefix = path === '/' ? '/' : `${path}/`
  const { files } = guards(world)
  return files.some(
    (file) =>
      file.startsWith(prefix) &&
      !(file.startsWith(`${world.workDir}/`) && !file.startsWith(`${world.home}/.`)) &&
      (OURS.some((each) => file === `${world.home}/${each}`) ||
        world.disk === null ||
        world.disk.realpath(file) !== undefined),
  )
}

/** `.claude`, `.cursor`: where an agent keeps the hooks of a project, among other things. */
export function isFolderOfGuards({ workDir }: World, path: string): boolean {
  return path.startsWith(`${workDir}/`) && PARENTS.has(path.slice(workDir.length + 1).toLowerCase())
}

/** Is there, below the folder, one of them with such a name? `HOOK.md`, `settings.*`. */
export function holdsGuardsNamed(world: World, folder: string, name: string): boolean {
  const fits = shellPattern(name.toLowerCase())
  const prefix = folder === '/' ? '/' : `${folder}/`
  const isOfProject = (file: string) =>
    file.startsWith(`${world.workDir}/`) && !file.startsWith(`${world.home}/.`)
  return guards(world).files.some(
    (file) =>
      file.startsWith(prefix) &&
      !isOfProject(file) &&
      (fits(file.slice(file.lastIndexOf('/') + 1).toLowerCase()) ||
        (OURS.some((each) => file === `${world.home}/${each}`) && INSIDE.some(fits))) &&
      (world.disk === null || world.disk.realpath(file) !== undefined),
  )
}

/** Names of files in the folders of ours. */
const INSIDE = ['hook.md', 'config.toml', 'state.key', 'journal.db']

/** The folders that hold our keys. */
export function keyFolders({ home, variables }: World): string[] {
  const folders = [`${home}/.local/state/crosshook`]
  for (const name of ['XDG_STATE_HOME', 'XDG_RUNTIME_DIR'])
    if (variables[name]?.startsWith('/')) folders.push(`${variables[name].replace(/\/+$/, '')}/crosshook`)
  return folders
}

/** Their absolute paths here; for a pattern, the folder that it is in. */
export function guardFiles(world: World): readonly string[] {
  return guards(world).files
}

export function isGuard(world: World, path: string): boolean {
  const lower = path.toLowerCase()
  const { homes, own } = guards(world)
  if (own(lower) || onMachine(lower)) return true
  if (homes.some((home) => lower.startsWith(`${home}/`) && inHome(lower.slice(home.length + 1)))) return true
  const other = HOMES.some((start) => lower.startsWith(start)) ? OTHER_HOME.exec(lower) : null
  if (other && inHome(lower.slice(other[0].length))) return true
  return isGuardOfProject(lower)
}

/** Files of a project count in every folder. */
export function isGuardOfProject(path: string): boolean {
  const lower = path.toLowerCase()
  for (let at = 0; at !== -1; at = lower.indexOf('/', at + 1)) {
    const rest = lower.slice(at === 0 && lower[0] !== '/' ? 0 : at + 1)
    if (inProject(rest)) return true
  }
  return false
}

/** Is it one of them, or a folder with one of them in it: `.claude`, `packages/web/.agents/*`? */
export function namesGuardsOfProject(path: string): boolean {
  const lower = path.toLowerCase().replace(/\/(?:\*+\/?)*$/, '')
  if (lower === '') return false
  if (isGuardOfProject(lower)) return true
  const parts = lower.split('/').filter((part) => part !== '' && part !== '.')
  return parts.some((_, at) => PARENTS.has(parts.slice(at).join('/')))
}

const HOMES = ['/home/', '/users/', '/root/']
const OTHER_HOME = /^\/(?:(?:home|users)\/[^/]+|root)\//
