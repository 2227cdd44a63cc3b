/** Which files a word of a command means: home, folder, links and patterns resolved. */

import { posix } from 'node:path'
import { normalPosixPath } from '../fast/normal-path.ts'
import type { Does, Place } from '../spec/act.ts'
import { guardFiles } from './guard-places.ts'
import { isHarmlessDevice, placesBelow, placesOf, placesOfName } from './places.ts'
import { couldBeSecret, isSecretName, SAMPLE_PATHS } from './secret-files.ts'
import { hasPattern, shellPattern } from './shell/shell-pattern.ts'
import type { Word } from './word.ts'
import type { World } from './world.ts'

export interface Located {
  /** Absolute, links followed; as it was spelled when it is not known. */
  path: string
  places: Place[]
  isUnknown?: boolean
  /** A pattern without a match on the disk: this is what it could mean. */
  isGuess?: boolean
}

export interface LocateOptions {
  /** Null when it is not known. */
  cwd: string | null
  does: Does
  recursive: boolean
  /** On another machine: nothing is looked up. */
  isElsewhere: boolean
  dotglob: boolean
  shell?: unknown
}

/** Files that a pattern fits: looked at, and named. */
const MAX_CANDIDATES = 500
const MAX_MATCHES = 24
const MAX_PATH_CHARS = 4096

