/** Variables that make programs do something: their value is a command, a file that is loaded, or a switch of the guards. */

import { ofIndexes } from './known-indexes.ts'
import type { ActEffect, Effect } from './program.ts'
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
  if (INDEXES.test(name))
    return ofIndexes(
      value.text
        .split(/[\s,|]+/)
        .filter((each) => each.includes(':'))
        .map((text) => ({ ...value, text })),
    )
  if (HISTORY.test(name) && /^(?:\/dev\/null|0)$/.test(value.text)) return [NO_HISTORY]
  if (name === 'GIT_SSL_NO_VERIFY' && !/^(?:0|false)$/.test(value.text))
    return [{ does: 'escalate', place: 'machine', why: 'certificates are not checked' }]
  return []
}

/** Where managers of packages look, whatever their options say. */
const INDEXES =
  /^(?:PIP_(?:EXTRA_)?INDEX_URL|UV_(?:EXTRA_|DEFAULT_)?INDEX(?:_URL)?|npm_config_registry|NPM_CONFIG_REGISTRY|YARN_REGISTRY|YARN_NPM_REGISTRY_SERVER|BUN_CONFIG_REGISTRY|GOPROXY)$/
const HISTORY = /^HIST(?:FILE|SIZE|FILESIZE)$/
export const NO_HISTORY: ActEffect = {
  does: 'delete',
  place: 'machine',
  why: 'leaves no history of what was run',
}
