/** Files: copy, move, remove, link, change the mode. */

import type { Call, Effect, Programs } from '../program.ts'
import { isSecretFile, isSecretFolder } from '../secret-files.ts'
import type { Word } from '../word.ts'

/** What is made with a mode, an owner or an attribute is not read. */
const MODE = { flag: '-v -f -c --verbose --quiet --silent --changes -h -H -L -P' }

export const FILES = (): Programs => ({
  'rm grm': {
    options: { flag: '-f --force -i -I -v -d --dir --no-preserve-root --preserve-root' },
    recursive: '-r -R --recursive',
    operands: 'delete',
    acts: belowNothing,
  },
  'rmdir unlink': { options: { flag: '-p --parents -v --ignore-fail-on-non-empty' }, operands: 'delete' },
  'shred srm wipe': {
    options: { value: '-n --iterations -s --size --random-source', flag: '-u --remove -z -f -v' },
    recursive: '-r -R',
    operands: 'delete',
  },
  'trash trash-put gio-trash rmtrash': { recursive: true, operands: 'delete' },
  // They read patterns by themselves, quoted or not.
  'rimraf del-cli': {
    inert: '-d --dry-run',
    operands: 'value',
    acts: ({ operands }) =>
      operands.map((path) => ({ does: 'delete', path: { ...path, glob: true }, recursive: true })),
  },
  gio: { commands: { trash: { recursive: true, operands: 'delete' }, 'remove rm': { operands: 'delete' } } },
  'cp gcp': {
    options: {
      write: '-t --target-directory',
      value: '-S --suffix --sparse --reflink --backup --preserve --no-preserve',
      flag: '-f --force -T --no-target-directory -l --link -s --symbolic-link -u -n -v -p --attributes-only',
    },
    recursive: '-r -R -a --recursive --archive',
    operands: ['read*', 'write'],
    copies: true,
    with: {
      '-t --target-directory': { operands: 'read' },
      '-l --link -s --symbolic-link': { operands: ['source*', 'write'] },
      '--attributes-only': { operands: ['value*', 'write'], copies: false },
    },
    acts: (call) => [...(call.given('-l --link') ? hardLinks(call, '') : []), ...copiedInto(call)],
  },
  'mv gmv': {
    options: {
      write: '-t --target-directory',
      value: '-S --suffix --backup',
      flag: '-f -n -i -u -v -T --no-target-directory',
    },
    operands: ['move*', 'write'],
    copies: true,
    with: { '-t --target-directory': { operands: 'move' } },
  },
  'rename prename mmv': {
    options: { value: '-e', flag: '-n -v -f' },
    inert: '-n --nono --no-act',
    operands: ['value', 'write*'],
    acts: ({ operands }) => operands.map((guards) => ({ guards, why: 'gives it another name' })),
  },
  ln: {
    options: {
      write: '-t --target-directory',
      value: '-S --suffix',
      flag: '-s -f -n -T -r -v --symbolic --force --no-dereference --relative',
    },
    operands: ['source*', 'write'],
    copies: true,
    with: { '-t --target-directory': { operands: 'source' } },
    acts: (call) => [...hardLinks(call, '-s --symbolic'), ...linkHere(call)],
  },
  link: { operands: ['source', 'write'], copies: true, acts: (call) => hardLinks(call, '') },
  'install ginstall': {
    options: {
      write: '-t --target-directory',
      value: '-m --mode -o --owner -g --group -S --suffix --strip-program',
      flag: '-d --directory -D -v -c -C -p -s',
    },
    operands: ['read*', 'write'],
    copies: true,
    with: {
      '-d --directory': { operands: 'write', copies: false },
      '-t --target-directory': { operands: 'read' },
    },
  },
  'mkdir md': { options: { value: '-m --mode --context' }, operands: 'write' },
  mkfifo: { options: { value: '-m --mode' }, operands: 'write' },
  mknod: { options: { value: '-m --mode' }, operands: ['write', 'value*'] },
  mktemp: { options: { value: '-p --tmpdir --suffix' } },
  touch: {
    options: { value: '-d --date -t -r --reference' },
    operands: 'value',
    hides: true,
    // An empty file holds no secret.
    acts: ({ operands }) =>
      operands.filter(({ text }) => !isSecretFile(text)).map((path) => ({ does: 'write', path })),
  },
  truncate: {
    options: { value: '-s --size -r --reference', flag: '-c -o --no-create --io-blocks' },
    operands: 'write',
  },
  fallocate: { options: { value: '-l --length -o --offset' }, operands: 'write' },
  'chmod gchmod': {
    options: { ...MODE, value: '--reference' },
    recursive: '-R --recursive',
    operands: 'value',
    acts: (call) => [
      ...changed(call),
      ...runnable(call),
      ...modeAsOption(call),
      ...runsAsOwner(call),
      ...forEverybody(call),
    ],
  },
  'chown chgrp': {
    options: { ...MODE, value: '--reference --from' },
    recursive: '-R --recursive',
    operands: 'value',
    acts: changed,
  },
  setfacl: {
    options: { value: '-m --modify -x --remove -M -X --restore', flag: '-b -k' },
    recursive: '-R --recursive',
    operands: 'write',
  },
  // Its modes begin with a minus, too: `chattr -i file`.
  chattr: {
    options: { value: '-v -p' },
    recursive: '-R',
    operands: 'value',
    acts: ({ operands }) =>
      operands
        .filter(({ text }) => !/^[+=][A-Za-z]+$/.test(text))
        .map((path): Effect => ({ does: 'write', path })),
  },
  'chcon restorecon': { recursive: '-R -r', operands: 'write' },
  setcap: {
    operands: ['value', 'write*'],
    does: { does: 'escalate', place: 'machine', why: 'gives a program capabilities' },
  },
  'ls dir vdir exa eza lsd tree': {
    options: { write: '-o --output', value: '-I --ignore -w -T --sort --time -L -P --tree-depth' },
    operands: 'value',
    hides: true,
  },
  'stat file basename dirname realpath readlink du df test [ pathchk namei lsof fuser mountpoint': {
    operands: 'value',
    hides: true,
  },
  which: { operands: 'value', hides: true, prints: ourProgram },
  'pwd cd pushd popd whereis type whoami id date sleep true false : hash tty uname hostname uptime': {
    operands: 'value',
    hides: true,
  },
  dd: {
    keys: { read: 'if', write: 'of' },
    acts: ({ operands }) => {
      const key = (name: string) => operands.find(({ text }) => text.startsWith(`${name}=`))
      const [from, to] = [key('if'), key('of')]
      return from && to
        ? [{ from: { ...from, text: from.text.slice(3) }, to: { ...to, text: to.text.slice(3) } }]
        : []
    },
  },
  'strip objcopy patchelf': {
    options: { write: '-o --output', value: '-K -N -R -j --set-interpreter --set-rpath --add-section' },
    operands: 'edit',
    with: { '-o --output': { operands: 'read' } },
  },
  sponge: { operands: 'write' },
  sd: {
    options: { value: '-n --max-replacements -f --flags', flag: '-p --preview -F -s' },
    operands: ['value', 'value', 'edit*'],
  },
  tee: { options: { flag: '-a --append -i -p' }, operands: 'write' },
  patch: {
    options: {
      read: '-i --input',
      write: '-o --output -r --reject-file',
      value: '-p --strip -F -D -B -z -Y -V',
      cwd: '-d --directory',
    },
    inert: '--dry-run -C',
    operands: ['edit', 'read*'],
    acts: (call) =>
      call.operands.length > 0
        ? []
        : [
            {
              guards: call.values('-d --directory')[0] ?? { text: '.' },
              certain: false,
              why: 'what is patched there may be files that guard',
            },
            {
              patches: call.values('-i --input')[0] ?? null,
              into: { text: '.' },
              // Without -p it takes the name alone, or whichever of the names exists.
              strips: call.given('-p --strip') ? [Number(call.values('-p --strip')[0]?.text) || 0] : [0, 1],
            },
          ],
  },
  'split csplit': {
    options: { value: '-n -l -b -C -a -t -f --lines --bytes' },
    operands: ['read', 'value*'],
  },
  sync: {},
})

