/** Programs that start another one. */

import { atMost, beginning, cutShort } from '../cut.ts'
import type { Call, Effect, Programs } from '../program.ts'
import type { Word } from '../word.ts'
import { insideSandbox, sandboxed } from './mounts.ts'
import { touchesOurs } from './terminals.ts'

export const WRAPPERS = (): Programs => ({
  'sudo gsudo': {
    options: {
      value:
        '-u -g -h -p -C -r -t -T -U --user --group --host --prompt --role --type --other-user --close-from --command-timeout --chroot -R',
      cwd: '-D --chdir',
      flag: '-E -H -n -S -b -k -K -i -s -A -B -e --login --shell --preserve-env --edit',
    },
    inert: '-l -v -V --list --validate',
    operands: ['env*', 'command'],
    does: 'escalate',
    with: { '': { stdin: 'script' }, '-e --edit': { operands: 'edit' } },
    acts: rootShell,
  },
  sudoedit: { operands: 'edit', does: 'escalate' },
  'doas pkexec run0': {
    options: {
      value: '-u -C --user --uid --setenv --property --chdir -D',
      flag: '-n -s -L --disable-internal-agent',
    },
    operands: 'command',
    does: 'escalate',
    acts: rootShell,
  },
  su: {
    options: {
      script: '-c --command --session-command',
      value: '-s --shell -g --group -G --supp-group -w --whitelist-environment',
      flag: '- -l --login -m -p -f -P --pty',
    },
    operands: 'value',
    does: 'escalate',
    stdin: 'script',
    acts: (call) => (call.given('-c --command --session-command') ? [] : ROOT_SHELL),
  },
  runuser: {
    options: { script: '-c --command', value: '-u --user -g --group -s --shell' },
    operands: 'command',
    does: 'escalate',
    with: { '-c --command': { operands: 'value' } },
  },
  'mise rtx asdf pyenv rbenv nodenv direnv': {
    commands: {
      'exec x': { options: { value: '-C --cd --tool -j --jobs' }, acts: shimmed, stops: true },
    },
    otherwise: { stops: true },
  },
  daemonize: { options: { write: '-p -l -e -o', cwd: '-c', value: '-u', env: '-E' }, operands: 'command' },
  capsh: {
    acts: ({ args }) => [
      { argv: [{ text: 'bash' }, ...args.slice(args.findIndex(({ text }) => text === '--') + 1)] },
    ],
  },
  env: {
    options: {
      value: '-u --unset -a --argv0 --block-signal --default-signal',
      cwd: '-C --chdir',
      words: '-S --split-string',
      flag: '-i -0 --null - --ignore-environment -v --debug',
    },
    operands: ['env*', 'command'],
    acts: ({ operands, given }) =>
      operands.length === 0 && !given('-S --split-string')
        ? [{ does: 'read', place: 'environment', why: 'prints the environment' }]
        : [],
  },
  'timeout gtimeout': {
    options: { value: '-s --signal -k --kill-after', flag: '--preserve-status --foreground -v' },
    operands: ['value', 'command'],
  },
  setsid: { options: { flag: '-c --ctty -f --fork -w --wait' }, operands: 'command' },
  'nohup exec builtin command busybox toybox caffeinate stdbuf unbuffer eatmydata fakeroot proxychains proxychains4 torsocks torify tsocks catchsegv dbus-run-session xvfb-run firejail ltrace aoss faketime winpty chronic ts direnv-exec':
    {
      options: {
        value: '-o --output -i --input -e --error -t -w -n --server-num -s --server-args -a ',
        flag: '-p -c -f -l -q -d -v -V -L',
      },
      operands: 'command',
    },
  nice: { options: { value: '-n --adjustment' }, operands: 'command' },
  ionice: { options: { value: '-c --class -n --classdata -p --pid -P -u', flag: '-t' }, operands: 'command' },
  'chrt taskset': {
    options: {
      value: '-T -P -D',
      flag: '-a -b -d -f -i -m -o -p -r -v -c --fifo --rr --batch --idle --cpu-list',
    },
    operands: ['value', 'command'],
  },
  'numactl cpulimit prlimit choom cgexec': {
    options: { value: '-N -m -C -i -p --pid -l -g --cpunodebind --membind -n -e --limit' },
    operands: 'command',
    acts: (call) => touchesOurs(call.values('-p --pid'), 'limits the engine'),
  },
  'setarch linux32 linux64 i386 x86_64 uname26': { operands: ['value', 'command'] },
  'time gtime': {
    options: { write: '-o --output', value: '-f --format', flag: '-p -v -a' },
    operands: 'command',
  },
  strace: {
    options: {
      write: '-o --output',
      value: '-e -p -s -u -a -b -E -I -O -S -P -X --trace',
      flag: '-f -ff -c -C -d -h -i -k -q -r -t -T -v -V -x -y',
    },
    operands: 'command',
    acts: (call) => touchesOurs(call.values('-p'), 'looks into the engine'),
  },
  'perf valgrind gdb lldb rr heaptrack': {
    options: { value: '-ex --eval-command -iex --tool --log-file -e', read: '-x --command' },
    single: true,
    stops: true,
    operands: 'value',
    acts: debugged,
  },
  watch: {
    options: {
      value: '-n --interval -q --equexit',
      flag: '-d -t -b -e -g -c -x -p --differences --exec --color',
    },
    stops: true,
    operands: 'script*',
    with: { '-x --exec': { operands: 'command' } },
    // `watch sh -c 'a b'` loses its quotes, but is meant with them.
    acts: ({ operands }) => (operands.length > 1 ? [{ argv: operands }] : []),
  },
  entr: {
    options: { flag: '-a -c -d -n -p -r -s -z -cr' },
    operands: 'command',
    with: { '-s': { operands: 'script*' } },
  },
  flock: {
    options: {
      value: '-w --timeout -E --conflict-exit-code',
      script: '-c --command',
      flag: '-s -x -n -u -o -F',
    },
    operands: ['write', 'command'],
    with: { '-c --command': { operands: 'write' } },
  },
  'script unbuffer-script': {
    options: { script: '-c --command', value: '-t -T -O -I -B -E -m', flag: '-a -e -f -q' },
    operands: ['write', 'value*'],
    // BSD: `script FILE command…`.
    acts: ({ operands, given }) =>
      operands.length > 1 && !given('-c --command') ? [{ argv: operands.slice(1) }] : [],
  },
  expect: { options: { value: '-c -f' }, language: 'tcl', operands: ['input', 'value*'] },
  bwrap: { stops: true, operands: 'value', acts: (call) => [...sandboxed(call), ...insideSandbox(call)] },
  'unshare nsenter setpriv chroot systemd-nspawn proot': {
    options: {
      value:
        '-t --target -S --setuid -G --setgid -w --wd -R --root --reuid --regid --groups -D --directory -M --machine --userspec --ro-bind --bind --setenv --chdir --uid --gid',
      flag: '-a -m -u -i -n -p -U -r -f --fork --mount --pid --user --map-root-user --mount-proc',
    },
    operands: 'command',
    acts: (call) =>
      call.name === 'chroot'
        ? [{ argv: call.operands.slice(1), elsewhere: 'chroot' }]
        : call.name === 'nsenter' && call.values('-t --target').some(({ text }) => text === '1')
          ? ROOT_SHELL
          : [],
  },
  'start-stop-daemon daemon': {
    options: {
      value: '-p --pidfile -u --user -c --chuid -n --name -d --chdir -g --group -x --exec -a --startas',
      flag: '-S --start -K --stop -b --background -m --make-pidfile -q -o',
    },
    inert: '-t --test',
    acts: (call) => {
      const [program] = call.values('-x --exec -a --startas')
      return program && call.given('-S --start') ? [{ argv: [program, ...call.operands] }] : []
    },
  },
  'systemd-run systemd-inhibit': {
    options: {
      value:
        '-p --property -u --unit --slice --uid --gid --description -E --setenv --on-calendar --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --timer-property --path-property --working-directory -M --what --who --why --mode',
      flag: '--user --scope --wait -t --pty -P --pipe --collect -q -G -r -S --system --no-block',
    },
    operands: 'command',
    with: {
      '--on-calendar --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --path-property':
        {
          does: { does: 'write', place: 'startup', why: 'runs it by itself later' },
        },
    },
  },
  'ld.so ld-linux.so ld-linux-x86-64.so.2 ld-linux.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1': {
    options: { value: '--library-path --preload --inhibit-rpath --argv0', flag: '--list --verify' },
    inert: '--list --verify --list-tunables',
    operands: 'command',
  },
  // They start a program with the variables of a file.
  'dotenv dotenvx dotenv-cli env-cmd dotenv-run': {
    options: {
      value: '-e --env -f --env-file -c --cascade -v -p --print -r --rc-file -o --overload',
      flag: '--no-override --silent --use-shell --fallback',
    },
    commands: {
      run: {
        options: { value: '-e --env -f --env-file', flag: '--quiet -q --overload' },
        operands: 'command',
      },
      'get list ls decrypt printenv': {
        does: { does: 'reveal_secret', place: 'secret', why: 'prints the variables of a file' },
      },
      'set encrypt unset': {},
    },
    otherwise: { operands: 'command' },
  },
  xargs: {
    options: {
      value:
        '-I -L -n -P -s -E -d -J --max-args --max-procs --delimiter --max-chars --process-slot-var -R -S',
      attached: '-i -l -e --replace --max-lines --eof',
      read: '-a --arg-file',
      flag: '-0 -r -t -p -x -o --null --no-run-if-empty --verbose --interactive --exit --open-tty',
    },
    stops: true,
    stdin: 'arguments',
    acts: xargs,
  },
  'parallel sem rush': { stops: true, acts: parallel },
  'make gmake ninja just task rake mage scons bmake': {
    options: {
      cwd: '-C --directory -d --working-directory',
      input: '-f --file --makefile --justfile --taskfile',
      value: '-j --jobs -l --load-average -o -W -I --include-dir --eval',
      flag: '-B -k -s -i -e -p -q -r -w',
    },
    inert: '-n --dry-run --just-print --list -l --summary',
    operands: 'value',
    language: 'make',
    acts: ({ operands, input, values, name, args }) => {
      const shell = operands.find(({ text }) => /^\.?SHELL(?:FLAGS)?=/.test(text))
      const effects: Effect[] = shell
        ? [{ script: { ...shell, text: shell.text.replace(/^[^=]*=/, '') } }]
        : []
      const files = values('-f --file --makefile --justfile')
      const at = name === 'just' ? args.findIndex(({ text }) => /^(?:-c|--command)$/.test(text)) : -1
      if (at >= 0)
        effects.push({
          script: {
            text: args
              .slice(at + 1)
              .map(({ text }) => text)
              .join(' '),
          },
        })
      if (files.some(({ text }) => /^(?:-|\/dev\/stdin)$/.test(text)) && input?.text !== undefined)
        effects.push({ code: 'make', text: { text: input.text } })
      for (const text of values('--eval')) effects.push({ code: 'make', text })
      if (files.length === 0)
        for (const text of name === 'just' ? JUSTFILES : MAKEFILES)
          effects.push({ file: { text }, language: 'make', ifWritten: true })
      return effects
    },
  },
  cmake: {
    options: {
      input: '-P',
      value: '-S -B -G -D -U -C --preset --build --target --config -j --install --prefix',
    },
    language: 'other',
    single: true,
    acts: ({ args }) => {
      const at = args.findIndex(({ text }) => text === '-E')
      const [tool, ...rest] = at < 0 ? [] : args.slice(at + 1)
      const name = CMAKE_TOOLS[tool?.text ?? '']
      return name === undefined ? [] : [{ argv: [...name.map((text) => ({ text })), ...rest] }]
    },
  },
  'eval trap source .': {},
})

