/** Shells and interpreters: the text they are given is what they do. */

import { atMost } from '../cut.ts'
import type { Call, Effect, Language, Program, Programs } from '../program.ts'
import type { Word } from '../word.ts'
import { changesOwn } from './own-package.ts'
import { odd } from './packages.ts'

export const SHELLS = (): Programs => ({
  'sh bash dash ash zsh ksh mksh pdksh ksh93 rbash yash posh rc es osh': {
    options: {
      value: '-o +o -O +O --rcfile --init-file',
      flag: '-c -i -l -s -n +n -e -u -x -v -f -p -r -a -b -h -k -m -t -B -C -E -H -P -T --login --norc --noprofile --posix --restricted --verbose --pretty-print --dump-strings -D',
    },
    stops: true,
    language: 'shell',
    stdin: 'script',
    acts: shell,
  },
  'fish csh tcsh elvish nu xonsh': {
    options: { value: '-C --init-command -d --debug -o', flag: '-c -i -l -n -e -f -v -x -s' },
    inert: '-n --no-execute -V',
    stops: true,
    language: 'shell',
    stdin: 'script',
    acts: shell,
  },
  ipython: {
    ...interpreter('python', {
      code: '-c',
      value: '--profile --matplotlib --ext',
      module: '-m',
      flag: '-i',
      ends: '-c -m',
    }),
    acts: (call) =>
      [...call.values('-c'), ...(call.input?.text === undefined ? [] : [{ text: call.input.text }])].flatMap(
        ({ text }) => shellLines(text),
      ),
  },
  'python python2 python3 pypy pypy3 sage jython micropython': interpreter('python', {
    code: '-c',
    value: '-W -X -Q --check-hash-based-pycs',
    module: '-m',
    flag: '-B -b -d -E -h -i -I -O -OO -q -s -S -u -v -V -x -3 -P',
    ends: '-c -m',
  }),
  'node nodejs iojs': interpreter('javascript', {
    code: '-e --eval -p --print -pe',
    value:
      '-r --require --import --loader --experimental-loader -C --conditions --env-file --env-file-if-exists --input-type --max-old-space-size --inspect-port --title',
    flag: '-i -c --check --inspect --inspect-brk --test --watch',
    ends: '',
  }),
  bun: {
    options: {
      code: '-e --eval -p --print',
      value: '-r --preload -c --config --cwd --env-file --port',
      flag: '--hot --watch --smol --bun -b',
    },
    language: 'javascript',
    stops: true,
    commands: {
      'run exec': {
        stops: true,
        operands: 'value',
        acts: ({ operands }) => (operands.length > 0 ? [{ argv: operands }] : []),
      },
      x: {
        stops: true,
        operands: 'value',
        acts: ({ operands }) => [{ argv: [{ text: 'bunx' }, ...operands] }],
      },
      'install i': { operands: 'package', acts: odd },
      'ci update outdated link unlink pm init create upgrade build test': {},
      'add a': { operands: 'package', acts: odd },
      'remove rm': {},
      publish: {
        inert: '--dry-run',
        does: { does: 'publish', place: 'registry', why: 'publishes a package' },
      },
      repl: {},
    },
    otherwise: { stops: true, operands: ['input', 'value*'] },
    acts: (call) => [...codeOfOptions(call), ...changesOwn(call)],
  },
  deno: {
    commands: {
      eval: { options: { flag: '-p --print' }, language: 'javascript', operands: ['code', 'value*'] },
      run: { language: 'javascript', stops: true, acts: remoteScript },
      'test bench check fmt lint cache info doc compile task': { operands: 'value' },
      install: { operands: 'package' },
      publish: { does: { does: 'publish', place: 'registry' } },
    },
  },
  'tsx zx ts-node swc-node babel-node esno jiti vite-node': interpreter('javascript', {
    code: '-e --eval -p --print',
    value: '-r --require --import -P --project -O',
    flag: '-T --transpile-only --esm',
    ends: '',
  }),
  perl: {
    options: {
      code: '-e -E',
      attached: '-i -F -C -x -D -V',
      value: '-I',
      // -Mmodule, -mmodule: the module is attached.
      read: '',
      flag: '-0 -l -w -n -p -a -c -s -T -t -u -U -W -X -v -h -S -f',
    },
    language: 'perl',
    stdin: 'code',
    stops: true,
    acts: perl,
    prints: (call) => printedLiteral(call, '-e -E'),
  },
  'ruby jruby truffleruby': {
    options: {
      code: '-e',
      value: '-r -I -E -C -F -K -0 -x -T',
      attached: '-i -W',
      flag: '-w -n -p -a -c -l -s -S -U -v -y --yjit --jit',
    },
    inert: '-c',
    language: 'ruby',
    stdin: 'code',
    stops: true,
    acts: lineFiles,
  },
  'irb pry': { options: { value: '-r -I' }, language: 'ruby', stdin: 'code' },
  php: {
    options: {
      code: '-r --run -B --process-begin -R --process-code -E --process-end',
      input: '-f --file -F --process-file',
      value: '-d --define -c -z -t -S --docroot --server',
      flag: '-a -l -i -m -n -q -s -w -v',
    },
    inert: '-l -i -m -v --ini',
    language: 'php',
    stdin: 'code',
    stops: true,
    operands: ['input', 'value*'],
    with: { '-r --run -B -R -E -S': { operands: 'value' } },
    // `php -S host:port -t folder`
    acts: ({ values, given }) =>
      given('-S --server')
        ? values('-t --docroot').map((path) => ({ does: 'send', path, why: 'serves it to other machines' }))
        : [],
  },
  'lua luajit lua5.1 lua5.2 lua5.3 lua5.4 lua54': interpreter('lua', {
    code: '-e',
    value: '-l -b',
    flag: '-i -v -E',
    ends: '',
  }),
  'R Rscript r littler': {
    options: {
      code: '-e',
      input: '-f --file',
      value: '--args -g --gui',
      flag: '--vanilla --slave --no-save -q --quiet',
    },
    language: 'r',
    stdin: 'code',
    stops: true,
    operands: ['input', 'value*'],
    with: { '-e': { operands: 'value' } },
  },
  'tclsh wish expect': {
    options: { code: '-c' },
    language: 'tcl',
    stdin: 'code',
    stops: true,
    operands: ['input', 'value*'],
  },
  'julia elixir iex erl scala ghc ghci runghc runhaskell racket guile clojure clj sbcl ocaml swift groovy jshell raku octave matlab gnuplot m4 bc dc kotlin bb scala-cli amm csi':
    {
      options: {
        code: '-e --eval -E --print -eval -c -batch',
        value: '-L --load -I -l -r',
        flag: '-q -i -s -noshell -noinput',
      },
      language: 'other',
      stdin: 'code',
      stops: true,
      operands: ['input', 'value*'],
      with: { '-e --eval -E -eval': { operands: 'value' } },
    },
  crystal: {
    commands: {
      eval: { language: 'other', operands: 'code' },
      'run build spec tool docs init play': { stops: true, language: 'other', operands: ['input', 'value*'] },
    },
    otherwise: { stops: true, language: 'other', operands: ['input', 'value*'] },
  },
  dart: {
    commands: {
      'run compile': { stops: true, language: 'other', operands: ['input', 'value*'] },
      'pub test analyze format fix create doc devtools info': {
        inert: '--dry-run -n',
        with: { '=publish': { does: { does: 'publish', place: 'registry', why: 'publishes a package' } } },
      },
    },
    otherwise: { stops: true, language: 'other', operands: ['input', 'value*'] },
  },
  'powershell pwsh powershell_ise': {
    single: true,
    options: { flag: '' },
    language: 'powershell',
    stdin: 'code',
    acts: powershell,
  },
  cmd: { options: { flag: '/q /d /s /u /a' }, acts: windowsCommand, stdin: 'script' },
  wsl: {
    options: { value: '-d --distribution -u --user --cd', flag: '-e --exec --' },
    operands: 'command',
    inert: '-l --list --status --update',
  },
  osascript: {
    options: { code: '-e', value: '-l -s' },
    language: 'other',
    stdin: 'code',
    operands: ['input', 'value*'],
    acts: appleScript,
  },
})