/** Of ours it is known that it is guarded wherever it is. */
/** `cp -r x/. folder`: all that is in one folder goes into the other, whatever it is called. */
function copiedInto(call: Call): readonly Effect[] {
  const into = call.values('-t --target-directory')[0]
  const from = into ? call.operands : call.operands.slice(0, -1)
  const to = into ?? call.operands.at(-1)
  return to && call.given('-r -R -a --recursive --archive') && from.some(({ text }) => /\/\.$/.test(text))
    ? [{ guards: to, certain: false, why: 'what is copied there may replace files that guard' }]
    : []
}

function ourProgram({ operands }: Call): string | undefined {
  return operands.at(-1)?.text === 'crosshook' ? '/usr/local/bin/crosshook' : undefined
}

/** A hard link is the same file under another name: whoever has it can change the file. */
function hardLinks(call: Call, symbolic: string): readonly Effect[] {
  if (symbolic !== '' && call.given(symbolic)) return []
  const sources = call.given('-t --target-directory') ? call.operands : call.operands.slice(0, -1)
  return (sources.length === 0 ? call.operands : sources).map((guards) => ({
    guards,
    why: 'another name for a file that guards',
  }))
}

/** `ln -s /some/file` makes a link of that name here. */
function linkHere({ operands: [from, ...rest], given }: Call): readonly Effect[] {
  if (!from || rest.length > 0 || given('-t --target-directory')) return []
  return [{ from, to: { text: `./${from.text.replace(/\/+$/, '').replace(/^.*\//, '')}` }, link: true }]
}

