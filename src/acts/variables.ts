/** Variables that make programs do something: their value is a command, a file that is loaded, or a switch of the guards. */

import type { Effect } from './program.ts'
import type { Word } from './word.ts'

const COMMANDS =
  /^(?:GIT_SSH(?:_COMMAND)?|GIT_(?:SEQUENCE_)?EDITOR|GIT_PAGER|GIT_EXTERNAL_DIFF|GIT_ASKPASS|GIT_PROXY_COMMAND|SSH_ASKPASS|EDITOR|VISUAL|PAGER|MANPAGER|SYSTEMD_PAGER|BROWSER|PROMPT_COMMAND|LESSOPEN|LESSCLOSE|RSYNC_RSH|CVS_RSH|MANROFFOPT|NPM_CONFIG_SCRIPT_SHELL|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER)$/
const LOADED = /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|PYTHONSTARTUP|BASH_ENV|ENV)$/
/** A script that a shell reads first: what it does is in the file. */
const READ_FIRST = /^(?:BASH_ENV|ENV)$/
const OPTIONS = /^(?:NODE_OPTIONS|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$/
const GUARDS = /^(?:CROSSHOOK_\w+|XDG_(?:CONFIG|STATE)_HOME)$/

export function variableEffects(name: string, value: Word): Effect[] {
  if (GUARDS.test(name))
    return [{ does: 'change_guards', place: 'guard', why: `${name} changes how the guards run` }]
  if (value.text === '') return []
  if (COMMANDS.test(name)) return [{ script: value }]
  if (LOADED.test(name)) {
    if (value.flow)
      return [
        {
          script: {
            text: value.flow.text ?? value.text,
            flow: value.flow,
            ...(value.flow.text === undefined && { unknown: true }),
          },
        },
      ]
    if (READ_FIRST.test(name)) return [{ file: value, language: 'shell' }]
    return [{ does: 'run', path: value, place: 'startup', why: `${name} is loaded into what is started` }]
  }
  if (OPTIONS.test(name)) {
    const loads = /(?:--require|--import|--loader|-javaagent|-r|-M|-I)[= :]?(\S+)/.exec(value.text)
    return loads
      ? [
          {
            does: 'run',
            path: { ...value, text: loads[1]! },
            place: 'startup',
            why: `${name} loads it into what is started`,
          },
        ]
      : []
  }
  return []
}