function interpreter(
  language: Language,
  {
    code,
    value,
    flag,
    ends,
    module = '',
  }: { code: string; value: string; flag: string; ends: string; module?: string },
): Program {
  return {
    options: { code, value: `${value} ${module}`, flag },
    language,
    stdin: 'code',
    stops: true,
    ends,
    operands: ['input', 'value*'],
    acts: ownProgram,
    prints: (call) => printedLiteral(call, code),
    with: {
      [code]: { operands: 'value', ...(language === 'javascript' && { acts: printedValues }) },
      ...(module ? { [module]: { operands: 'value', acts: pythonModule } } : {}),
    },
  }
}

/** `python -c "print('x')"`: what it prints is in the code, where that is all of it. */
function printedLiteral(call: Call, options: string): string | undefined {
  const [first, ...more] = call.values(options)
  if (!first || more.length > 0 || first.unknown) return undefined
  const isPrinted = call.given('-p --print -pe')
  const code = first.text.replace(/\s*;?\s*$/, '')
  const [, , text] =
    /^\s*(?:print|puts|say|echo|console\.log|process\.stdout\.write|sys\.stdout\.write)\s*\(?\s*(["'`])((?:(?!\1)[^\\\n$#])*)\1\s*\)?$/.exec(
      isPrinted ? `print(${code})` : code,
    ) ?? []
  return text === undefined ? undefined : `${text}\n`
}

/** `node -p x` prints x. */
function printedValues(call: Call): readonly Effect[] {
  return call
    .values('-p --print -pe')
    .filter(({ text }) => text.includes('env'))
    .map((word) => ({ code: 'javascript', text: { ...word, text: `console.log(${word.text})` } }))
}

/** Our own program, started by its file: `node …/dist/cli/main.cjs uninstall`. */
function ownProgram({ operands }: Call): readonly Effect[] {
  const [file, ...args] = operands
  const isOurs = file !== undefined && /(?:^|\/)(?:cli\/(?:main|hot)\.cjs|bin\/crosshook)$/.test(file.text)
  return isOurs ? [{ argv: [{ text: 'crosshook' }, ...args] }] : []
}

/** `python -m pip install x`, `python -m http.server`: the module is a program. */
function pythonModule(call: Call): readonly Effect[] {
  const [name] = call.values('-m')
  return name ? [{ argv: [name, ...call.operands] }, ...takenByModule(name.text, call)] : []
}

/** `-m zipfile -c x.zip FOLDER` packs it, `-m http.server -d FOLDER` shows it to everybody. */
function takenByModule(module: string, { args }: Call): readonly Effect[] {
  const after = args.slice(args.findIndex(({ text }) => text === module || text === `-m${module}`) + 1)
  if (module === 'zipfile' || module === 'tarfile')
    return /^(?:-c|--create)$/.test(after[0]?.text ?? '') ? after.slice(2).map((takes) => ({ takes })) : []
  if (!/^(?:http\.server|SimpleHTTPServer)$/.test(module)) return []
  const at = after.findIndex(({ text }) => /^(?:-d|--directory)$/.test(text))
  return [{ takes: (at === -1 ? undefined : after[at + 1]) ?? { text: '.' } }]
}

function codeOfOptions(call: Call): readonly Effect[] {
  return call.values('-e --eval -p --print').map((text) => ({ code: 'javascript', text }))
}

/** `deno run https://…` runs what it fetches. */
function remoteScript({ operands }: Call): readonly Effect[] {
  const [file, ...args] = operands
  if (!file) return []
  const [, name] = /^(?:npm|jsr):\/?((?:@[^/@]+\/)?[^/@]+)/.exec(file.text) ?? []
  if (name !== undefined) return [{ argv: [{ text: name }, ...args] }]
  return /^https?:/.test(file.text)
    ? [{ does: 'run', place: 'remote', host: file, why: 'runs code of a URL' }]
    : [{ file, language: 'javascript' }]
}

/** `-c` makes the first operand the script, wherever in the options it stands; what follows are `$0`, `$1`…. */
function shell(call: Call): readonly Effect[] {
  const { operands } = call
  const effects: Effect[] = []
  let checksOnly = false
  for (const { name } of call.options) {
    if (name === '-n') checksOnly = true
    if (name === '+n') checksOnly = false
  }
  const rc = call.given('-i') ? call.values('--rcfile --init-file') : []
  effects.push(...rc.map((file): Effect => ({ file, language: 'shell' })))
  if (checksOnly || call.given('-D --dump-strings')) return effects
  const start = call.env.get(call.name === 'bash' ? 'BASH_ENV' : 'ENV')
  if (start?.flow?.text !== undefined) effects.push({ script: { text: start.flow.text } })
  const prompt = call.given('-x') ? call.env.get('PS4') : undefined
  if (prompt) effects.push({ script: { ...prompt, text: `: "${prompt.text}"` } })
  if (call.given('-c')) {
    const [script, ...args] = operands
    if (script) effects.push({ script, args })
  } else if (operands[0] && !call.given('-s')) {
    effects.push({ file: operands[0], language: 'shell', args: operands.slice(1) })
  }
  return effects
}

function perl(call: Call): readonly Effect[] {
  const [file, ...rest] = call.operands
  const hasCode = call.given('-e -E')
  const inputs = hasCode ? call.operands : rest
  const effects: Effect[] = !hasCode && file ? [{ file, language: 'perl' }] : []
  if (call.given('-c')) return []
  if (call.given('-i')) for (const path of inputs) effects.push({ does: 'write', path })
  // With -n, -p or -i the operands are files to read; in other programs they usually are too.
  if (call.given('-n -p -i') || hasCode) for (const path of inputs) effects.push({ does: 'read', path })
  return effects
}

function lineFiles(call: Call): readonly Effect[] {
  const [file, ...rest] = call.operands
  if (!call.given('-e')) return file ? [{ file, language: 'ruby', args: rest }] : []
  if (!call.given('-n -p -i')) return []
  return call.operands.flatMap((path): Effect[] => [
    { does: 'read', path },
    ...(call.given('-i') ? [{ does: 'write', path } as const] : []),
  ])
}

/** Parameters may be cut short: -EncodedCommand, -enc, -e; the first operand is a file, or for Windows PowerShell a command. */
function powershell(call: Call): readonly Effect[] {
  const { args } = call
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    const text = word.text.toLowerCase()
    const rest = args.slice(at + 1)
    if (/^[-/](?:e|ec|en|enc|enco\w*)$/.test(text)) {
      const decoded =
        rest[0] && !rest[0].unknown ? Buffer.from(rest[0].text, 'base64').toString('utf16le') : undefined
      return [
        { does: 'run', place: 'decoded', why: 'an encoded PowerShell command' },
        ...(decoded === undefined ? [] : [{ code: 'powershell' as const, text: { text: decoded } }]),
      ]
    }
    if (/^[-/]c(?:o\w*)?$/.test(text)) return codeOf(rest, call)
    if (/^[-/]f(?:i\w*)?$/.test(text)) return rest[0] ? [{ file: rest[0], language: 'powershell' }] : []
    if (
      /^[-/](?:ex\w*|ep|w\w*|v\w*|ps\w*|if|inp\w*|of|outp\w*|config\w*|cus\w*|settings\w*|wd|wo\w*)$/.test(
        text,
      )
    )
      at++
    else if (!/^[-/]/.test(text))
      return /\.ps1$/i.test(text) || call.name === 'pwsh'
        ? [{ file: word, language: 'powershell' }]
        : codeOf(args.slice(at), call)
  }
  return []
}

function codeOf(words: readonly Word[], { input }: Call): readonly Effect[] {
  if (words[0]?.text === '-')
    return input
      ? [
          {
            code: 'powershell',
            text: {
              text: input.text ?? '',
              ...(input.text === undefined ? { unknown: true } : {}),
              flow: input,
            },
          },
        ]
      : []
  const unknown = words.some((word) => word.unknown)
  const text = words.map((word) => word.text).join(' ')
  return [{ code: 'powershell', text: { text, ...(unknown ? { unknown } : {}) } }]
}

/** `cmd /c del …`: the rest is a line. */
function windowsCommand({ args }: Call): readonly Effect[] {
  const at = args.findIndex(({ text }) => /^\/[ckr]$/i.test(text))
  if (at === -1) return []
  return [
    {
      code: 'cmd',
      text: {
        text: args
          .slice(at + 1)
          .map(({ text }) => text)
          .join(' '),
      },
    },
  ]
}

/** `!command` in a line of IPython. */
function shellLines(text: string): Effect[] {
  const lines = [...text.matchAll(/^\s*!{1,2}(.+)$/gm)]
  return atMost(lines, MAX_LINES, 'lines for a shell').map(([, line]) => ({ script: { text: line! } }))
}

const MAX_LINES = 1_000

function appleScript(call: Call): readonly Effect[] {
  const deletes = call
    .values('-e')
    .some(
      ({ text }) =>
        /\bdelete\b/i.test(text) &&
        /\b(?:(?:path to )?(?:home folder|startup disk)|of (?:home|startup disk))\b/i.test(text),
    )
  if (deletes) return [{ does: 'delete', path: '~', recursive: true }]
  if (call.values('-e').some(({ text }) => /\bmake\b.*\blogin item\b/i.test(text)))
    return [{ does: 'write', place: 'startup', why: 'starts it at every login' }]
  return call.values('-e').flatMap((code): Effect[] =>
    [...code.text.matchAll(/do\s+(?:shell\s+)?script\s+"((?:\\.|[^"\\])*)"/gi)].map(([, line]) => ({
      script: { ...code, text: line!.replace(/\\(.)/g, '$1') },
    })),
  )
}
