/** From a call to its effects: what the row says of each word, then what its function adds. */

import type { Does } from '../spec/act.ts'
import { LEAKED, leaksInQuery, leaksVariable } from './leaked-variables.ts'
import type { Call, Done, Effect, Program, Role } from './program.ts'
import { list, names, roles } from './read-argv.ts'
import { isSecretFile } from './secret-files.ts'
import type { Word } from './word.ts'

export function effectsOf(call: Call): Effect[] {
  const effects = effectsOfRow(call)
  const { within } = call.row
  if (!within) return effects
  return effects.map((effect) =>
    'does' in effect && OF_REPOSITORIES.has(effect.does) && effect.path === undefined
      ? { ...effect, path: within(call) }
      : effect,
  )
}

const OF_REPOSITORIES: ReadonlySet<Does> = new Set<Does>(['discard_work', 'rewrite_history'])

function effectsOfRow(call: Call): Effect[] {
  const { row } = call
  if (isInert(call)) return []
  const effects: Effect[] = list(row.does).map(done)
  const recursive =
    row.recursive === true || call.given(typeof row.recursive === 'string' ? row.recursive : '')
  const without =
    recursive && row.excludes
      ? { without: [...leftOut(call, row.excludes), ...(row.skips?.(call) ?? [])] }
      : {}
  const search = row.searches?.(call) ? { search: true } : {}
  const sources: Word[] = []
  const targets: Word[] = []
  const env: Word[] = []
  let cwd: Word | undefined
  const found = roles(call)
  for (const { role, word } of found) {
    if (role === 'env') env.push(word)
    if (role === 'cwd') cwd = word
    if (SOURCES.has(role)) sources.push(word)
    if (role === 'write') targets.push(word)
  }
  const nested = { ...(env.length > 0 ? { env } : {}), ...(cwd ? { cwd } : {}) }
  const elsewhere = row.elsewhere ? { elsewhere: call.name } : {}
  for (const { role, word, rest, option } of found) {
    // What is copied goes into the target; chmod -R changes all of it.
    const path =
      recursive && !(row.copies && role === 'write')
        ? { path: word, recursive, ...without, ...search }
        : { path: word }
    // A file of secrets that is made from its example holds none.
    if (
      role === 'write' &&
      row.copies &&
      isSecretFile(word.text) &&
      sources.length > 0 &&
      sources.every(isTemplate)
    )
      continue
    // Programs of all kinds come into it, and what each is called is said below.
    if (role === 'write' && row.copies && /\/bin\/$/.test(word.text) && sources.every(isOneFile)) continue
    // The public keys of others.
    if (role === 'write' && row.fetches && /\.key$/.test(word.text) && isSecretFile(word.text)) continue
    switch (role) {
      case 'read':
      case 'write':
      case 'delete':
      case 'run':
        effects.push(
          role === 'run'
            ? { file: word, ...(row.language ? { language: row.language } : {}) }
            : { does: role, ...path },
        )
        break
      case 'edit':
        effects.push({ does: 'read', ...path }, { does: 'write', ...path })
        break
      case 'move':
        effects.push({ does: 'delete', ...path, recursive: true, why: 'moved away' })
        break
      case 'send':
        effects.push({ does: 'read', ...path }, { does: 'send', path: word })
        break
      case 'source':
        if (recursive) effects.push({ takes: word, ...without })
        break
      case 'data':
        if (/^@./.test(word.text) && word.text !== '@-') {
          const file = { ...word, text: word.text.slice(1) }
          effects.push({ does: 'read', path: file }, { does: 'send', path: file })
        } else effects.push({ does: 'send', ...(word.text === '@-' ? {} : { why: 'text of the command' }) })
        if (leaksVariable(word)) effects.push(LEAKED)
        break
      case 'host':
        effects.push({ does: 'connect', host: word })
        if (leaksInQuery(word)) effects.push(LEAKED)
        break
      case 'remote':
      case 'remote_write': {
        const isRemote = isRemotePath(word.text)
        if (isRemote) effects.push({ does: role === 'remote' ? 'connect' : 'send', host: word })
        else if (role === 'remote') effects.push({ does: 'read', ...path })
        else effects.push({ does: 'write', path: word })
        break
      }
      case 'command':
        if (found.some((each) => each.role === 'words')) break
        effects.push({ argv: option ? call.operands : (rest ?? [word]), ...nested, ...elsewhere })
        break
      case 'program':
        effects.push({ argv: [word], ...nested, ...elsewhere })
        break
      case 'script': {
        // tar writes `--checkpoint-action=exec=command`.
        const text = rest ? join(rest) : { ...word, text: word.text.replace(/^exec=/, '') }
        effects.push({ script: text, ...(cwd ? { cwd } : {}), ...elsewhere })
        break
      }
      case 'words':
        // `env -S 'rm -rf' /`: the operands follow the words.
        effects.push({
          argv: [...splitWords(word), ...(option ? call.operands : (rest?.slice(1) ?? []))],
          ...nested,
          ...elsewhere,
        })
        break
      case 'code':
        effects.push({ code: row.language ?? 'other', text: word })
        break
      case 'input':
        effects.push({ file: word, language: row.language ?? 'other' })
        break
      case 'cwd':
        effects.push({ cwd: word })
        break
      case 'package':
        effects.push({ does: 'install', why: word.text })
        break
      default:
        // An option that only some versions give a value: the word may be the file.
        if (option && showsFiles(row) && isSecretFile(word.text))
          effects.push({ does: 'read', path: word, certain: false, why: 'a file, or the value of an option' })
    }
  }
  if (row.copies)
    for (const to of targets)
      for (const from of sources) {
        effects.push({ from, to, ...(isLink(call) && { link: true }) })
        if (/(?:^|\/)\.{0,2}$/.test(to.text) && to.text !== '')
          effects.push({
            does: 'write',
            path: { ...to, text: `${to.text.replace(/\/$/, '')}/${baseName(from.text)}` },
          })
      }
  if (call.input && row.stdin === 'send') effects.push({ does: 'send', why: 'what it reads' })
  if (row.acts) effects.push(...row.acts(call))
  if (call.input && (row.stdin === 'script' || row.stdin === 'code') && readsInput(call, effects))
    effects.push({
      code: row.stdin === 'script' ? 'shell' : (row.language ?? 'other'),
      text: {
        text: call.input.text ?? '$input',
        ...((call.input.text === undefined || call.input.partly) && { unknown: true }),
        flow: call.input,
      },
    })
  return effects
}

