/** What kind of place a path is. */

import type { Does, Place } from '../spec/act.ts'

import { guardFiles, isFolderOfGuards, isGuard, isGuardOfProject, OURS } from './guard-places.ts'
import { type Hinted, hinted } from './hinted.ts'
import { isSecretFile, isSecretFolder, isSecretInProject, isSecretName } from './secret-files.ts'

import type { World } from './world.ts'

/** In lower case, as the sets below: compiling a pattern of so many names takes a new process longer than all its paths. */
const SYSTEM_FOLDERS = new Set(
  'bin boot etc lib lib32 lib64 libx32 opt proc root run sbin srv sys usr var mnt media nix system library applications volumes cores private'.split(
    ' ',
  ),
)
const SYSTEM_OF_WINDOWS =
  /^[a-z]:(?:\/?|\/(?:windows|program files(?: \(x86\))?|programdata)(?:\/.*)?|\/users(?:\/[^/]*)?)$/i
const TEMP_FOLDERS =
  '/tmp /var/tmp /private/tmp /private/var/tmp /var/folders /private/var/folders /dev/shm /root/.cache /var/lib/apt/lists /var/cache/apt /var/cache/apk /var/cache/yum /var/cache/dnf'.split(
    ' ',
  )
/** Nobody deletes one of these as a whole. */
const TOP_FOLDERS = new Set(
  'home users root bin boot etc lib lib64 opt sbin usr var sys proc dev system library applications mnt media volumes'.split(
    ' ',
  ),
)
const TOP_OF_WINDOWS =
  /^[a-z]:(?:\/?(?:\*(?:\.\*)?)?|\/users(?:\/[^/]+)?|\/(?:windows(?:\/system32)?|program files(?: \(x86\))?|programdata))$/i
/** Written and read by everyone, without harm. */
/** What a write to it changes nothing of, or goes to whoever watches. */
export function isHarmlessDevice(path: string): boolean {
  const head = path.slice(0, 5).toLowerCase()
  // Few paths begin so, and a new process has to compile the pattern.
  return (head === '/dev/' || head === '/proc' || head === 'nul') && HARMLESS_DEVICE.test(path)
}

const HARMLESS_DEVICE =
  /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd(?:\/.*)?|ptmx|pts\/.*)$|^\/proc\/self\/fd(?:\/.*)?$|^nul$/i
const STARTUP = hinted(
  ['/.', '/etc/', '/var/spool/cron', 'systemd', '/launch', 'site-packages', '/start menu/'],
  () => [
    /\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login|xinitrc|xprofile|xsession|inputrc|vimrc|emacs|pam_environment|gitconfig|pythonrc|tmux\.conf|screenrc|irbrc|pryrc|Rprofile|psqlrc|gdbinit|lldbinit|curlrc|wgetrc)$|\/\.(?:bashrc\.d|zshrc\.d|oh-my-zsh\/custom|emacs\.d|ipython\/profile_default\/startup)\/.+$|\/\.config\/tmux\/tmux\.conf$|\/\.config\/(?:fish\/(?:config\.fish|conf\.d\/.*|functions\/.*)|systemd\/user(?:\/.*)?|autostart(?:\/.*)?|environment\.d\/.*|git\/config|nvim\/init\.\w+)$|\/\.git\/(?:hooks(?:\/.*)?|config)$|\/\.(?:husky|githooks)\/[^/]+$|^\/etc\/(?:cron(?:tab|\.\w+(?:\/.*)?)|anacrontab|systemd\/.*|init\.d\/.*|rc\.local|rc\.d\/.*|profile(?:\.d\/.*)?|bash\.bashrc|bashrc|zsh\/.*|environment|ld\.so\.(?:preload|conf(?:\.d\/.*)?)|pam\.d\/.*|udev\/rules\.d\/.*|xdg\/autostart\/.*|sudoers(?:\.d\/.*)?|ssh\/sshd_config.*|apt\/apt\.conf\.d\/.*|modules-load\.d\/.*)$|^\/var\/spool\/cron(?:\/.*)?$|^\/(?:usr\/)?lib\/systemd\/system\/.*|\/Library\/Launch(?:Agents|Daemons)(?:\/.*)?$|\/\.ssh\/(?:authorized_keys2?|rc|environment|config)$|\/site-packages\/(?:[^/]+\.pth|sitecustomize\.py|usercustomize\.py)$|\/\.local\/lib\/python[\d.]*\/site-packages\/.*\.pth$|\/Start Menu\/Programs\/Startup(?:\/.*)?$/i,
  ],
  'i',
)
/** Not what git writes all the time (`index.lock`), nor its hooks and settings, which are `startup`. */
const VCS = hinted(['.git', '.hg', '.svn', '.jj', '.bzr'], () => [
  /(?:^|\/)(?:\.git(?:\/(?:objects|refs|logs|modules|worktrees|HEAD|packed-refs)(?:\/.*)?)?$|\.(?:hg|svn|jj|bzr)(?:\/|$)|[\w-]+\.git\/(?:objects|refs|HEAD|packed-refs)(?:\/|$))/,
])

