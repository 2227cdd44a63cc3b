/** Archives, compression, copies between machines. */

import { namesGuardsOfProject } from '../guard-places.ts'
import type { Call, Effect, Programs } from '../program.ts'
import { isRemotePath } from '../program-effects.ts'
import type { Word } from '../word.ts'

export const ARCHIVES = (): Programs => ({
  'tar gtar bsdtar': {
    bundle: true,
    options: {
      value:
        '--checkpoint-action -f --file -b -C --directory --exclude --transform --xform --strip-components -L -V --label --mode --owner --group --newer --after-date -N --sort --warning --format -H -K --one-top-level -s',
      read: '-T --files-from -X --exclude-from',
      script:
        '-I --use-compress-program --to-command --info-script -F --new-volume-script --rsh-command --rmt-command',
      flag: '-c --create -x --extract --get -t --list -r --append -u --update -A --concatenate -d --diff --delete -z -j -J -v -p -P -k -O --to-stdout -a --gzip --bzip2 --xz --zstd --auto-compress --force-local --no-recursion --remove-files --overwrite --absolute-names -h -S -W',
    },
    decodes: '-O --to-stdout',
    acts: tar,
  },
  zip: {
    options: {
      value: '-x -i -n -t -b -P -O --out --password',
      script: '-TT --unzip-command',
      flag: '-m -q -u -d -T -e -j -9 -l -v -h -sf',
    },
    inert: '-sf -h',
    recursive: '-r',
    excludes: '-x --exclude',
    operands: ['write', 'read*'],
    copies: true,
    acts: (call) => [...zipNames(call), ...namesGiven(call, '')],
  },
  '7z 7za 7zr 7zz rar': {
    single: true,
    recursive: true,
    operands: 'value',
    with: { '=a =u': { operands: ['value', 'write', 'read*'], copies: true } },
    acts: sevenZip,
  },
  'unzip unrar unar': {
    options: { value: '-x -P', write: '-d', flag: '-p -c -l -t -Z -v -z' },
    operands: ['read', 'value*'],
    decodes: '-p -c',
    acts: (call) =>
      call.given('-p -c -l -t -Z -v -z')
        ? []
        : call.operands.length > 1
          ? membersThatGuard(call.operands.slice(1), call.values('-d')[0])
          : [
              unpackedTo(call.values('-d')[0] ?? HERE),
              ...call.operands.map((unpacks) => ({ unpacks, into: call.values('-d')[0] ?? HERE })),
            ],
  },
  'gzip bzip2 xz zstd lz4 lzma compress brotli pigz pbzip2': {
    options: {
      value: '-S --suffix -T --threads',
      write: '-o',
      flag: '-d --decompress -k --keep -c --stdout -f -l -t -v -9 -r',
    },
    operands: 'read',
    decodes: '-d --decompress',
    acts: compressed,
  },
  'gunzip bunzip2 unxz unzstd uncompress zcat bzcat xzcat zstdcat gzcat zless zmore': {
    operands: 'read',
    decodes: true,
  },
  'stow xstow': {
    options: {
      value: '-d --dir -t --target --ignore --defer --override',
      flag: '-S -D -R -n -v --simulate --adopt',
    },
    operands: 'value',
    acts: (call) => [unpackedTo(call.values('-t --target')[0] ?? { text: '..' })],
  },
  // Dotfiles: what they put into the home folder is in a folder of theirs, or comes from elsewhere.
  chezmoi: {
    options: {
      value: '-c --config -D --destination -S --source -W --working-tree',
      flag: '-n --dry-run -v -a --apply',
    },
    inert: '-n --dry-run',
    commands: {
      'apply update destroy purge forget merge-all': { operands: 'value', acts: fillsHome },
      init: { operands: 'value', with: { '-a --apply': { acts: fillsHome } } },
      edit: { operands: 'value', with: { '-a --apply': { acts: fillsHome } } },
    },
    otherwise: { operands: 'value' },
  },
  yadm: {
    commands: {
      'checkout pull reset restore merge rebase stash clone bootstrap alt': {
        operands: 'value',
        acts: fillsHome,
      },
    },
    otherwise: { operands: 'value' },
  },
  'rcup rcdn dotbot mackup homeshick homesick dotdrop vcsh': {
    options: { value: '-c -d --config-file', flag: '-l -n --dry-run' },
    inert: '-n --dry-run',
    operands: 'value',
    acts: fillsHome,
  },
  'home-manager': { commands: { switch: { acts: fillsHome } }, otherwise: { operands: 'value' } },
  'cpio pax': {
    options: {
      read: '-I',
      write: '-O -F -f --file',
      value: '-H -D --directory',
      flag: '-o -i -p -d -v -r -w -t --list --extract --pass-through',
    },
    operands: 'value',
    acts: (call) => [
      ...namesGiven(call, ''),
      ...(call.given(call.name === 'pax' ? '-w' : '-o --create') ? (call.input?.text ?? '') : '')
        .split('\n')
        .filter((text) => text !== '')
        .map((text): Effect => ({ does: 'read', path: { text } })),
      ...(call.given(call.name === 'pax' ? '-r' : '-i --extract') && !call.given('-t --list')
        ? [
            unpackedTo(call.values('-D --directory')[0] ?? HERE),
            ...membersThatGuard(call.values('-D --directory')),
          ]
        : []),
      // Passed through: the last one is the folder that files are copied to.
      ...(call.given(call.name === 'pax' ? '-r' : '-p --pass-through') && call.operands.length > 0
        ? [unpackedTo(call.operands.at(-1)!)]
        : []),
      ...(call.name === 'pax' && call.given('-w') ? call.operands.map((takes) => ({ takes })) : []),
    ],
  },
  'mksquashfs genisoimage mkisofs xorriso xorrisofs duplicity rdiff-backup unison kopia bup zpaq ditto': {
    options: { value: '-e -comp', write: '-o --output' },
    operands: 'value',
    acts: ({ operands }) => operands.map((takes) => ({ takes })),
  },
  'ar ranlib': { operands: ['value', 'edit', 'read*'] },
  rsync: {
    options: {
      script: '-e --rsh --rsync-path',
      read: '--exclude-from --include-from --files-from --password-file',
      write: '--log-file --backup-dir --write-batch --partial-dir -T --temp-dir',
      value:
        '--exclude --include -f --filter -B --block-size --chmod --chown --bwlimit --port --timeout --compare-dest --link-dest --max-size --min-size --suffix --info --debug --max-delete -M --remote-option --out-format --iconv --address',
      flag: '-a -v -z -r -u -n -c -h -P -q -l -p -t -g -o -D -H -A -X -S -x -b -R -W --archive --recursive --delete --delete-before --delete-after --delete-during --delete-excluded --del --progress --remove-source-files --no-recursive',
    },
    inert: '-n --dry-run --list-only',
    recursive: '-r -a --recursive --archive',
    excludes: '--exclude',
    operands: ['remote*', 'remote_write'],
    acts: (call) => [...rsync(call), ...namesGiven(call, '--files-from')],
  },
  scp: {
    options: {
      script: '-S',
      value: '-c -F -i -J -l -o -P -X -D',
      flag: '-r -p -q -v -C -B -3 -T -O -4 -6',
    },
    recursive: '-r',
    operands: ['remote*', 'remote_write'],
    acts: (call) => [...remoteCopy(call), ...sshOptions(call)],
  },
  rclone: {
    options: {
      value:
        '--config --transfers --checkers --include --exclude --filter --max-age --min-age --bwlimit --log-file --log-level',
    },
    inert: '-n --dry-run -i --interactive',
    commands: {
      'sync bisync': {
        recursive: true,
        operands: ['remote', 'remote_write'],
        does: { does: 'delete', place: 'cloud', why: 'deletes what the source does not have' },
      },
      'delete purge deletefile rmdirs cleanup rmdir': {
        does: { does: 'delete', place: 'cloud', why: 'deletes files of a remote' },
      },
      'copy copyto': { recursive: true, operands: ['remote', 'remote_write'], acts: remoteCopy },
      'move moveto': { recursive: true, operands: ['remote', 'remote_write'], acts: remoteCopy },
      cat: { operands: 'remote' },
      config: {
        with: {
          '=show =dump': { does: { does: 'reveal_secret', place: 'secret', why: 'prints stored passwords' } },
        },
      },
    },
  },
  restic: {
    options: { value: '-r --repo -p --password-file --tag --host --path -o' },
    inert: '-n --dry-run',
    commands: {
      'forget prune': { does: { does: 'delete', place: 'cloud', why: 'deletes backups' } },
      key: {
        with: {
          '=remove': { does: { does: 'delete', place: 'cloud', why: 'removes a key of the backups' } },
        },
      },
      backup: { options: { value: '-e --exclude' }, acts: backedUp },
    },
  },
  borg: {
    inert: '-n --dry-run',
    commands: {
      'delete prune compact': { does: { does: 'delete', place: 'cloud', why: 'deletes backups' } },
      create: { options: { value: '-e --exclude -C --compression' }, acts: backedUp },
    },
  },
  velero: {
    commands: {
      'backup restore schedule': {
        with: { '=delete': { does: { does: 'delete', place: 'cluster', why: 'deletes backups' } } },
      },
      delete: { does: { does: 'delete', place: 'cluster', why: 'deletes backups' } },
    },
  },
})

