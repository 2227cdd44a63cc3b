/** Settings of git that start programs: given by `-c`, `config` and the environment. */

import type { Call, Effect } from '../program.ts'
import type { Word } from '../word.ts'

/** Settings whose value git runs as a command. */
const RUN_BY_GIT =
  /^(?:core\.(?:sshcommand|pager|editor|fsmonitor|askpass|gitproxy)|sequence\.editor|pager\..*|.*\.(?:helper|cmd|command|program|textconv|clean|smudge|process|driver|path|uploadpack|receivepack))$/i

export function settingEffects(setting: Word, rest: readonly Word[] = []): Effect[] {
  const [, key = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(setting.text) ?? []
  const own = (text: string): Word => ({ ...setting, text })
  if (/^alias\./i.test(key))
    return value.startsWith('!')
      ? [{ script: own(value.slice(1)), args: [own('git'), ...rest] }]
      : [{ argv: [own('git'), ...value.split(/\s+/).filter(Boolean).map(own), ...rest] }]
  if (/^core\.worktree$/i.test(key))
    return [{ guards: own(value), why: 'git writes the files of that folder' }]
  if (/^core\.hookspath$/i.test(key) && value !== '/dev/null')
    return [{ does: 'run', path: own(value), certain: false, why: 'git hooks of another folder' }]
  if (/^(?:core\.fsmonitor)$/i.test(key) && /^(?:true|false|0|1)?$/i.test(value)) return []
  return RUN_BY_GIT.test(key) && value !== '' ? [{ script: own(value) }] : []
}

/** `git -c alias.x='!rm -rf /' x` runs a shell line; `--config-env` and GIT_CONFIG_* set the same from variables. */
export function configured(call: Call): readonly Effect[] {
  const effects = call.values('-c').flatMap((setting) => {
    const isAlias = /^alias\.([^=]+)=/i.exec(setting.text)
    // An alias matters where it is used; without a command git only complains.
    if (isAlias && call.operands[0]?.text.toLowerCase() !== isAlias[1]!.toLowerCase())
      return isAlias && call.operands.length === 0 && setting.text.includes('=!')
        ? settingEffects(setting)
        : []
    return settingEffects(setting, call.operands.slice(1))
  })
  for (const setting of call.values('--config-env')) {
    const [, key = '', name = ''] = /^([^=]*)=([\s\S]*)$/.exec(setting.text) ?? []
    const value = call.env.get(name)
    if (value)
      effects.push(...settingEffects({ ...value, text: `${key}=${value.text}` }, call.operands.slice(1)))
    else if (/^alias\./i.test(key) || RUN_BY_GIT.test(key))
      effects.push({ does: 'run', place: 'decoded', why: `${key} comes from a variable` })
  }
  return effects
}

const ENV_COMMANDS =
  /^GIT_(?:SSH_COMMAND|SSH|PAGER|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)$/

export function fromEnvironment(call: Call): readonly Effect[] {
  const effects: Effect[] = []
  for (const [name, value] of call.env)
    if (ENV_COMMANDS.test(name) && value.text !== '') effects.push({ script: value })
  const count = Number(call.env.get('GIT_CONFIG_COUNT')?.text ?? 0)
  for (let at = 0; at < Math.min(count, 50); at++) {
    const [key, value] = [call.env.get(`GIT_CONFIG_KEY_${at}`), call.env.get(`GIT_CONFIG_VALUE_${at}`)]
    if (key && value)
      effects.push(...settingEffects({ ...value, text: `${key.text}=${value.text}` }, call.operands.slice(1)))
  }
  return effects
}

/** `--extcmd cp a b` runs `cp a b`. */
export function extcmd(call: Call): readonly Effect[] {
  return call
    .values('-x --extcmd')
    .map((command) => ({ argv: [...command.text.split(/\s+/).map((text) => ({ text })), ...call.operands] }))
}

/** Settings that make git run something later. */
export function configures(call: Call): readonly Effect[] {
  if (call.given('--get --get-all --get-regexp --list -l --unset --unset-all')) return []
  const operands = /^(?:set|add)$/.test(call.operands[0]?.text ?? '') ? call.operands.slice(1) : call.operands
  const [key, value] = operands
  if (!key || !value) return []
  const effects = settingEffects({ ...value, text: `${key.text}=${value.text}` })
  if (/^core\.worktree$/i.test(key.text)) return effects
  if (/^core\.hookspath$/i.test(key.text))
    return [{ does: 'write', place: 'startup', why: 'changes which git hooks run' }, ...effects]
  return effects.length > 0 && (RUN_BY_GIT.test(key.text) || value.text.startsWith('!'))
    ? [{ does: 'write', place: 'startup', why: `git runs ${key.text}`, certain: false }, ...effects]
    : []
}
