/** What is put over a folder, or shown in another place: mounts, loops, file systems of users, folders of a sandbox. */

import type { Call, Effect, Programs } from '../program.ts'
import type { Word } from '../word.ts'

const OVER = 'puts another folder over it, or shows it in another place'

export const MOUNTS = (): Programs => ({
  umount: {
    operands: 'value',
    with: { '-a --all': { does: { does: 'kill', place: 'machine', why: 'unmounts everything' } } },
    acts: places,
  },
  mount: {
    options: {
      value: '-t --types -o --options -L -U',
      flag: '-a -r -w -v -n -B -R -M --bind --rbind --move',
    },
    operands: 'value',
    acts: (call) => [...places(call), ...layers(call)],
  },
  'bindfs sshfs unionfs unionfs-fuse mergerfs overlayfs fuse-overlayfs fuse-zip encfs gocryptfs s3fs rclone-mount squashfuse fuseiso':
    {
      options: { value: '-o -m -u -g -p --map' },
      operands: 'value',
      acts: (call) => [...places(call), ...layers(call)],
    },
  'fusermount fusermount3': { operands: 'value', acts: places },
  losetup: { options: { value: '-o --offset --sizelimit' }, operands: 'value', acts: places },
})

function places({ operands }: Call): readonly Effect[] {
  return operands.filter(({ text }) => /[/~.]/.test(text)).map(over)
}

function over(guards: Word): Effect {
  return { guards, why: OVER }
}

/** `-o lowerdir=/a:/b,upperdir=/c`. */
function layers(call: Call): readonly Effect[] {
  return call
    .values('-o --options')
    .flatMap(({ text }) => text.split(','))
    .flatMap((option) => /^(?:lowerdir|upperdir|workdir)=(.+)$/.exec(option)?.[1]?.split(':') ?? [])
    .map((text) => over({ text }))
}

/** What a sandbox puts over folders of what it starts: `bwrap --bind /a ~/b --tmpfs ~/c`. */
export function sandboxed({ name, args }: Call): readonly Effect[] {
  if (name !== 'bwrap') return []
  return args.flatMap(({ text }, at): Effect[] => {
    const target = /^--(?:ro-|dev-)?bind(?:-try)?$|^--(?:overlay|symlink|file|bind-data)$/.test(text)
      ? args[at + 2]
      : /^--(?:tmpfs|tmp-overlay|remount-ro)$/.test(text)
        ? args[at + 1]
        : undefined
    const isSame = target?.text === args[at + 1]?.text && at + 2 < args.length && !/^--t/.test(text)
    return target && !isSame ? [over(target)] : []
  })
}

const TWO_VALUES =
  /^--(?:(?:ro-|dev-)?bind(?:-try)?|(?:ro-)?bind-(?:data|fd)|symlink|setenv|file|chmod|overlay)$/
const ONE_VALUE =
  /^--(?:chdir|dir|tmpfs|proc|dev|mqueue|unsetenv|uid|gid|hostname|seccomp|add-seccomp-fd|args|argv0|lock-file|cap-add|cap-drop|exec-label|file-label|userns2?|pidns|sync-fd|block-fd|userns-block-fd|info-fd|json-status-fd|perms|size|remount-ro|overlay-src|tmp-overlay|ro-overlay)$/

/** What bwrap starts: on the machine itself when its whole disk is bound there. */
export function insideSandbox({ args }: Call): readonly Effect[] {
  let at = 0
  let isWhole = false
  for (; at < args.length && args[at]!.text.startsWith('-'); at++) {
    const { text } = args[at]!
    if (/^--(?:dev-)?bind(?:-try)?$/.test(text) && args[at + 1]?.text === '/' && args[at + 2]?.text === '/')
      isWhole = true
    if (text === '--') {
      at++
      break
    }
    at += TWO_VALUES.test(text) ? 2 : ONE_VALUE.test(text) ? 1 : 0
  }
  const argv = args.slice(at)
  return argv.length === 0 ? [] : [{ argv, ...(isWhole ? {} : { elsewhere: 'bwrap' }) }]
}