function isLink(call: Call): boolean {
  return /^(?:ln|link)$/.test(call.name) || call.given('-l --link -s --symbolic-link')
}

/** A pattern that is included first keeps what a later one leaves out. */
export function leftOut(call: Call, names: string): string[] {
  return call.given('--include --filter -f -i') ? [] : call.values(names).map(({ text }) => text)
}

function showsFiles({ operands }: Program): boolean {
  return list(operands).some((role) => role === 'read' || role === 'read*')
}

/** Nothing else says what is to be run: no code, no file. */
function readsInput(call: Call, effects: readonly Effect[]): boolean {
  // bash -n only checks the text.
  if (call.row.stdin === 'script' && call.given('-n') && !call.given('+n')) return false
  if (call.given('-s') && call.row.stdin === 'script') return true
  return !effects.some(
    (effect) => 'code' in effect || 'script' in effect || 'argv' in effect || 'file' in effect,
  )
}

function isOneFile({ text, glob, unknown }: Word): boolean {
  return !glob && !unknown && !/(?:^|\/)\.{0,2}$/.test(text)
}

function isTemplate({ text }: Word): boolean {
  return /[._-](?:example|sample|template|tpl|dist|defaults?|schema)(?:\.\w+)?$/i.test(text)
}

function baseName(path: string): string {
  const plain = path.replace(/\/+$/, '')
  return plain.slice(plain.lastIndexOf('/') + 1)
}

const SOURCES: ReadonlySet<Role> = new Set(['read', 'move', 'source', 'edit'])

export function isInert(call: Call): boolean {
  const asks = call.options.some(
    ({ name, value }) =>
      name === '--help' ||
      (name === '-help' && call.row.single === true) ||
      (name === '--version' && value === undefined),
  )
  return (
    asks ||
    names(call.row.inert).some((name) =>
      name.startsWith('=') ? call.operands.at(-1)?.text === name.slice(1) : call.given(name),
    )
  )
}

function done(each: Done): Effect {
  return typeof each === 'string' ? { does: each } : each
}

/** `host:path`, `user@host:`, a URL; not `C:\x` and not `./a:b`. */
export function isRemotePath(text: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]+:\/\/|[^/\\:]{2,}:|[^/\\:@]+@[^/\\:]+:)/i.test(text)
}

export function join(words: readonly Word[]): Word {
  return {
    text: words.map(({ text }) => text).join(' '),
    ...(words.some(({ unknown }) => unknown) ? { unknown: true } : {}),
  }
}

/** Words as `env -S` cuts them: by spaces, quotes respected. */
export function splitWords(word: Word): Word[] {
  const found = word.text.match(/(?:[^\s"'\\]|\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'[^']*')+/g) ?? []
  return found.map((text) => ({ ...word, text: text.replace(/\\([\s\S])|["']/g, '$1') }))
}
