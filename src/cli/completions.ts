/** `crosshook completions SHELL`: made from the table of commands. */

import { DIALECTS } from '../dialects/list.ts'
import { CrosshookError } from '../spec/errors.ts'
import { EVENT_NAMES } from '../spec/event.ts'
import { didYouMean } from '../spec/nearest.ts'
import { TOOLS } from '../spec/tool.ts'
import { COMMON_OPTIONS, type Command } from './command-row.ts'
import { COMMANDS } from './commands.ts'
import { GALLERY_SETS, galleryNames } from './gallery.ts'
import type { Arguments } from './options.ts'
import { printAsIs, printJson } from './print.ts'

const SHELLS: Readonly<Record<string, () => string>> = { bash, zsh, fish }

export function run(args: Arguments): number {
  const [shell] = args.words
  const names = Object.keys(SHELLS)
  const make = shell !== undefined && Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
  if (!make)
    throw new CrosshookError(
      'usage',
      shell === undefined ? 'for which shell?' : `no completions for "${shell}".${didYouMean(shell, names)}`,
      { fix: `Use one of: ${names.join(', ')}. For example: eval "$(crosshook completions bash)"` },
    )
  if (args.flag('json')) printJson({ shell, script: make() })
  else printAsIs(make())
  return 0
}

function shown(): Command[] {
  return Object.values(COMMANDS).filter((command) => !command.hidden)
}

function optionsOf(command: Command): string[] {
  return Object.keys({ ...command.options, ...COMMON_OPTIONS }).map((name) => `--${name}`)
}

/** Possible values for the arguments of a command, by the argument's name in the table. */
function choicesOf(command: Command): string[] {
  if (command.name === 'gallery') return galleryNames()
  return command.words.flatMap((word) => {
    const name = word.replace(/[[\]…]/g, '')
    if (name === 'EVENT') return EVENT_NAMES
    if (name === 'AGENT') return Object.keys(DIALECTS)
    if (name === 'COMMAND' || name === 'COMMAND|TOPIC') return shown().map((each) => each.name)
    if (name === 'SOURCE') return [...GALLERY_SETS, ...galleryNames()]
    return /^[a-z|-]+$/.test(name) ? name.split('|') : []
  })
}

/** Values of options, by the value's name in the table. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  tool: Object.keys(TOOLS),
  trigger: EVENT_NAMES,
  agent: Object.keys(DIALECTS),
  event: EVENT_NAMES,
}

/** Commands whose first argument is a hook's name, completed from the folders. */
const HOOK_NAMES = 'test trust untrust remove disable enable edit shadow enforce update outdated'
/** A repository may name a folder anything, and bash expands the candidates, so only plain names are offered. */
const LIST_HOOKS =
  'ls .agents/hooks "${XDG_CONFIG_HOME:-$HOME/.config}/agents/hooks" 2> /dev/null | grep -x "[A-Za-z0-9][A-Za-z0-9._-]*"'

function bash(): string {
  const cases = shown().map(
    (command) =>
      `    ${command.name}) words='${[...choicesOf(command), ...optionsOf(command)].join(' ')}' ;;`,
  )
  return `# bash: eval "$(crosshook completions bash)"
_crosshook() {
  local words names values current=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${shown()
      .map(({ name }) => name)
      .join(' ')} --help --version'
  else
    case \${COMP_WORDS[COMP_CWORD - 1]} in
${valueCases()}
    esac
    case \${COMP_WORDS[1]} in
      ${HOOK_NAMES.replaceAll(' ', ' | ')}) names=$(${LIST_HOOKS}) ;;
    esac
    [ -n "$values" ] || case \${COMP_WORDS[1]} in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "\${values:-$words $names}" -- "$current"))
}
complete -o default -F _crosshook crosshook
`
}

function valueCases(): string {
  return Object.entries(VALUES)
    .map(([option, values]) => `      --${option}) values='${values.join(' ')}' ;;`)
    .join('\n')
}

function zsh(): string {
  const describe = shown().map(
    ({ name, summary }) => `    '${name}:${quoted(summary).replaceAll(':', '\\:')}'`,
  )
  const cases = shown().map(
    (command) =>
      `    ${command.name}) compadd -- ${[...choicesOf(command), ...optionsOf(command)].join(' ')}; _files ;;`,
  )
  return `#compdef crosshook
# zsh: eval "$(crosshook completions zsh)"
_crosshook() {
  local -a commands
  commands=(
${describe.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[CURRENT-1] in
${Object.entries(VALUES)
  .map(([option, values]) => `    --${option}) compadd -- ${values.join(' ')}; return ;;`)
  .join('\n')}
  esac
  case $words[2] in
    ${HOOK_NAMES.replaceAll(' ', '|')}) compadd -- $(${LIST_HOOKS}) ;;
  esac
  case $words[2] in
${cases.join('\n')}
  esac
}
compdef _crosshook crosshook
`
}

function fish(): string {
  const lines = shown().flatMap((command) => {
    const here = `-n '__fish_seen_subcommand_from ${command.name}'`
    const options = Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(
      ([name, { text, value, short }]) =>
        `complete -c crosshook ${here} -l ${name}${short ? ` -s ${short}` : ''}${value === undefined ? '' : ' -r'} -d '${quoted(text)}'`,
    )
    const choices = choicesOf(command)
    return [
      `complete -c crosshook -n __fish_use_subcommand -f -a ${command.name} -d '${quoted(command.summary)}'`,
      ...(choices.length > 0 ? [`complete -c crosshook ${here} -a '${choices.join(' ')}'`] : []),
      ...options,
    ]
  })
  const names = `complete -c crosshook -n '__fish_seen_subcommand_from ${HOOK_NAMES}' -a '(sh -c ${JSON.stringify(LIST_HOOKS).replaceAll('$', '\\\\$')})'`
  const values = Object.entries(VALUES).map(
    ([option, choices]) => `complete -c crosshook -l ${option} -r -f -a '${choices.join(' ')}'`,
  )
  return `# fish: crosshook completions fish | source\n${[...lines, names, ...values].join('\n')}\n`
}

/** Inside single quotes of a shell. */
function quoted(text: string): string {
  return text.replaceAll("'", '’')
}
