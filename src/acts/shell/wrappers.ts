/** Programs that start other programs, and where in their arguments the other one begins. */

/** A command given as words, or as text that a shell reads once more. */
export type Inner = { words: string[]; input?: string | null } | { script: string; positional?: string[] }

/** Options are listed with a space between them. */
interface Wrapper {
  /** Options that take the next word as their value. */
  valued?: string
  /** Words between the options and the command: a time limit, a host. */
  skips?: number
  /** Its words are joined and read by a shell. */
  joins?: boolean
  /** An option whose value is a script. */
  script?: string
  /** The words after that script belong to it. */
  splits?: boolean
  /** With one of these it only looks something up. */
  inert?: string
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued:
      '-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot --role --type --other-user --close-from --command-timeout',
    inert: '-l -v -V --list --validate --version',
  },
  doas: { valued: '-u -C -a' },
  run0: {
    valued: '-u -g -D --user --group --chdir --unit --property --nice --setenv',
  },
  pkexec: { valued: '--user' },
  env: {
    valued: '-u -C --unset --chdir -a --argv0',
    script: '-S --split-string',
    splits: true,
  },
  xargs: {
    valued:
      '-I -n -P -L -d -E -s -a -J -R -S --replace --max-args --max-procs --max-lines --delimiter --eof --max-chars --arg-file',
  },
  nohup: {},
  setsid: {},
  builtin: {},
  command: { inert: '-v -V' },
  exec: { valued: '-a' },
  nice: { valued: '-n --adjustment' },
  ionice: { valued: '-c -n -p --class --classdata' },
  chrt: { valued: '-T -P -D', skips: 1 },
  taskset: { skips: 1 },
  stdbuf: { valued: '-i -o -e --input --output --error' },
  time: { valued: '-f -o --format --output' },
  timeout: { valued: '-s -k --signal --kill-after', skips: 1 },
  gtimeout: { valued: '-s -k --signal --kill-after', skips: 1 },
  chroot: { skips: 1 },
  flock: {
    valued: '-w -E --timeout --wait --conflict-exit-code',
    skips: 1,
    script: '-c --command',
  },
  gosu: { skips: 1 },
  'su-exec': { skips: 1 },
  setpriv: {},
  unshare: {},
  nsenter: { valued: '-t --target' },
  strace: { valued: '-o -e -p -s -u -E -a -P -S' },
  ltrace: { valued: '-o -e -p -s -u' },
  caffeinate: { valued: '-t -w' },
  unbuffer: {},
  fakeroot: {},
  busybox: {},
  toybox: {},
  'systemd-run': {
    valued: '-u -p -E -M -H --unit --property --setenv --uid --gid --slice',
  },
  noglob: {},
  nocorrect: {},
  watch: { valued: '-n --interval', joins: true },
  ssh: {
    valued: '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B',
    skips: 1,
    joins: true,
  },
  eval: { joins: true },
  parallel: {
    valued: '-j -P -N -n -a -S --jobs --max-procs --delay --timeout --joblog --results --colsep -I -d',
    joins: true,
  },
  su: {
    valued: '-s -g -G --shell --group',
    script: '-c --command',
    skips: Number.POSITIVE_INFINITY,
  },
  runuser: { valued: '-u -g -G --user --group', script: '-c --command' },
  script: { script: '-c --command', skips: Number.POSITIVE_INFINITY },
}

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'mksh', 'ash', 'rbash', 'fish'])

/** The commands that these words start in turn. `input` is what the command reads, if that is known. */
export function unwrap(words: readonly string[], input: string | null): Inner[] {
  const [program = '', ...args] = words
  if (SHELLS.has(program)) return shell(words, input)
  if (program === 'find' || program === 'fd' || program === 'fdfind') return found(args)
  if (program === 'source' || program === '.') return input === null ? [] : [{ script: input }]
  if (program === 'trap') return args[0] === undefined || args[0].startsWith('-') ? [] : [{ script: args[0] }]
  if (program === 'alias')
    return args.flatMap((arg) => (arg.includes('=') ? [{ script: arg.slice(arg.indexOf('=') + 1) }] : []))
  if (program.startsWith('$') && args.includes('-c')) return shell(words, input)
  const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program]! : undefined
  if (!wrapper) return []
  const inner = wrapped(args, wrapper)
  if (program === 'xargs')
    return inner.flatMap((command) =>
      'words' in command ? withInput(command.words, args, input) : [command],
    )
  // `sudo -s`, `ssh host` and `su` alone start a shell that reads its input.
  if (inner.length === 0) return input === null ? [] : [{ script: input }]
  return inner.map((command) => ('words' in command ? { ...command, input } : command))
}

/** Skips all wrappers and their options at once, for deeply stacked ones. */
export function innermost(words: readonly string[]): string[] {
  const at = words.findIndex(
    (word) => !Object.hasOwn(WRAPPERS, word) && !SHELLS.has(word) && !/^-|^[A-Za-z_]\w*=/.test(word),
  )
  return at === -1 ? [] : words.slice(at)
}

