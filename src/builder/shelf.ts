/** Ready hooks: those of the gallery, and templates to start from. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readSource } from '../config/load.ts'
import { hooksOfPackage, type PackageFolder, packageFolder } from '../config/package-folder.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { matcherWords } from '../spec/matcher.ts'
import { didYouMean } from '../spec/nearest.ts'
import { readText } from '../spec/read-file.ts'

export interface ShelfRow {
  name: string
  description: string
  event: string
  /** What it runs: a fixed answer, a program, a model… */
  runs: Hook['run']['type']
  /** Which calls it is for, in few words. */
  matches: string
  needs: Need[]
  /** Of the gallery: `daily` or `strict` guards belong to a set. */
  level: string | null
  goes_with: string[]
  /** For a template: what to change. */
  hint: string | null
}

/** A right that it needs, in words; `risk` when a person should look closely. */
export interface Need {
  text: string
  risk: boolean
}

export interface HookFile {
  path: string
  text: string
  executable: boolean
}

export async function listShelf(shelf: PackageFolder): Promise<ShelfRow[]> {
  const { hooks } = await readSource({ path: packageFolder(shelf) }, 'source')
  return hooks.map(rowOf)
}

export async function readShelf(
  shelf: PackageFolder,
  name: string,
): Promise<{ row: ShelfRow; hook: Hook; files: HookFile[] }> {
  const names = hooksOfPackage(shelf)
  if (!names.includes(name))
    throw new CrosshookError(
      'not_found',
      `there is no "${name}" in the ${shelf}.${didYouMean(name, names)}`,
      {
        fix: `There are: ${names.join(', ')}.`,
      },
    )
  const folder = join(packageFolder(shelf), name)
  const { hooks } = await readSource({ path: folder }, 'source')
  return { row: rowOf(hooks[0]!), hook: hooks[0]!, files: textFiles(folder) }
}

export function rowOf(hook: Hook): ShelfRow {
  const { name, description = '', events, run, matcher, metadata = {} } = hook
  return {
    name,
    description,
    event: events[0]!,
    runs: run.type,
    matches: matcherWords(matcher),
    needs: needsOf(hook),
    level: typeof metadata.level === 'string' ? metadata.level : null,
    goes_with: Array.isArray(metadata.goes_with) ? metadata.goes_with.map(String) : [],
    hint: typeof metadata.template === 'string' ? metadata.template : null,
  }
}

/** What it may do on this machine when it runs. */
export function needsOf({ run, sandbox }: Hook): Need[] {
  if (run.type === 'outcome') return [{ text: 'starts nothing: its conditions are the rule', risk: false }]
  if (run.type === 'http') return [{ text: `sends each event to ${run.url}`, risk: true }]
  if (run.type === 'prompt') return [{ text: 'sends the event to a model', risk: true }]
  if (run.type === 'agent')
    return [{ text: 'sends the event to a model, which reads files of the project', risk: true }]
  if (run.type !== 'command') return [{ text: 'runs inside crosshook, with its rights', risk: true }]
  if (!sandbox) return [{ text: 'runs a program with your own rights', risk: true }]
  if (sandbox === true) return [{ text: 'runs confined: no network, writes only its own state', risk: false }]
  const list = (texts: readonly string[] | undefined) => (texts?.length ? texts.join(', ') : undefined)
  const { read, write, connect, env } = sandbox
  return [
    { text: 'runs a program, confined', risk: false },
    ...needOf('reads', list(read), read?.includes('/') ?? false),
    ...needOf('writes', list(write), true),
    ...needOf('connects to', list(connect), true),
    ...needOf('sees the variables', list(env), false),
  ]
}

function needOf(verb: string, what: string | undefined, risk: boolean): Need[] {
  return what === undefined ? [] : [{ text: `${verb} ${what}`, risk }]
}

/** Larger files are not shown. */
const MAX_BYTES = 128 * 1024
const MAX_FILES = 50

/** The texts in a hook's folder, HOOK.md first. */
export function textFiles(folder: string): HookFile[] {
  const found: HookFile[] = []
  const walk = (prefix: string) => {
    for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile() && found.length < MAX_FILES) {
        const file = join(folder, path)
        const { size, mode } = statSync(file)
        if (size <= MAX_BYTES) found.push({ path, text: readText(file), executable: (mode & 0o111) !== 0 })
      }
    }
  }
  if (existsSync(folder)) walk('')
  const rank = ({ path }: HookFile) => (path === 'HOOK.md' ? 0 : path === 'cases.yaml' ? 2 : 1)
  return found.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))
}
