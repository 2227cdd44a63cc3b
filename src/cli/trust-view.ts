/** What a person must see before a project's hook may run: what it runs, and every file, or the changes. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ABSENT, type Reach } from '../config/outside.ts'
import { folderOf, type Snapshot } from '../config/snapshot.ts'
import { rightsWords } from '../executors/confine/rights-words.ts'
import { lineDiff } from '../host/line-diff.ts'
import { runWords } from '../host/run-words.ts'
import type { Hook } from '../spec/hook.ts'
import { matcherWords } from '../spec/matcher.ts'
import { readBytes } from '../spec/read-file.ts'
import type { Painter } from './paint.ts'
import { shortPath } from './problem-words.ts'
import { columns } from './table.ts'
import { visible } from './visible.ts'

const MAX_LINES = 80

export interface View {
  hooks: readonly Hook[]
  /** The files now, and as they were trusted. */
  now: Snapshot
  before: Snapshot | undefined
  changed: boolean
  /** The person's hooks that it would replace here. */
  replaced: readonly Hook[]
  /** Files that it runs outside its folder. */
  reach: Reach
}

export function view({ hooks, now, before, changed, replaced, reach }: View, paint: Painter): string {
  const [{ origin }] = hooks as [Hook]
  const place = origin.dir ?? origin.file
  const head = hooks
    .map(
      (hook) =>
        `${paint.bold(visible(hook.name))} ${changed ? paint.yellow('has changed since you trusted it') : paint.yellow('is not trusted')}\n` +
        columns(
          [
            ['for', `${hook.events.join(', ')}, ${visible(matcherWords(hook.matcher))}`],
            ['runs', visible(runWords(hook, shortPath))],
            ...mayRow(hook),
            ['what', visible(hook.description ?? '—')],
          ],
          '  ',
        ),
    )
    .join('')
  const body = changed && before ? differences(before, now, paint) : contents(now, folderOf(hooks[0]!), paint)
  return `${head}  in    ${shortPath(place)}\n${reachWords(reach, paint)}${replacedWords(replaced, paint)}\n${body}${outsideTexts(reach, paint)}`
}

function reachWords({ files, unpinned }: Reach, paint: Painter): string {
  return [
    ...files.map(
      ({ path, digest }) =>
        `  also  ${visible(shortPath(path))}, outside its folder: ${digest === ABSENT ? 'it is not there now, and when it appears you are asked again' : 'pinned as well'}\n`,
    ),
    ...unpinned.map((sentence) => `  ${paint.yellow('not pinned:')} ${visible(sentence)}\n`),
  ].join('')
}

function outsideTexts({ files }: Reach, paint: Painter): string {
  return files
    .filter(({ digest }) => digest !== ABSENT)
    .map(({ path }) => `\n${fileText(path, readBytes(path), '', paint)}`)
    .join('')
}

function mayRow(hook: Hook): string[][] {
  const words = rightsWords(hook)
  return words === undefined ? [] : [['may', visible(words)]]
}

function replacedWords(replaced: readonly Hook[], paint: Painter): string {
  return replaced
    .map(
      (hook) =>
        `  ${paint.red(`REPLACES your hook ${visible(hook.name)}`)} (${shortPath(hook.origin.file)}): once this one is trusted, yours does not run in this project.\n` +
        '        To keep yours, write `replaceable: false` into it; then both run.\n',
    )
    .join('')
}

function contents(now: Snapshot, dir: string, paint: Painter): string {
  return [...now].map(([path, bytes]) => fileText(path, bytes, dir, paint)).join('\n')
}

function fileText(path: string, bytes: Buffer, dir: string, paint: Painter): string {
  const program = isProgram(join(dir, path)) ? ', may be executed' : ''
  const head = paint.dim(`── ${shortPath(join(dir, path))} (${bytes.length} bytes${program})`)
  if (isBinary(bytes)) return `${head}\n  ${paint.yellow('not text: its content cannot be shown')}\n`
  const lines = textOf(bytes).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return `${head}\n${limited(lines.map((line) => `  ${visible(line)}`))}`
}

function differences(before: Snapshot, now: Snapshot, paint: Painter): string {
  const out: string[] = []
  for (const path of [...new Set([...before.keys(), ...now.keys()])].sort()) {
    const [old, young] = [before.get(path), now.get(path)]
    if (old && young?.equals(old)) continue
    const how = old ? (young ? 'changed' : 'removed') : 'new'
    const head = paint.dim(`── ${visible(path)} (${how})`)
    if ([old, young].some((bytes) => bytes && isBinary(bytes))) {
      out.push(`${head}\n  ${paint.yellow('not text: its content cannot be shown')}\n`)
      continue
    }
    const lines = lineDiff(old ? textOf(old) : '', young ? textOf(young) : '').map((line) => {
      const text = `  ${visible(line)}`
      return line.startsWith('+') ? paint.green(text) : line.startsWith('-') ? paint.red(text) : text
    })
    out.push(`${head}\n${limited(lines)}`)
  }
  return out.join('\n')
}

/** Says when something is cut, so that nobody unknowingly trusts what was not shown. */
function limited(lines: readonly string[]): string {
  const rest = lines.length - MAX_LINES
  const shown = lines.slice(0, rest > 0 ? MAX_LINES : undefined)
  return `${[...shown, ...(rest > 0 ? [`  … ${rest} more lines: look at the file itself`] : [])].join('\n')}\n`
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0)
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8')
}

function isProgram(file: string): boolean {
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0
}