/** `cmake -E`: its own tools, and what they are elsewhere. */
const CMAKE_TOOLS: Readonly<Record<string, readonly string[]>> = {
  rm: ['rm'],
  remove: ['rm'],
  remove_directory: ['rm', '-r'],
  cat: ['cat'],
  copy: ['cp'],
  copy_directory: ['cp', '-r'],
  rename: ['mv'],
  env: ['env'],
  time: ['time'],
  touch: ['touch'],
  tar: ['tar'],
  create_symlink: ['ln', '-s'],
}

const MAKEFILES = ['Makefile', 'makefile', 'GNUmakefile']
const JUSTFILES = ['justfile', 'Justfile']

const ROOT_SHELL: readonly Effect[] = [
  { does: 'escalate', place: 'machine', why: 'a shell with the rights of another user' },
]

/** `sudo -i`, `sudo -s`, `sudo su`, `sudo bash`: from there on everything runs with these rights. */
function rootShell(call: Call): readonly Effect[] {
  const [program, ...rest] = call.operands.filter(({ text }) => !/^\w+=/.test(text))
  const name = program?.text.replace(/^.*\//, '') ?? ''
  const isShell =
    /^(?:(?:ba|da|z|k|fi)?sh|su)$/.test(name) && rest.every(({ text }) => /^-[il]*$|^root$/.test(text))
  return isShell || (!program && call.given('-i -s --login --shell')) ? ROOT_SHELL : []
}

function debugged(call: Call): readonly Effect[] {
  // `valgrind prog args`, `perf record prog`, `gdb --args prog`: the rest is started.
  const words = call.name === 'perf' ? call.operands.slice(1) : call.operands
  const effects: Effect[] = call
    .values('-ex --eval-command -iex')
    .flatMap(({ text }) =>
      /^\s*(?:shell|!|make)\s*/.test(text)
        ? [{ script: { text: text.replace(/^\s*(?:shell|!|make)\s*/, '') } }]
        : [],
    )
  for (const { text } of call.values('-ex --eval-command -iex'))
    for (const [, line] of text.matchAll(/\b(?:system|popen)\s*\(\s*"([^"]+)"/g))
      effects.push({ script: { text: line! } })
  effects.push(...touchesOurs([...call.values('-p --pid'), ...call.operands], 'looks into the engine'))
  const program = words.findIndex(({ text }) => !text.startsWith('-'))
  if (
    program !== -1 &&
    (call.name === 'perf' || call.name === 'valgrind' || call.args.some(({ text }) => text === '--args'))
  )
    effects.push({ argv: words.slice(program) })
  return effects
}

/** What stands on the input becomes arguments: one call with all of it, or one for each line where `{}` stands. */
function xargs(call: Call): readonly Effect[] {
  return call.operands.length === 0 ? [] : [{ written: call.operands }, ...withInput(call)]
}

function withInput(call: Call): readonly Effect[] {
  const command = call.operands
  const replaces = call.options.find(({ name }) => /^(?:-I|-i|-J|--replace)$/.test(name))
  const mark = replaces && (replaces.value?.text || '{}')
  const flow = call.input
  const found = flow?.found ? { below: flow.found } : {}
  const files = call.values('-a --arg-file')
  const given = flow?.text ?? files[0]?.flow?.text
  const text = given === undefined ? undefined : beginning(given, MAX_INPUT_CHARS, 'what xargs is given')
  if (
    text === undefined &&
    flow &&
    (flow.hosts || flow.decoded) &&
    /^(?:-\w*c)$/.test(command.at(-2)?.text ?? command.at(-1)?.text ?? '')
  )
    return [{ argv: replaced(command, mark, [{ text: '$input', unknown: true, flow }]) }]
  if (text === undefined) {
    if (flow?.tooLong) cutShort('the text that xargs is given is too long')
    // Names that only the run shows: files that another program listed, or anything.
    const unknown: Word = { text: '$input', unknown: true, ...(flow ? { flow } : {}), ...found }
    return [{ argv: replaced(command, mark, [unknown]) }]
  }
  const isNull = call.given('-0 --null')
  const delimiter = call.values('-d --delimiter')[0]?.text
  const items = atMost(
    (isNull
      ? text.split('\0')
      : delimiter !== undefined
        ? text.split(delimiter.replace('\\n', '\n').replace('\\0', '\0'))
        : mark
          ? text.split('\n').map((line) => line.trim())
          : (text.match(/(?:[^\s"'\\]|\\[\s\S]|"[^"]*"|'[^']*')+/g) ?? []).map((item) =>
              item.replace(/\\([\s\S])|["']/g, '$1'),
            )
    ).filter((item) => item.trim() !== ''),
    MAX_ITEMS,
    'words that xargs is given',
  )
  if (items.length === 0) return call.given('-r --no-run-if-empty') ? [] : [{ argv: command }]
  // `echo /*`: the names that a pattern fits, which stands there for them.
  const words = items.map((text): Word => ({ text, ...(/[*?[]/.test(text) && { glob: true }), ...found }))
  if (mark) return words.map((word) => ({ argv: replaced(command, mark, [word]) }))
  return [{ argv: [...command, ...words] }]
}

function replaced(command: readonly Word[], mark: string | undefined, items: readonly Word[]): Word[] {
  if (!mark) return [...command, ...items]
  const [item] = items
  return command.map((word) =>
    word.text === mark
      ? item!
      : word.text.includes(mark)
        ? {
            ...word,
            text: word.text.replaceAll(mark, item!.text),
            ...(item!.unknown ? { unknown: true } : {}),
            ...(item!.glob ? { glob: true } : {}),
          }
        : word,
  )
}

const MAX_ITEMS = 2_000
const MAX_INPUT_CHARS = 200_000

const PARALLEL_VALUES =
  /^(?:-[jnNLlIsaDPSTE]|--(?:jobs|max-args|max-replace-args|nice|workdir|wd|colsep|delay|delimiter|joblog|load|results|retries|sshlogin|tagstring|timeout|tmpdir|arg-file|replace|max-lines|max-chars|memfree|env|halt|block|recstart|recend|profile|shellquote-x))$/

/** `parallel [options] command ::: arguments`; without a command the arguments are commands. */
function parallel({ args, input }: Call): readonly Effect[] {
  let at = 0
  for (; at < args.length; at++) {
    const { text } = args[at]!
    if (text === '--') {
      at++
      break
    }
    if (!text.startsWith('-') || text.startsWith(':::')) break
    if (/^--(?:dry-run|dryrun|version|help|citation)$/.test(text)) return []
    if (PARALLEL_VALUES.test(text)) at++
  }
  const words = args.slice(at)
  const separator = words.findIndex(({ text }) => /^::::?\+?$/.test(text))
  const command = separator === -1 ? words : words.slice(0, separator)
  const given =
    separator === -1
      ? (input?.text
          ?.split('\n')
          .filter(Boolean)
          .map((text) => ({ text })) ?? [])
      : words.slice(separator + 1).filter(({ text }) => !/^::::?\+?$/.test(text))
  if (command.length === 0 && separator === -1 && input && input.text === undefined)
    return [{ script: { text: '$input', unknown: true, flow: input } }]
  if (command.length === 0)
    return atMost(given, MAX_ITEMS, 'commands that parallel is given').map((script) => ({ script }))
  // The command is text for a shell; where it has quoted spaces they were meant to be one word.
  const run = (words: readonly Word[]): Effect =>
    words.length === 1 ? { script: words[0]! } : { argv: words }
  if (given.length === 0) return [run(command)]
  return atMost(given, MAX_ITEMS, 'words that parallel is given').map((item) => {
    const words = fillIn(command, item)
    return command.length === 1 && /\s/.test(command[0]!.text)
      ? { script: { ...command[0]!, text: words.map(({ text }) => text).join(' ') } }
      : run(words)
  })
}

function fillIn(command: readonly Word[], item: Word): Word[] {
  const marks = /\{(?:\d*|\.|\/|\/\/|\/\.|#|%)\}/g
  if (!command.some(({ text }) => marks.test(text) || /\{\}/.test(text))) return [...command, item]
  return command.map((word) => ({ ...word, text: word.text.replace(marks, () => item.text) }))
}

/** `direnv exec DIR command`, `mise exec tool@1 -- command`. */
function shimmed({ name, operands }: Call): readonly Effect[] {
  const words =
    name === 'direnv' ? operands.slice(1) : operands.filter(({ text }) => !/^(?:[\w-]+@.*|--)$/.test(text))
  return words.length > 0 ? [{ argv: words }] : []
}