function wrapped(args: readonly string[], wrapper: Wrapper): Inner[] {
  const { skips = 0, joins, splits } = wrapper
  const [valued, script, inert] = [list(wrapper.valued), list(wrapper.script), list(wrapper.inert)]
  const scripts: Inner[] = []
  let at = 0
  let left = skips
  for (; at < args.length; at++) {
    const arg = args[at]!
    if (inert.some((option) => arg === option || endsCluster(arg, option, valued))) return []
    const option = script.find((name) => arg.startsWith(name) || endsCluster(arg, name, valued))
    if (option !== undefined) {
      const attached = arg.startsWith(option) ? arg.slice(option.length).replace(/^=/, '') : ''
      const rest = args.slice(attached === '' ? at + 2 : at + 1)
      const text = attached === '' ? (args[at + 1] ?? '') : attached
      scripts.push({ script: splits ? [text, ...rest].join(' ') : text })
      at += attached === '' ? 1 : 0
    } else if (arg === '--' && (left === 0 || left === Number.POSITIVE_INFINITY)) {
      at++
      break
    } else if (takesNext(arg, valued)) at++
    else if ((arg.startsWith('-') && arg.length > 1) || /^[A-Za-z_]\w*\+?=/.test(arg)) continue
    else if (left > 0) left--
    else break
  }
  if (splits && scripts.length > 0) return scripts
  const words = args.slice(at)
  if (words.length === 0) return scripts
  if (!joins) return [...scripts, { words: [...words] }]
  const end = words.findIndex((word) => /^:{3,4}\+?$/.test(word))
  if (end === -1) return [...scripts, { script: words.join(' ') }]
  const values = words.slice(end + 1).filter((word) => !/^:{3,4}\+?$/.test(word))
  const command = words.slice(0, end).join(' ')
  return [...scripts, ...placed(command, values).map((line) => ({ script: line }))]
}

/** `parallel rm -rf ::: / /etc` → one line for each value, as few as `values` allows. */
function placed(command: string, values: readonly string[]): string[] {
  if (command === '') return [...values]
  return values
    .slice(0, 16)
    .map((value) => (command.includes('{}') ? command.replaceAll('{}', value) : `${command} ${value}`))
}

/** xargs gives what it reads to its command as words, or in place of a mark. */
function withInput(words: string[], args: readonly string[], input: string | null): Inner[] {
  if (input === null) return [{ words }]
  const at = args.findIndex((arg) => arg.startsWith('-I') || arg === '-i')
  const mark = at === -1 ? undefined : args[at] === '-I' ? args[at + 1] : args[at]!.slice(2) || '{}'
  if (mark === undefined) return [{ words }, { words: [...words, ...input.split(/\s+/).filter(Boolean)] }]
  const lines = input.split('\n').filter(Boolean).slice(0, 16)
  return [
    { words },
    ...lines.map((line) => ({ words: words.map((word) => word.replaceAll(mark, line.trim())) })),
  ]
}

/** `-u root` and `-iu root` take the next word; `-uroot` and `--user=root` hold their value. */
function takesNext(arg: string, valued: readonly string[]): boolean {
  if (valued.includes(arg)) return true
  if (!arg.startsWith('-') || arg.startsWith('--')) return false
  const at = [...arg].findIndex((letter, index) => index > 0 && valued.includes(`-${letter}`))
  return at !== -1 && at === arg.length - 1
}

/** `-lc` holds `-c` as its last letter, but `-uc` holds the value c. */
function endsCluster(arg: string, option: string, valued: readonly string[]): boolean {
  if (option.length !== 2 || !/^-[A-Za-z]{2,6}$/.test(arg) || !arg.endsWith(option[1]!)) return false
  return ![...arg.slice(1, -1)].some((letter) => valued.includes(`-${letter}`))
}

function list(options: string | undefined): readonly string[] {
  return options?.split(' ') ?? []
}

function shell(words: readonly string[], input: string | null): Inner[] {
  let runsScript = false
  let at = 1
  for (; at < words.length; at++) {
    const word = words[at]!
    if (word === '--' || word === '-') {
      at++
      break
    }
    if (!/^[-+]./.test(word)) break
    if (word.startsWith('--')) {
      if (word === '--rcfile' || word === '--init-file') at++
      if (word === '--command') runsScript = true
      else if (word.startsWith('--command=')) return [{ script: word.slice('--command='.length) }]
      continue
    }
    if (word.includes('c') && word.startsWith('-')) runsScript = true
    if (/[oO]$/.test(word)) at++
  }
  const [script, ...positional] = words.slice(at)
  if (runsScript) return script === undefined ? [] : [{ script, positional }]
  const readsInput = script === undefined || /^(?:\/dev\/stdin$|<\()/.test(script) || words.includes('-s')
  return readsInput && input !== null ? [{ script: input, positional: [words[0]!, ...positional] }] : []
}

const EXECUTES = new Set(['-exec', '-execdir', '-ok', '-okdir', '-x', '-X', '--exec', '--exec-batch'])

function found(args: readonly string[]): Inner[] {
  const inner: Inner[] = []
  for (let at = 0; at < args.length; at++) {
    if (!EXECUTES.has(args[at]!)) continue
    const rest = args.slice(at + 1)
    const end = rest.findIndex((word) => word === ';' || word === '+')
    const words = end === -1 ? rest : rest.slice(0, end)
    if (words.length > 0) inner.push({ words })
  }
  return inner
}