export function locate(world: World, word: Word, options: LocateOptions): Located[] {
  const { text } = word
  // The system reads a path up to there.
  if (text.includes('\0')) return locate(world, { ...word, text: text.slice(0, text.indexOf('\0')) }, options)
  if (
    text === '' ||
    text === '-' ||
    (text.includes('://') && /^(?:https?|ftp|wss?|s3|gs):\/\//i.test(text)) ||
    (options.does !== 'delete' && isHarmlessDevice(text)) ||
    (word.flow?.paths === undefined && text.startsWith('/dev/fd/'))
  )
    return []
  if (text.length > MAX_PATH_CHARS)
    return [{ path: `${text.slice(0, 200)}…`, places: placesOfName(text.slice(-200)), isUnknown: true }]
  if (word.unknown) return [{ path: text, places: placesOfName(text), isUnknown: true }]
  const raw = absolute(world, text, options.cwd)
  if (raw === null) return [{ path: text, places: placesOfName(text), isUnknown: true }]
  if (word.glob && hasPattern(text)) return matching(world, raw, options, word.below !== undefined)
  return [one(world, raw, text, options)]
}

function one(world: World, raw: string, text: string, options: LocateOptions): Located {
  const path = normal(raw)
  const disk = options.isElsewhere ? null : world.disk
  const real = disk ? (disk.realpath(raw) ?? realOfLongest(world, path)) : path
  const places = new Set(placesOf(world, real))
  // A link counts for what it is called and for what it leads to, but only its target says where it is.
  if (real !== path) for (const place of placesOf(world, path)) if (KEPT.has(place)) places.add(place)
  if (
    disk &&
    (options.does === 'read' || options.does === 'send') &&
    !places.has('secret') &&
    isLinkToSecret(world, real)
  )
    places.add('secret')
  // Every program writes there: a machine without it does not work.
  if (options.does === 'delete' && isHarmlessDevice(path)) places.add('device')
  // Changing something in a top folder does not change all of it.
  if (!options.recursive && options.does !== 'delete') places.delete('root')
  // Running a startup file once installs nothing.
  if (options.does === 'run') places.delete('startup')
  if (options.recursive || options.does === 'delete' || options.does === 'write') {
    const isFolder = text.endsWith('/') || text.endsWith('/.') || disk?.isFolder(real) === true
    if (options.does !== 'read' || options.recursive)
      for (const place of placesBelow(disk ? world : { ...world, disk: null }, real, options.does, isFolder))
        places.add(place)
  }
  return { path: real, places: [...places] }
}

const KEPT: ReadonlySet<Place> = new Set(['secret', 'guard', 'vcs', 'startup', 'root', 'device'])

/** Null when the folder is not known. */
export function absolute(world: World, text: string, cwd: string | null): string | null {
  let path = text
  // Each pattern takes a new process time to compile, and most paths need none.
  if (text.includes(':')) {
    path = text.replace(/^file:\/\/(?:localhost)?(?=\/)/i, '')
    if (path !== text)
      path = path.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    if (/^[A-Za-z]:[\\/]/.test(path) || /^[A-Za-z]:$/.test(path)) return path.replaceAll('\\', '/')
    // A POSIX shell takes the backslash of C:\Windows away.
    if (/^[A-Za-z]:(?:\*|windows|users|program)/i.test(path)) return `${path.slice(0, 2)}/${path.slice(2)}`
  }
  if (path.startsWith('\\\\') || (path.includes('\\') && !path.includes('/') && world.platform === 'win32'))
    path = path.replaceAll('\\', '/')
  if (path.startsWith('~')) {
    const [, user = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(path)!
    if (user === '') path = (world.agentHome ?? world.home) + rest
    else if (user === world.user) path = world.home + rest
    else if (user === '+') path = (cwd ?? '~+') + rest
    else if (user === 'root') path = `/root${rest}`
    else if (/^[a-z_][\w.-]*$/i.test(user)) path = `${posix.dirname(world.home) || '/home'}/${user}${rest}`
  }
  if (path.startsWith('%')) path = path.replace(/^%(?:USERPROFILE|HOME)%/i, world.agentHome ?? world.home)
  if (!path.startsWith('/')) {
    if (cwd === null) return null
    path = `${cwd.endsWith('/') ? cwd : `${cwd}/`}${path}`
  }
  if (!path.includes('/proc/')) return path
  const inside = /^\/proc\/(?:self|thread-self|\d+|\$\$)\/(cwd|root)(\/.*)?$/.exec(normalPosixPath(path))
  if (inside) path = `${inside[1] === 'cwd' ? (cwd ?? '') : ''}${inside[2] ?? '/'}`
  return path
}

export function normal(path: string): string {
  const plain = normalPosixPath(path.startsWith('//') ? path.replace(/^\/{2,}/, '/') : path)
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain
}

/** The links of the part that exists are followed, the rest stays. */
function realOfLongest(world: World, path: string): string {
  // C:/x is on no disk of this machine.
  if (!path.startsWith('/')) return path
  let head = path
  for (let level = 0; level < 40 && head !== '/' && head !== '.'; level++) {
    head = posix.dirname(head)
    const real = world.disk?.realpath(head)
    if (real !== undefined) {
      const rest = path.slice(head === '/' ? 1 : head.length + 1)
      return real === '/' ? `/${rest}` : `${real}/${rest}`
    }
  }
  return path
}

/** A hard link to a secret in the same folder. */
function isLinkToSecret(world: World, path: string): boolean {
  const stat = world.disk?.stat(path)
  if (!stat?.isFile() || stat.nlink < 2) return false
  const folder = posix.dirname(path)
  return (world.disk?.entries(folder) ?? []).some((name) => {
    if (!isSecretName(name)) return false
    const other = world.disk?.stat(`${folder}/${name}`)
    return other?.ino === stat.ino && other.dev === stat.dev
  })
}

/** `isSearch`: the program looks for it on the disk, so what is not there is not meant. */
function matching(world: World, raw: string, options: LocateOptions, isSearch: boolean): Located[] {
  const path = normal(raw)
  const segments = path.split('/').slice(1)
  const last = segments.at(-1) ?? ''
  const found: Located[] = []
  const disk = options.isElsewhere ? null : world.disk
  let isCut = false
  const some = (all: string[]) => {
    if (all.length > MAX_CANDIDATES) isCut = true
    return all.slice(0, MAX_CANDIDATES)
  }
  let matches = disk ? [''] : []
  for (const segment of segments) {
    if (matches.length === 0) break
    if (!hasPattern(segment)) {
      matches = matches.map((head) => `${head}/${segment}`)
      continue
    }
    const test = shellPattern(segment)
    matches = some(
      matches.flatMap((head) =>
        disk!
          .entries(head === '' ? '/' : head)
          .filter(
            (name) => (options.dotglob || segment.startsWith('.') || !name.startsWith('.')) && test(name),
          )
          .map((name) => `${head}/${name}`),
      ),
    )
  }
  matches = matches.filter((each) => disk!.realpath(each) !== undefined)
  for (const each of matches) found.push(one(world, each, each, options))
  found.sort((a, b) => interest(b) - interest(a))
  found.splice(MAX_MATCHES)
  if (/^[*.?]+$/.test(last)) {
    const folder = normal(segments.length === 1 ? '/' : `/${segments.slice(0, -1).join('/')}`)
    // `rm -rf folder/*` empties the folder.
    if (!hasPattern(folder))
      found.push({
        ...one(world, folder, folder, options),
        path: folder === '/' ? '/*' : `${folder}/${last}`,
      })
  }
  const isSeen = matches.length > 0
  if (isSeen && !isCut) return found
  const places = new Set<Place>(['unknown', ...found.flatMap((each) => each.places)])
  for (const each of couldBe(world, path, segments, isSearch && disk !== null)) places.add(each)
  if (options.recursive || options.does === 'delete')
    for (const each of ofSomeUser(world, segments)) places.add(each)
  // Of what was not looked at only the pattern tells.
  return [...(isSeen ? found : []), { path, places: [...places], isGuess: true }]
}

/** A pattern in place of a user means every one. Patterns for everything at the end empty the folder before them. */
function ofSomeUser(world: World, [first = '', user = '', ...rest]: readonly string[]): Place[] {
  if (!/^(?:home|users)$/i.test(first) || !hasPattern(user)) return []
  while (/^[*.?]+$/.test(rest.at(-1) ?? '')) rest.pop()
  if (rest.some(hasPattern)) return []
  return placesOf(world, ['', first, 'user', ...rest].join('/')).filter((place) => KEPT.has(place))
}

function interest({ places }: Located): number {
  return places.filter((place) => place !== 'project' && place !== 'outside' && place !== 'temp').length
}

const SYSTEM_FOLDERS =
  '/bin /boot /dev /etc /home /lib /lib64 /opt /root /sbin /srv /sys /usr /var /etc/passwd /etc/shadow /usr/bin /usr/lib'.split(
    ' ',
  )

/** What a pattern that matches nothing here could match where it is run. */
function couldBe(world: World, path: string, segments: readonly string[], isSearch: boolean): Place[] {
  const places = new Set<Place>()
  const tests = segments.map((segment) => shellPattern(segment))
  const fits = (candidate: string) => {
    const parts = candidate.split('/').slice(1)
    return parts.length === tests.length && parts.every((part, at) => tests[at]!(part))
  }
  for (const candidate of [...SYSTEM_FOLDERS, ...(isSearch ? [] : guardFiles(world))])
    if (fits(candidate)) for (const place of placesOf(world, candidate)) places.add(place)
  for (const sample of SAMPLE_PATHS) if (fits(`${world.home}/${sample}`)) places.add('secret')
  if (couldBeSecret(segments.at(-1) ?? '')) places.add('secret')
  const fixed = segments.findIndex((segment) => hasPattern(segment))
  if (placesOf(world, `/${segments.slice(0, fixed).join('/')}`).includes('guard')) places.add('guard')
  if (/^\/dev\/./.test(path)) places.add('device')
  if (placesOf(world, path.replace(/\/[^/]*[*?[].*$/, '') || '/').includes('project')) places.add('project')
  return [...places]
}
