/**
 * The script that `install --portable` puts into a repository. It finds crosshook where the agent runs, passes it the
 * call, and when it cannot, gives the agent the reply from the agent's file beside it.
 */

import { unsetByEntries } from '../spec/hostile-variables.ts'
import { quote } from './command-line.ts'
import { IS_CLEARED, NO_FUNCTIONS, SAY, VARIABLES, WATCHED_CALL } from './shell-entry.ts'

export const MARK =
  '# Made by `crosshook install --portable`, deleted by `crosshook uninstall --portable`: changes are lost.'

/** Exit code when the script found no program: no answer of crosshook ends with it. */
const NOT_FOUND = 63

/** `npx`: the package that may be fetched, `crosshook@1.2.3`. */
export function portableScript(npx: string | undefined): string {
  const { names, prefixes } = unsetByEntries()
  const clear = [...names, ...[...prefixes, 'CROSSHOOK_'].map((prefix) => `${prefix}*`)]
  return `#!/bin/sh
${MARK}
# Agents that find nothing but this repository call crosshook by it. Any other command is passed on:
#   sh .agents/crosshook/run.sh trust --yes
${NO_FUNCTIONS} command npx crosshook
unset IFS
package=${quote(npx ?? '')}
keep=CROSSHOOK_DEPTH
clear=${quote(clear.join(' '))}
here=$(cd "\${0%/*}" && pwd -P) root=\${here%/.agents/crosshook}
agent=\${2-} event=\${3-} code=2 out= err= seconds=60 goes_on=
tab=$(printf '\\t')
for word; do
  case $word in --fail=*) goes_on=1 ;; esac
done

${SAY}
${IS_CLEARED}
start() {
  program=$(command -v crosshook)
  case $program in /*) ;; *) program=$root/node_modules/.bin/crosshook ;; esac
  if [ ! -x "$program" ] && [ -n "$package" ]; then
    program=$(npx --yes --package="$package" -c 'command -v crosshook')
  fi
  [ -x "$program" ] || exit ${NOT_FOUND}
  exec "$program" "$@"
}

set -f
for name in $(${VARIABLES}); do
  if is_cleared "$name"; then command unset "$name"; fi
done
if [ "\${1-}" != hook ]; then
  (start "$@")
  ended=$?
  [ $ended -ne ${NOT_FOUND} ] || echo 'crosshook is neither on PATH nor in node_modules/.bin: npm install -g crosshook' >&2
  exit $ended
fi

while IFS= read -r line; do
  case $line in
    "refuse$tab$event$tab"* | "tell$tab$event$tab"*)
      rest=\${line#*"$tab"*"$tab"}
      seconds=\${rest%%"$tab"*} rest=\${rest#*"$tab"}
      code=\${rest%%"$tab"*} rest=\${rest#*"$tab"}
      out=\${rest%%"$tab"*} err=\${rest#*"$tab"}
      ;;
  esac
done < "$here/$agent.replies"
[ -n "$out$err" ] || say "crosshook cannot check this: .agents/crosshook/$agent.replies is missing or damaged. 'crosshook install --portable $agent' makes it anew."

export CROSSHOOK_ANSWER=code
${WATCHED_CALL}if [ "$ended" -eq ${NOT_FOUND} ]; then
  say "crosshook cannot check this: it was not found where this agent runs. Let the setup of the machine run 'npm install -g crosshook', make it a dependency of the repository, or allow it to be fetched with 'crosshook install --portable --npx'; 'crosshook uninstall --portable' takes it out."
fi
if [ "$ended" -lt 64 ] || [ "$ended" -ge 126 ]; then
  say "crosshook cannot check this: it ended with code $ended and without an answer. 'sh .agents/crosshook/run.sh doctor' says more; 'crosshook uninstall --portable' takes it out."
fi
if [ -n "$answer" ]; then printf '%s\\n' "$answer" || say "crosshook cannot check this: its answer could not be written"; fi
exit $((ended - 64))
`
}
