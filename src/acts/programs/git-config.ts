/** Settings of git that start programs: given by `-c`, `config` and the environment. */

import { hostOf } from '../hosts.ts'
import type { Call, Effect } from '../program.ts'
import type { Word } from '../word.ts'

/** Settings whose value git runs as a command. */
const RUN_BY_GIT =
  /^(?:core\.(?:sshcommand|pager|editor|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|web\.browser|pager\..*|.*\.(?:helper|cmd|command|program|textconv|clean|smudge|process|driver|path|uploadpack|receivepack|packobjectshook))$/i

export function settingEffects(setting: Word, rest: readonly Word[] = []): Effect[] {
  const [, key = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(setting.text) ?? []
  const own = (text: string): Word => ({ ...setting, text })
  if (/^alias\./i.test(key))
    return value.startsWith('!')
      ? [{ script: own(value.slice(1)), args: [own('git'), ...rest] }]
      : [{ argv: [own('git'), ...value.split(/\s+/).filter(Boolean).map(own), ...rest] }]
  if (/^core\.worktree$/i.test(key))
    return [{ guards: own(value), why: 'git writes the files of that folder' }]
  if (LEADS_TO_PROGRAMS.test(key)) return ledTo(own(value), key)
  if (/^http\.(?:.*\.)?sslverify$/i.test(key) && /^(?:false|no|off|0)$/i.test(value))
    return [{ does: 'escalate', why: 'certificates are not checked' }]
  // `url.git@github.com:.insteadOf=https://github.com/`
  const [, base] = /^url\.(.+)\.(?:push)?insteadof$/i.exec(key) ?? []
  if (base !== undefined && hostOf(base) !== hostOf(value) && hostOf(value)?.includes('.'))
    return [{ does: 'write', place: 'startup', why: `what is fetched from ${value} comes from ${base}` }]
  if (/^(?:core\.fsmonitor|pager\..*)$/i.test(key) && /^(?:true|false|0|1)?$/i.test(value)) return []
  // `!` stands before a shell line in some of them.
  return RUN_BY_GIT.test(key) && value !== '' ? [{ script: own(value.replace(/^!/, '')) }] : []
}

/** A folder or a file from which git takes programs: its hooks, or more settings. */
const LEADS_TO_PROGRAMS = /^(?:core\.hookspath|init\.templatedir|include\.path|includeif\..*\.path)$/i

function ledTo(path: Word, name: string): Effect[] {
  if (path.text === '' || path.text === '/dev/null')
    return /hookspath$/i.test(name) ? [{ does: 'escalate', why: 'skips the checks of the repository' }] : []
  const why = `git runs what ${name} leads to`
  return [
    { does: 'run', place: 'startup', certain: false, why },
    { does: 'run', path, certain: false, why },
  ]
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

/** Where git finds settings, templates of hooks, and its own programs. */
const ENV_PLACES = /^GIT_(?:CONFIG_GLOBAL|CONFIG_SYSTEM|TEMPLATE_DIR|EXEC_PATH)$/

/** Managers of hooks that a variable switches off. */
const SWITCHES_OFF: Readonly<Record<string, string>> = {
  HUSKY: '0',
  LEFTHOOK: '0',
  HUSKY_SKIP_HOOKS: '1',
  PRE_COMMIT_ALLOW_NO_CONFIG: '1',
}

export function fromEnvironment(call: Call): readonly Effect[] {
  const effects: Effect[] = []
  for (const name in SWITCHES_OFF)
    if (
      call.env.get(name)?.text === SWITCHES_OFF[name] &&
      /^(?:commit|push|merge|rebase|am)$/.test(call.commands[0] ?? '')
    )
      effects.push({ does: 'escalate', why: 'skips the checks of the repository' })
  for (const [, setting] of call.env.get('GIT_CONFIG_PARAMETERS')?.text.matchAll(/'([^']*)'/g) ?? [])
    effects.push(...settingEffects({ text: setting! }, call.operands.slice(1)))
  for (const [name, value] of call.env) if (ENV_PLACES.test(name)) effects.push(...ledTo(value, name))
  for (const place of call.values('--template')) effects.push(...ledTo(place, '--template'))
  for (const { text } of call.args) {
    const [, place] = /^--exec-path=(.+)$/.exec(text) ?? []
    if (place !== undefined) effects.push(...ledTo({ text: place }, '--exec-path'))
  }
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

/** What people set once for themselves. */
const USUAL =
  /^(?:(?:n|g)?vim?|nano|micro|hx|emacs(?:client)?|code|codium|cursor|zed|subl|less|more|most|cat|bat|delta|diff-so-fancy|store|cache|osxkeychain|wincred|libsecret|manager(?:-core)?)(?: +-{1,2}[\w=-]+)*$/

/** Settings that make git run something later. */
export function configures(call: Call): readonly Effect[] {
  if (call.given('--get --get-all --get-regexp --list -l --unset --unset-all')) return []
  const operands = /^(?:set|add)$/.test(call.operands[0]?.text ?? '') ? call.operands.slice(1) : call.operands
  const [key, value] = operands
  if (!key || !value) return []
  if (RUN_BY_GIT.test(key.text) && USUAL.test(value.text)) return []
  const effects = settingEffects({ ...value, text: `${key.text}=${value.text}` })
  if (/^core\.worktree$/i.test(key.text)) return effects
  if (/^core\.hookspath$/i.test(key.text) && /^(?:\.\/)?\.(?:githooks|husky|husky\/_)\/?$/.test(value.text))
    return []
  if (LEADS_TO_PROGRAMS.test(key.text)) {
    const why = `changes ${key.text}, which leads git to programs`
    return [{ does: 'write', place: 'startup', why }, ...effects]
  }
  if (/^(?:http|url)\./i.test(key.text)) return effects
  return effects.length > 0 && (RUN_BY_GIT.test(key.text) || value.text.startsWith('!'))
    ? [{ does: 'write', place: 'startup', why: `git runs ${key.text}`, certain: false }, ...effects]
    : []
}
