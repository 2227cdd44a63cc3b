/** Programs that give what they start a terminal, or type into one. */

import type { Call, Effect, Programs } from '../program.ts'
import type { Word } from '../word.ts'

export const TERMINALS = (): Programs => ({
  'xterm uxterm urxvt rxvt st konsole gnome-terminal xfce4-terminal mate-terminal lxterminal terminator tilix kitty alacritty foot wezterm ghostty x-terminal-emulator terminology qterminal kgx ptyxis':
    { acts: started },
  'dtach abduco': { options: { value: '-e -r' }, acts: ({ operands }) => [{ argv: operands.slice(1) }] },
  'autoexpect faketty ptyexec reptyr ptywrap': { stops: true, operands: 'command', acts: attached },
  machinectl: {
    commands: { 'shell login': { stops: true, acts: ({ operands }) => [{ argv: operands.slice(1) }] } },
  },
  zellij: {
    commands: {
      run: { acts: afterDashes },
      action: {
        with: { '=write-chars': { acts: ({ operands }) => operands.slice(1).map((script) => ({ script })) } },
      },
    },
  },
  'xdotool ydotool wtype dotool': {
    acts: ({ name, operands, input }) => {
      const words = operands[0]?.text === 'type' ? operands.slice(1) : name === 'wtype' ? operands : []
      return [...words, ...(input?.text === undefined ? [] : [{ text: input.text }])].map((script) => ({
        script,
      }))
    },
  },
  tmux: {
    options: { value: '-L -S -f -T' },
    commands: {
      'send-keys send': { options: { value: '-t -N', flag: '-l -R -H -X' }, acts: typed },
      'set-buffer setb': {
        options: { value: '-b -n -t' },
        acts: ({ operands }) => operands.map((script) => ({ script })),
      },
      'load-buffer loadb': {
        options: { value: '-b -t' },
        acts: ({ operands, input }) =>
          operands[0]?.text === '-' && input?.text !== undefined
            ? [{ script: { text: input.text } }]
            : operands.map((file) => ({ file, language: 'shell' })),
      },
      'new-session new new-window neww split-window splitw respawn-pane run-shell run if-shell pipe-pane display-popup popup respawn-window respawnp':
        {
          options: {
            value: '-s -t -n -c -e -x -y -F  -l -p -w ',
            flag: '-d -A -D -P -X -b -C -h -v -k',
          },
          stops: true,
          operands: 'script*',
        },
      'ls list-sessions attach a kill-session kill-server kill-window has-session capture-pane capturep list-windows paste-buffer pasteb':
        {},
    },
  },
  screen: {
    options: { value: '-S -c -e -h -p -s -t -T', flag: '-d -m -r -x -D -R -q -A -L -U -dm -dmS' },
    stops: true,
    inert: '-ls -list -v',
    acts: (call) => {
      const stuff = call.args.findIndex(({ text }) => text === 'stuff')
      const keys = stuff === -1 ? undefined : call.args[stuff + 1]
      if (keys) return [{ script: { ...keys, text: keys.text.replace(/\\[nr]|\\01[25]|\^[MJ]/g, '\n') } }]
      const words = call.args.some(({ text }) => /^-d?mS$|^-dmS$/.test(text))
        ? call.operands.slice(1)
        : call.operands
      return words.length > 0 && !call.given('-r -x') ? [{ argv: words }] : []
    },
  },
})

/** After `-e`, `-x` or `--`; some take the command without any. */
function started({ args }: Call): readonly Effect[] {
  const at = args.findIndex(({ text }) => /^(?:-e|-x|--|--command|--execute)$/.test(text))
  const words =
    at === -1 ? args.slice(args.findIndex(({ text }) => !text.startsWith('-')) >>> 0) : args.slice(at + 1)
  const rest = words[0]?.text === 'start' ? words.slice(1) : words
  if (rest.length === 0) return []
  return rest.length === 1 ? [{ script: rest[0]! }] : [{ argv: rest }]
}

function afterDashes({ args }: Call): readonly Effect[] {
  const at = args.findIndex(({ text }) => text === '--')
  return at === -1 ? [] : [{ argv: args.slice(at + 1) }]
}

function attached({ name, operands }: Call): readonly Effect[] {
  return name === 'reptyr' ? touchesOurs(operands, 'takes over a process') : []
}

/** Keys that are typed into a terminal are a line for its shell. Words follow each other without a space. */
function typed({ operands }: Call): readonly Effect[] {
  const keys = operands.filter(({ text }) => !/^(?:Enter|C-[a-z]|KPEnter|C-m|Tab|Escape)$/.test(text))
  const line = (between: string): Word => ({
    text: keys.map(({ text }) => (text === 'Space' ? ' ' : text)).join(between),
    ...(keys.some(({ unknown }) => unknown) && { unknown: true }),
  })
  if (keys.length === 0) return []
  return keys.length === 1 ? [{ script: line('') }] : [{ script: line(' ') }, { script: line('') }]
}

/** Processes of ours, by what named them: `$(pgrep crosshook)`, a file of our state. */
export function touchesOurs(words: readonly Word[], why: string): Effect[] {
  const isOurs = words.some(
    ({ text, unknown, flow }) =>
      flow?.ours ||
      flow?.paths?.some((path) => path.includes('/crosshook/')) ||
      (unknown && /crosshook/.test(text)),
  )
  return isOurs ? [{ does: 'change_guards', why: `${why} of the hooks` }] : []
}
