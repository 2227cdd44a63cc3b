/** What SQL, Redis and MongoDB texts do to the data: what is gone afterwards. */

import { beginning, cutShort } from '../cut.ts'
import type { Effect } from '../program.ts'

/** Characters that are looked at. */
const MAX_TEXT_CHARS = 500_000

/** Of one statement, what is quoted left out. */
const MAX_STATEMENT_CHARS = 20_000
/** Statements that take nothing away, however long they are. */
const ADDS = /^(?:insert|replace|values|create|\\?copy)\b/i
const COPIES = /^\\?copy\b/i

/** `readfile('x')` of SQLite, `load_file` of MySQL, `pg_read_file`; `.import x t`. */
const FILE_FUNCTIONS =
  /(?:\b(?:readfile|load_file|pg_read_file|pg_read_binary_file|read_text|read_csv)\s*\(\s*|^\.import\s+)'?([^\s'")|]+)/gi

const lost = (why: string): Effect => ({ does: 'delete', place: 'database', why })

const DROPS =
  /^(?:drop\s+(?:database|schema|table|tablespace|index|view|materialized\s+view|user|role|owned|collection|keyspace|type|sequence|function|column|partition|extension|server|publication|subscription)\b|truncate\b)/i

export function sqlEffects(text: string): Effect[] {
  const effects: Effect[] = []
  for (const statement of statements(beginning(text, MAX_TEXT_CHARS, 'the SQL'))) {
    const plain = statement.replace(/'(?:''|[^'])*'|"(?:""|[^"])*"|`[^`]*`/g, "''")
    const whole = plain.replace(/\s+/g, ' ').trim()
    if (whole.length > MAX_STATEMENT_CHARS && !ADDS.test(whole))
      cutShort(`a statement is longer than ${MAX_STATEMENT_CHARS} characters`)
    const words = whole.slice(0, MAX_STATEMENT_CHARS)
    if (DROPS.test(words)) effects.push(lost(words.slice(0, 60)))
    else if (
      /^alter\s+table\b.*\bdrop\b/i.test(words) &&
      !/\bdrop\s+(?:constraint|default|not\s+null|expression|identity)\b/i.test(words)
    )
      effects.push(lost('drops a part of a table'))
    else if (/^(?:with\b.*\b)?delete\s+from\b/i.test(words) && !/\bwhere\b/i.test(words))
      effects.push(lost('deletes every row'))
    else if (
      /^(?:(?:with\b.*\b)?delete\s+from|alter\s+table\b.*\bdelete)\b.*\bwhere\s+(?:1(?:\s*=\s*1)?|true|''\s*=\s*'')\s*;?$/i.test(
        words,
      )
    )
      effects.push(lost('deletes every row'))
    else if (/^update\b.*\bset\b/i.test(words) && !/\bwhere\b/i.test(words))
      effects.push({ does: 'write', place: 'database', why: 'changes every row' })
    else if (
      /^grant\s+all\b.*\bto\s+public\b/i.test(words) ||
      /^(?:alter|create)\s+(?:user|role)\b.*(?<!\w)superuser\b/i.test(words)
    )
      effects.push({ does: 'write', place: 'database', why: 'gives every right' })
    const shell = /^\\!\s*(.+)$|^\.(?:shell|system)\s+(.+)$|^(?:system|\\!)\s+(.+)$/i.exec(statement.trim())
    if (shell) effects.push({ script: { text: (shell[1] ?? shell[2] ?? shell[3])! } })
    const piped = /^\.(?:read|output|once|import)\s+(['"]?)\|(.+?)\1\s*$/i.exec(statement.trim())
    if (piped) effects.push({ script: { text: piped[2]! } })
    const program = COPIES.test(words) ? /\b(?:from|to)\s+program\s+'((?:''|[^'])*)'/i.exec(statement) : null
    if (program) effects.push({ script: { text: program[1]!.replaceAll("''", "'") } })
    const file = COPIES.test(words)
      ? /\bfrom\s+'?([^\s';]+)/i.exec(statement)
      : /^(?:load\s+data\s+(?:\w+\s+)?infile|source|\\ir?|\.read)\s+'?([^\s';]+)/i.exec(statement.trim())
    if (file && !program) effects.push({ does: 'read', path: file[1]! })
    for (const [, path] of statement.matchAll(/\bwritefile\s*\(\s*'([^']+)'/gi))
      effects.push({ does: 'write', path: path! })
    for (const [, path] of statement.matchAll(FILE_FUNCTIONS)) effects.push({ does: 'read', path: path! })
  }
  return effects
}

/** Cut at semicolons outside of quotes and comments; lines of a client's own commands stand alone. */
function statements(text: string): string[] {
  const found: string[] = []
  let from = 0
  const plain = text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, (comment) => ' '.repeat(comment.length))
  const quoted = /'(?:''|[^'])*'|"(?:""|[^"])*"|`[^`]*`|;|\n(?=\s*[\\.])/g
  for (const match of plain.matchAll(quoted)) {
    if (match[0] !== ';' && !match[0].startsWith('\n')) continue
    found.push(plain.slice(from, match.index))
    from = match.index + match[0].length
  }
  found.push(plain.slice(from))
  return found.map((each) => each.trim()).filter(Boolean)
}

export function redisEffects(words: readonly string[]): Effect[] {
  const [name = '', second = ''] = words.map((word) => word.toLowerCase())
  if (/^flush(?:all|db)$/.test(name)) return [lost('deletes every key')]
  if (name === 'shutdown' || (name === 'debug' && second === 'segfault'))
    return [{ does: 'kill', place: 'database', why: 'stops the server' }]
  if (name === 'config' && second === 'set')
    return [{ does: 'write', place: 'database', certain: false, why: 'changes the server' }]
  if ((name === 'del' || name === 'unlink') && words.slice(1).some((key) => /[*]/.test(key)))
    return [lost('deletes keys')]
  if ((name === 'eval' || name === 'evalsha') && /['"]flush(?:all|db)['"]/i.test(words[1] ?? ''))
    return [lost('deletes every key')]
  if (name === 'script' && second === 'flush') return [lost('deletes every script')]
  return []
}

export function mongoEffects(text: string): Effect[] {
  const effects: Effect[] = []
  if (/\.\s*(?:dropDatabase|drop|dropIndexes|dropUser|dropAllUsersFromDatabase)\s*\(/.test(text))
    effects.push(lost('drops a collection or a database'))
  if (/\.\s*(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}|)\s*[,)]/.test(text))
    effects.push(lost('deletes every document'))
  if (/\.\s*shutdownServer\s*\(/.test(text))
    effects.push({ does: 'kill', place: 'database', why: 'stops the server' })
  return effects
}