function backedUp(call: Call): readonly Effect[] {
  const without = call.values('-e --exclude').map(({ text }) => text)
  return call.operands.map((takes) => ({ takes, without }))
}

/** Local files that go to another machine leave. */
function remoteCopy({ operands, row }: Call): readonly Effect[] {
  const to = operands.at(-1)
  if (operands.length < 2 || !to) return []
  if (!isRemotePath(to.text) && !to.unknown) return fetched(operands.slice(0, -1), to)
  const recursive = row.recursive === true
  return operands
    .slice(0, -1)
    .filter(({ text }) => !isRemotePath(text))
    .map((path) => ({ does: 'send', path, ...(recursive ? { recursive } : {}) }))
}

/** What came from another machine: whoever runs it runs what that machine sent. */
function fetched(from: readonly Word[], to: Word): readonly Effect[] {
  return from
    .filter(({ text }) => isRemotePath(text))
    .map((each) => ({ from: each, to, host: each.text.replace(/^\w+:\/\//, '').replace(/[:/].*$/s, '') }))
}

function rsync(call: Call): readonly Effect[] {
  const to = call.operands.at(-1)
  const effects: Effect[] = [...remoteCopy(call)]
  const from = call.operands.slice(0, -1)
  if (to && !isRemotePath(to.text)) {
    for (const each of from) if (!isRemotePath(each.text)) effects.push({ from: each, to })
    // With a slash at its end it is what is in the folder, and the folder's name does not tell.
    if (from.some(({ text }) => /\/\.?$/.test(text))) effects.push(unpackedTo(to))
    if (call.options.some(({ name }) => /^--del(?:ete)?/.test(name)) && call.operands.length > 1)
      effects.push({
        does: 'delete',
        path: to,
        recursive: true,
        why: 'deletes what the source does not have',
      })
  }
  if (call.given('--remove-source-files'))
    effects.push(...from.map((path): Effect => ({ does: 'delete', path, recursive: true })))
  return effects
}

/** `-o ProxyCommand=…` and its kin run a shell line here. */
export function sshOptions(call: Call): readonly Effect[] {
  return call.values('-o').flatMap((option): Effect[] => {
    const [, value] =
      /^\s*(?:proxycommand|localcommand|knownhostscommand|permitlocalcommand)\s*[=\s]\s*([\s\S]+)/i.exec(
        option.text,
      ) ?? []
    return value === undefined || value === 'yes' ? [] : [{ script: { ...option, text: value } }]
  })
}

function tar(call: Call): readonly Effect[] {
  const given =
    call.env
      .get('TAR_OPTIONS')
      ?.text.split(/\s+/)
      .map((text) => ({ text })) ?? []
  const extra = given.map(({ text }) => text)
  const has = (names: string) => call.given(names) || names.split(' ').some((name) => extra.includes(name))
  const file =
    call.values('-f --file')[0] ??
    given.find(({ text }) => text.startsWith('--file='))?.text.replace('--file=', '') ??
    call.env.get('TAPE')
  const archive = typeof file === 'string' ? { text: file } : file
  const isRemote = archive !== undefined && /^[^/:]+:/.test(archive.text) && !has('--force-local')
  const effects: Effect[] = call
    .values('--checkpoint-action')
    .flatMap((action): Effect[] =>
      action.text.startsWith('exec=') ? [{ script: { ...action, text: action.text.slice(5) } }] : [],
    )
  const cwd = call.values('-C --directory')
  if (has('-c --create -r --append -u --update')) {
    const folder = cwd.at(-1)
    // After the files it has no effect.
    const first = call.args.indexOf(call.operands[0]!)
    const isLate = call.args.some(({ text }, at) => at > first && text.startsWith('--exclude'))
    const without = isLate ? [] : call.values('--exclude').map(({ text }) => text)
    for (const operand of call.operands) {
      const path =
        folder && !operand.text.startsWith('/')
          ? { ...operand, text: `${folder.text.replace(/\/$/, '')}/${operand.text}` }
          : operand
      effects.push({ does: 'read', path, recursive: true, without })
      if (isRemote) effects.push({ does: 'send', path, host: archive, recursive: true, without })
      else if (archive && archive.text !== '-') effects.push({ from: path, to: archive })
      if (has('--remove-files')) effects.push({ does: 'delete', path, recursive: true })
    }
    if (archive && archive.text !== '-' && !isRemote) effects.push({ does: 'write', path: archive })
    effects.push(...namesGiven(call, '-T --files-from'))
  } else if (has('-x --extract --get')) {
    if (archive && archive.text !== '-' && !isRemote) effects.push({ does: 'read', path: archive })
    if (!has('-O --to-stdout')) {
      effects.push(...cwd.map((path): Effect => ({ does: 'write', path })))
      effects.push({
        unpacks: archive === undefined || archive.text === '-' ? null : archive,
        into: cwd.at(-1) ?? HERE,
      })
      effects.push(...membersThatGuard(call.operands, cwd.at(-1)))
      if (call.operands.length === 0 && !call.options.some(({ name }) => name === '--one-top-level'))
        effects.push(unpackedTo(has('-P --absolute-names') ? { text: '/' } : (cwd.at(-1) ?? HERE)))
    }
  }
  return effects
}

/** `tar xf a.tar .claude`: what is named to be unpacked. */
function membersThatGuard(members: readonly Word[], into: Word = HERE): readonly Effect[] {
  return members
    .filter(({ text }) => namesGuardsOfProject(text))
    .map((member) => ({
      does: 'write',
      path: {
        ...member,
        text: `${into.text.replace(/\/$/, '')}/${member.text.replace(/\/(?:\*+\/?)*$/, '')}/`,
      },
      why: 'unpacks files that guard',
    }))
}

const HERE: Word = { text: '.' }

/** Nobody knows which files an archive holds: where the guards lie below the folder, it may replace them. */
function unpackedTo(guards: Word): Effect {
  return { guards, certain: false, why: 'what is unpacked there may replace files that guard' }
}

/** `7z x a -ofolder`. */
function sevenZip({ operands, args }: Call): readonly Effect[] {
  if (!/^[xe]$/.test(operands[0]?.text ?? '')) return []
  const out = args.find(({ text }) => /^-o./.test(text))
  return [unpackedTo(out ? { ...out, text: out.text.slice(2) } : HERE)]
}

/** Names of files that it reads from its input: `find … | tar -T -`. */
function namesGiven(call: Call, names: string): readonly Effect[] {
  const isGiven = names === '' || call.values(names).some(({ text }) => text === '-')
  return isGiven && call.input?.found
    ? [{ does: 'read', path: { text: '$input', unknown: true, flow: call.input } }]
    : []
}

/** `zip x -@` takes names from its input. */
function zipNames(call: Call): readonly Effect[] {
  const names = call.args.some(({ text }) => text === '-@' || text === '@-') ? call.input?.text : undefined
  const to = call.operands[0]
  return (names?.split(/\s+/).filter(Boolean) ?? []).flatMap((text): Effect[] => [
    { does: 'read', path: { text } },
    ...(to ? [{ from: { text }, to }] : []),
  ])
}

const SUFFIXES: Readonly<Record<string, string>> = {
  gzip: '.gz',
  pigz: '.gz',
  bzip2: '.bz2',
  pbzip2: '.bz2',
  xz: '.xz',
  zstd: '.zst',
  lz4: '.lz4',
  lzma: '.lzma',
  compress: '.Z',
  brotli: '.br',
}

/** `gzip -k x` makes `x.gz` of it. */
function compressed(call: Call): readonly Effect[] {
  if (call.given('-r --recursive')) return call.operands.map((takes) => ({ takes }))
  if (call.given('-c --stdout -d --decompress -t -l')) return []
  const suffix = call.values('-S --suffix')[0]?.text ?? SUFFIXES[call.name] ?? '.gz'
  return call.operands.flatMap((from): Effect[] => {
    const to = { ...from, text: from.text + suffix }
    return [
      { does: 'write', path: to },
      { from, to },
    ]
  })
}

/** `chezmoi apply ~/.vimrc`: only what is named, where anything is. */
function fillsHome({ operands }: Call): readonly Effect[] {
  const named = operands.filter(({ text }) => /^[~/.]/.test(text))
  return named.length === 0 ? [unpackedTo({ text: '~' })] : named.map(unpackedTo)
}
