/**
 * The relay's job as a shell script, for machines without a relay: the same arguments and the same entry file
 * (relay/entry.h). Node adds 64 to the exit code of an answer; without that there was no answer, and the script refuses
 * in the agent's format.
 */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { writeBytes } from './settings-bytes.ts'

export function shellEntryFile(state: string): string {
  return join(state, 'install', 'entries', 'run.sh')
}

export function writeShellEntry(state: string): void {
  writeBytes(shellEntryFile(state), Buffer.from(`#!${SHELL}${privileged()}\n${SCRIPT}`), 0o700, true)
}

const SHELL = '/bin/sh'

/**
 * bash takes functions and options from the environment, and traces with a prompt that may run commands (`SHELLOPTS`,
 * `PS4`), unless it is told that it is privileged. A shell that does not know the option does none of this.
 */
function privileged(): string {
  return spawnSync(SHELL, ['-p', '-c', ':'], { env: {} }).status === 0 ? ' -p' : ''
}

/** Commands that bash could replace by functions from the environment. */
export const NO_FUNCTIONS = 'unset -f [ cd echo env false grep kill printf pwd read sed sleep test true wait'

/**
 * Replies in the agent's format when crosshook gives no answer: `say SENTENCE`, with $out, $err and $code of the event.
 */
export const SAY = `say() {
  reason=$1
  if [ -z "$out$err" ]; then
    echo "$reason" >&2
    [ -z "$goes_on" ] || exit 1
    exit 2
  fi
  fill "$out"
  fill "$err" >&2
  exit "$code"
}

fill() {
  text=$1
  while :; do
    case $text in
      *%REASON%*) text="\${text%%'%REASON%'*}$reason\${text#*'%REASON%'}" ;;
      *) break ;;
    esac
  done
  printf '%b' "$text"
}
`

/** Is it one of the variables in $clear, and not in $keep? */
export const IS_CLEARED = `is_cleared() {
  [ "$1" = "$keep" ] && return 1
  for pattern in $clear; do
    case $pattern in
      *\\*) case $1 in "\${pattern%?}"*) return 0 ;; esac ;;
      "$1") return 0 ;;
    esac
  done
  return 1
}
`

/** Runs crosshook by `start "$@"` with the payload on stdin, for at most $seconds; sets $answer and $ended. */
export const WATCHED_CALL = `exec 3<&0
answer=$(
  start "$@" <&3 3<&- &
  child=$!
  {
    left=$seconds
    while [ "$left" -gt 0 ]; do
      sleep 1
      kill -0 "$child" 2> /dev/null || exit
      left=$((left - 1))
    done
    kill -9 "$child"
  } > /dev/null 2>&1 3<&- &
  watch=$!
  wait "$child" 2> /dev/null
  ended=$?
  kill "$watch" 2> /dev/null
  exit "$ended"
)
ended=$?
`

/** The variables that are set. */
export const VARIABLES = "env | sed -n 's/^\\([A-Za-z_][A-Za-z0-9_]*\\)=.*/\\1/p'"

const SCRIPT = `# Made by \`crosshook install\`, deleted by \`crosshook uninstall\`: calls crosshook, and refuses when it does not answer.
${NO_FUNCTIONS}
PATH=/usr/bin:/bin
unset IFS
if [ $# -eq 0 ]; then
  folder=\${0%/*}
  set -- hook "\${folder##*/}" "\${0##*/}" "--entry=$folder.entry"
fi
agent=$2 event=\${3-} entry= code=2 out= err= seconds=60 goes_on=
tab=$(printf '\\t')
for word; do
  case $word in
    --entry=*) entry=\${word#--entry=} ;;
    --fail=*) goes_on=1 ;;
  esac
done

refuse() {
  say "crosshook cannot check this: $1. Run 'crosshook doctor' to see what is broken and 'crosshook install $agent' to repair it; 'crosshook uninstall $agent' takes crosshook out."
}

${SAY}
${IS_CLEARED}
start() {
  export CROSSHOOK_ANSWER=code
  exec "$node" $flags "$main" "$@"
}

clear= keep= node= main= flags= last=
[ -f "$entry" ] && [ -r "$entry" ] || refuse "its file $entry cannot be read"
set -f
while IFS= read -r line; do
  rest=\${line#*"$tab"} last=$line
  case $line in
    "program$tab"*)
      node=\${rest%%"$tab"*} rest=\${rest#*"$tab"}
      main=\${rest%%"$tab"*}
      case $rest in *"$tab"*) flags=\${rest#*"$tab"} ;; esac
      ;;
    "keep$tab"*) keep=$rest ;;
    "clear$tab"*) clear="$clear $rest" ;;
    "set$tab"*) export "$rest" ;;
    "refuse$tab$event$tab"* | "tell$tab$event$tab"*)
      rest=\${rest#*"$tab"}
      seconds=\${rest%%"$tab"*} rest=\${rest#*"$tab"}
      code=\${rest%%"$tab"*} rest=\${rest#*"$tab"}
      out=\${rest%%"$tab"*} err=\${rest#*"$tab"}
      ;;
  esac
done < "$entry"
[ "$last" = end ] && [ -n "$main" ] || refuse "its file $entry is damaged"
[ -e "$main" ] || say "crosshook cannot check this: it was removed ($main is gone), and the settings of $agent still call it. 'npx crosshook uninstall $agent' takes it out of them; 'npm install -g crosshook && crosshook install $agent' brings it back."
# PATH is the entry's by now. What it sets is not cleared again.
for name in $(${VARIABLES}); do
  if is_cleared "$name" && ! grep -q "^set$tab$name=" "$entry"; then command unset "$name"; fi
done
[ -d . ] && pwd > /dev/null 2>&1 || cd / || refuse "its working folder is gone"

${WATCHED_CALL}# Node does not know one of its options: it was replaced after the installation.
if [ "$ended" -eq 9 ] && [ -n "$flags" ]; then
flags=
${WATCHED_CALL}fi
if [ "$ended" -lt 64 ] || [ "$ended" -ge 126 ]; then refuse "$main ended with code $ended and without an answer"; fi
if [ -n "$answer" ]; then printf '%s\\n' "$answer" || refuse "its answer could not be written"; fi
exit $((ended - 64))
`
