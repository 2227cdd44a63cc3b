/** Editors: the file they change, the commands they are told to run. */

import type { Call, Effect, Programs } from '../program.ts'

export const EDITORS = (): Programs => ({
  'vim vi nvim ex view gvim vimx rvim neovim': {
    options: {
      value: '-u -U -i -T --servername --listen -t -q -w -W',
      input: '-S -s',
      flag: '-e -E  -n -N -R -M -m -d -O -o -p -b -l -C -Z --clean --headless --noplugin -es -Es',
    },
    single: false,
    language: 'vim',
    acts: vim,
  },
  'emacs emacsclient': {
    options: {
      value: '--eval -eval -f --funcall -l --load --script -a --alternate-editor -s --socket-name',
      flag: '-batch --batch -nw -q -Q -t -c -n',
    },
    acts: (call) => [
      ...call.values('--eval -eval').flatMap(({ text }) => lisp(text)),
      ...(call.values('-l --load --script').some(({ text }) => text === '/dev/stdin')
        ? lisp(call.input?.text ?? '')
        : []),
      ...call.operands.map((path): Effect => ({ does: 'read', path })),
      ...(saves(call) ? call.operands.map((path): Effect => ({ does: 'write', path })) : []),
    ],
  },
  'nano pico micro joe mcedit ne kak helix hx code subl gedit kate nvim-qt zed': {
    options: { value: '-r -T -Y -o -s --goto -e' },
    operands: 'edit',
  },
  'ed red': {
    options: { value: '-p' },
    operands: 'edit',
    acts: ({ input }) => lines(input?.text, /^!(.+)$/),
  },
})

/** `emacs --batch FILE … -f save-buffer`. */
function saves(call: Call): boolean {
  return call
    .values('--eval -eval -f --funcall')
    .some(({ text }) =>
      /\b(?:save-(?:buffer|some-buffers)|write-(?:file|region)|basic-save-buffer)\b/.test(text),
    )
}

/** `-c '!cmd'`, `+'!cmd'`, `--cmd`: Ex commands that run a shell line, or Python and the like. */
function vim(call: Call): readonly Effect[] {
  const effects: Effect[] = []
  const commands: string[] = []
  const files: (typeof call.args)[number][] = []
  for (let at = 0; at < call.args.length; at++) {
    const { text } = call.args[at]!
    if (/^-[a-zA-Z]*c$/.test(text) || text === '--cmd') commands.push(call.args[++at]?.text ?? '')
    else if (/^\+./.test(text)) commands.push(text.slice(1))
    else if (text === '-s' && (call.name === 'ex' || call.given('-e -E'))) continue
    else if (/^-(?:u|U|i|T|w|W|S|s)$|^--(?:servername|listen)$/.test(text)) at++
    else if (!text.startsWith('-')) files.push(call.args[at]!)
  }
  for (const command of commands) effects.push({ code: 'vim', text: { text: command } })
  for (const line of commands) effects.push(...exCommand(line))
  for (const line of call.given('-e -E -s -es -Es') ? (call.input?.text?.split('\n') ?? []) : [])
    effects.push(...exCommand(line))
  const writes = commands.some((command) =>
    command.split('|').some((each) => /^[\s:%\d,.$]*(?:w|wq|x|up|update|wa|wqa|xa)\b!?/.test(each)),
  )
  for (const command of commands) {
    const [, opened] =
      /^\s*:?(?:e(?:dit)?|tabe(?:dit)?|sp(?:lit)?|vs(?:plit)?|new)!?\s+(\S+)/.exec(command) ?? []
    if (writes && opened !== undefined) effects.push({ does: 'write', path: opened })
  }
  for (const path of files)
    effects.push({ does: 'read', path }, ...(writes ? [{ does: 'write', path } as const] : []))
  return effects
}

function exCommand(command: string): Effect[] {
  const [, shell] =
    /^\s*:?[%\d,.$]*\s*(?:sil(?:ent)?!?\s+)?(?:r(?:ead)?\s+|w(?:rite)?\s+|term(?:inal)?\s+|exe(?:cute)?\s+['"])?!+\s*([\s\S]+)/.exec(
      command,
    ) ?? []
  if (shell !== undefined) return [{ script: { text: shell } }]
  const called =
    /\b(?:system|systemlist|jobstart|termopen|job_start|os\.execute|io\.popen|vim\.fn\.system)\s*\(\s*(['"])([\s\S]*?)\1/.exec(
      command,
    )
  if (called) return [{ script: { text: called[2]! } }]
  const python = /^\s*:?(?:py|python|py3|python3|pythonx|pyx)\s+([\s\S]+)/.exec(command)
  if (python) return [{ code: 'python', text: { text: python[1]! } }]
  const writes = /^\s*:?(?:sav(?:eas)?|w(?:rite)?)!?\s+(?!!)(\S+)/.exec(command)
  if (writes) return [{ does: 'write', path: writes[1]! }]
  const reads = /^\s*:?(?:r(?:ead)?|e(?:dit)?|so(?:urce)?)!?\s+(?!!)(\S+)/.exec(command)
  return reads ? [{ does: 'read', path: reads[1]! }] : []
}

function lisp(text: string): Effect[] {
  const effects: Effect[] = []
  for (const [, line] of text.matchAll(
    /\((?:shell-command(?:-to-string)?|async-shell-command|compile)\s+"((?:\\.|[^"\\])*)"/g,
  ))
    effects.push({ script: { text: line!.replace(/\\(.)/g, '$1') } })
  for (const [, words] of text.matchAll(/\((?:call-process|start-process|process-lines)\s+([\s\S]*?)\)/g))
    effects.push({ argv: [...words!.matchAll(/"((?:\\.|[^"\\])*)"/g)].map(([, word]) => ({ text: word! })) })
  for (const [, path] of text.matchAll(/\((?:delete-file|delete-directory)\s+"([^"]+)"/g))
    effects.push({ does: 'delete', path: path!, recursive: true })
  for (const [, path] of text.matchAll(/\((?:insert-file-contents|find-file|load)\s+"([^"]+)"/g))
    effects.push({ does: 'read', path: path! })
  return effects
}

function lines(text: string | undefined, pattern: RegExp): Effect[] {
  return (text?.split('\n') ?? []).flatMap((line) => {
    const [, command] = pattern.exec(line) ?? []
    return command === undefined ? [] : [{ script: { text: command } }]
  })
}