/** `rm -rf "$DIR"/*` with an empty DIR removes everything. */
function belowNothing(call: Call): readonly Effect[] {
  return call.operands
    .filter(
      ({ text, unknown }) =>
        unknown &&
        /^\$\{?[A-Za-z_]\w*\}?\/+[.*]*$/.test(text) &&
        !/^\$\{?(?:TMPDIR|TMP|TEMP|RUNNER_TEMP|XDG_\w+)\b/.test(text),
    )
    .map(() => ({
      does: 'delete',
      path: { text: '/' },
      certain: false,
      why: 'everything, when the variable is empty',
      ...(call.given('-r -R --recursive') ? { recursive: true } : {}),
    }))
}

/** `chmod u+s`, `chmod 4755`. */
function runsAsOwner({ operands }: Call): readonly Effect[] {
  return /^[ugoa]*\+[rwxX]*s|^[2467][0-7]{3}$/.test(operands[0]?.text ?? '')
    ? [{ does: 'escalate', place: 'machine', why: 'runs with the rights of its owner' }]
    : []
}

/** `chmod 777 x`: everybody may change it. Among temporary files that is seldom meant badly. */
function forEverybody({ operands: [mode, ...files] }: Call): readonly Effect[] {
  return /^0?777$|^(?:a|ugo)?[+=]rwx$/.test(mode?.text ?? '') &&
    files.some(({ text }) => !/^\/(?:var\/)?tmp\/./.test(text))
    ? [{ does: 'escalate', place: 'machine', why: 'lets everybody change it' }]
    : /^0?[0-7]{2}[2367]$|^[ugo]*[ao][ugo]*[+=]\w*w/.test(mode?.text ?? '') &&
        files.some(({ text }) => text.startsWith('/etc/'))
      ? [{ does: 'escalate', place: 'machine', why: 'lets everybody change it' }]
      : []
}

/** Who may read a file of secrets changes nothing in it; everything else counts as written. */
function changed(call: Call): readonly Effect[] {
  const recursive = call.given('-R --recursive')
  const files = call.given('--reference') ? call.operands : call.operands.slice(1)
  const isSecret = ({ text }: Word) => {
    const path = text.replace(/^~/, '/home/me')
    return !recursive && (isSecretFile(path) || isSecretFolder(path.replace(/\/+$/, '')))
  }
  const why = 'changes who may use it'
  const gentle = staysUsable(call) ? { gentle: true } : {}
  const owned = call.name === 'chown' && files.some((file) => isSecret(file) && file.text.startsWith('/etc/'))
  return [
    ...(owned ? [{ does: 'escalate', place: 'machine', why } as const] : []),
    ...files
      .filter((file) => !isSecret(file))
      .map((path): Effect => ({ does: 'write', path, ...(recursive ? { recursive, ...gentle } : {}) })),
    // A folder above keeps its owner out as well.
    ...files
      .filter((file) => recursive || isSecret(file) || closes(call))
      .map((guards): Effect => ({ guards, why })),
  ]
}

/** `chown -R $USER .`, `chmod -R u+rwX .`: nobody is locked out, and not everybody is let in. */
function staysUsable({ name, operands: [first] }: Call): boolean {
  const text = first?.text ?? ''
  if (name === 'chgrp') return true
  if (name === 'chown') return !/^(?:root|0|nobody|65534|daemon|bin|sys)(?:[:.]|$)/.test(text)
  return /^0?7[0-7][0145]$|^(?:[ug]*\+[rwX]+|[ugoa]*\+[rX]+|[go]+-[rwxX]+)(?:,(?:[ug]*\+[rwX]+|[ugoa]*\+[rX]+|[go]+-[rwxX]+))*$/.test(
    text,
  )
}

/** The owner has not all rights afterwards, or is another. */
function closes({ name, operands: [mode] }: Call): boolean {
  if (name !== 'chmod' && name !== 'gchmod') return true
  return /^0?[0-6][0-7]{2}$|^[ua]*-\S*[rwx]|^[ua]*=(?!\S*rwx)/.test(mode?.text ?? '')
}

/** `chmod -x file`: a mode that looks like an option. */
function modeAsOption(call: Call): readonly Effect[] {
  return call.args.some(({ text }) => /^-[rwxXst]+$/.test(text)) && call.operands[0]
    ? [{ does: 'write', path: call.operands[0] }]
    : []
}

/** What is made executable is meant to be run. */
function runnable({ operands }: Call): readonly Effect[] {
  const [mode, ...files] = operands
  return mode && /^[ugoa]*\+[rw]*x|^0?[0-7]*[1357][0-7]*$/.test(mode.text) && !/^0?[0246]+$/.test(mode.text)
    ? files.map((file) => ({ made: file }))
    : []
}