/** For tests: what each of these matches holds one of its hints. */
export const HINTED: Readonly<Record<string, Hinted>> = { STARTUP, VCS }

/** The classes of one absolute path, without looking at the disk. */
export function placesOf(world: World, path: string): Place[] {
  const places: Place[] = []
  const inProject = isProjectFolder(world) && isBelow(path, world.workDir)
  const inTemp =
    TEMP_FOLDERS.some((folder) => isBelow(path, folder)) ||
    (world.variables.TMPDIR !== undefined && isBelow(path, world.variables.TMPDIR))
  places.push(inProject ? 'project' : 'outside')
  if (isTop(world, path)) places.push('root')
  if (!inProject && isBelow(path, world.home)) places.push('home')
  else if (!inProject && inTemp) places.push('temp')
  else if (
    (isBelow(path, '/dev') && !isHarmlessDevice(path)) ||
    path === '/proc/sysrq-trigger' ||
    path === '/proc/kcore'
  )
    places.push('device')
  else if (!inProject && isSystem(path)) places.push('system')
  if (inProject ? isSecretInProject(path) : isSecretFile(path) || isSecretFolder(path)) places.push('secret')
  if (isGuard(world, path)) places.push('guard')
  // A clone among temporary files is there to be thrown away.
  if (VCS.test(path) && !places.includes('temp')) places.push('vcs')
  if (STARTUP.test(path)) places.push('startup')
  return places
}

/** What runs for the person or the machine, not only in a repository. */
export function isOwnStartup(world: World, path: string): boolean {
  return STARTUP.test(path) && !isBelow(path, world.workDir) && !path.includes('/.git/')
}

/** By its name alone, when the folder is not known. */
export function placesOfName(text: string): Place[] {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)
  const places: Place[] = ['unknown']
  if (isSecretName(name) || isSecretFile(text)) places.push('secret')
  if (VCS.test(text)) places.push('vcs')
  if (STARTUP.test(text)) places.push('startup')
  if (isGuardOfProject(text)) places.push('guard')
  return places
}

/** What lies below a folder that is deleted, read or written as a whole. */
export function placesBelow(world: World, path: string, does: Does, isFolder: boolean): Place[] {
  const places: Place[] = []
  const { disk } = world
  const exists = (each: string) => disk === null || disk.realpath(each) !== undefined
  if (does === 'delete') {
    const prefix = path === '/' ? '/' : `${path}/`
    const isOurs = (file: string) => OURS.some((each) => file === `${world.home}/${each}`)
    if (
      path.endsWith('/.agents') ||
      (isFolderOfGuards(world, path) && !exists(path)) ||
      guardFiles(world).some((file) => file.startsWith(prefix) && (isOurs(file) || exists(file)))
    )
      places.push('guard')
    if (disk?.realpath(`${prefix}.git`) !== undefined && placesOf(world, `${prefix}.git`).includes('vcs'))
      places.push('vcs')
  }
  if (
    does === 'write' &&
    isFolder &&
    path !== world.workDir &&
    path !== world.home &&
    guardFiles(world).some((file) => file.slice(0, file.lastIndexOf('/')) === path)
  )
    places.push('guard')
  if (does === 'read' && disk?.entries(path).some((name) => isSecretName(name))) places.push('secret')
  return places
}

/** A work folder that is the whole machine or the whole home folder is no project. */
function isProjectFolder({ workDir, home }: World): boolean {
  return workDir !== '/' && workDir !== '' && workDir !== home && !isBelow(home, workDir)
}

/** What a desktop makes for the person's own files. */
const OWN_FOLDERS = new Set('Documents Desktop Pictures Music Videos Movies Downloads Library'.split(' '))

function isTop({ home, workDir }: World, path: string): boolean {
  return (
    path === '/' ||
    path === home ||
    path === workDir ||
    (path.startsWith(`${home}/`) && OWN_FOLDERS.has(path.slice(home.length + 1))) ||
    OWN_FOLDERS.has(/^\/(?:home|Users)\/[^/]+\/([^/]+)$/.exec(path)?.[1] ?? '') ||
    isBelow(workDir, path) ||
    isTopFolder(path)
  )
}

function isTopFolder(path: string): boolean {
  if (!path.startsWith('/')) return path[1] === ':' && TOP_OF_WINDOWS.test(path)
  const [, first = '', second, third] = path.split('/', 4)
  if (second === undefined) return TOP_FOLDERS.has(first.toLowerCase())
  return third === undefined && second !== '' && /^(?:home|users)$/i.test(first)
}

function isSystem(path: string): boolean {
  if (!path.startsWith('/')) return path[1] === ':' && SYSTEM_OF_WINDOWS.test(path)
  const end = path.indexOf('/', 1)
  return path === '/' || SYSTEM_FOLDERS.has(path.slice(1, end === -1 ? undefined : end).toLowerCase())
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
