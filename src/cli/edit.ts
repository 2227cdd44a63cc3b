/** `crosshook edit NAME --set FIELD=VALUE`: changes fields of a hook, as the builder of the page does. */

import { loadDraft } from '../builder/draft.ts'
import { textFiles } from '../builder/shelf.ts'
import { tryOnHistory } from '../builder/try.ts'
import { hookEditor } from '../config/edit-hook.ts'
import { paths } from '../config/paths.ts'
import { writeWhole } from '../config/write-whole.ts'
import { assemble } from '../host/assemble.ts'
import { lineDiff } from '../host/line-diff.ts'
import { journalOf } from '../pipeline/journal.ts'
import type { FieldEdit } from '../spec/dialect.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { readText } from '../spec/read-file.ts'
import { hooksNamed } from './named-hooks.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { plural, print, printAsIs, printJson } from './print.ts'
import { shortPath } from './problem-words.ts'
import { triedWords } from './tried-words.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const hook = await chosen(args)
  const edits = editsOf(args)
  const { file, dir } = hook.origin
  const before = readText(file)
  const { editFields } = await hookEditor()
  const after = editFields(before, edits)
  const others = textFiles(dir!).filter(({ path }) => path !== 'HOOK.md')
  const { hook: changed, problems } = await loadDraft(after, others)
  const error = problems.find(({ level }) => level === 'error')
  if (error || !changed)
    throw new CrosshookError(
      'refused',
      `nothing was changed: ${error?.message ?? 'the hook would not load'}`,
      {
        fix: error?.fix ?? 'Look at the values.',
      },
    )
  const isDry = args.flag('dry-run')
  const tried = isDry ? await tried1000(changed, hook, args) : undefined
  if (!isDry && after !== before) writeWhole(file, after, 0o644)
  if (args.flag('json'))
    printJson({ name: hook.name, file, changed: after !== before, text: after, ...(tried ? { tried } : {}) })
  else if (after === before) print(`${shortPath(file)} stays as it is\n`)
  else {
    printAsIs(`${isDry ? 'Would change' : 'Changed'} ${shortPath(file)}\n${diffWords(before, after)}`)
    if (tried) print(`\n${triedWords(tried, painter(1))}`)
    else if (hook.scope === 'project')
      print(`Its bytes have changed: \`crosshook trust ${visible(changed.name)}\` lets it run again.\n`)
  }
  return 0
}

function diffWords(before: string, after: string): string {
  const paint = painter(1)
  const colour = (line: string) =>
    line.startsWith('+') ? paint.green(line) : line.startsWith('-') ? paint.red(line) : line
  return lineDiff(before, after)
    .map((line) => `${colour(visible(line))}\n`)
    .join('')
}

async function tried1000(changed: Hook, before: Hook, args: Arguments) {
  const journal = await journalOf(paths(args.env))
  try {
    return await tryOnHistory(changed, { journal, env: args.env, before })
  } finally {
    journal.close()
  }
}

async function chosen(args: Arguments): Promise<Hook> {
  const [name] = args.words
  if (name === undefined)
    throw new CrosshookError('usage', 'which hook is to be changed?', {
      fix: 'For example: crosshook edit no-force-push --set on_failure=closed',
    })
  const runtime = assemble({ env: args.env, source: 'cli', silent: true })
  try {
    const { hooks } = await runtime.hookSet(process.cwd())
    const scopes = [...(args.flag('user') ? ['user'] : []), ...(args.flag('project') ? ['project'] : [])]
    const own = hooks.filter(
      ({ origin, scope }) =>
        origin.file.endsWith('HOOK.md') && (scopes.length === 0 || scopes.includes(scope)),
    )
    const found = hooksNamed(name, own)
    if (found.length > 1)
      throw new CrosshookError('usage', `there are ${plural(found.length, 'hook')} of that name`, {
        fix: 'Say --user or --project.',
      })
    const [hook] = found
    if (hook!.scope !== 'user' && hook!.scope !== 'project')
      throw new CrosshookError('refused', `hooks of the scope "${hook!.scope}" are not changed here`, {
        fix: 'A managed hook is changed by whoever manages this machine.',
      })
    return hook!
  } finally {
    await runtime.close()
  }
}

function editsOf(args: Arguments): FieldEdit[] {
  const sets = args.values('set').map((given): FieldEdit => {
    const at = given.indexOf('=')
    if (at < 1)
      throw new CrosshookError('usage', `--set ${given}: it needs a field, = and a value`, {
        fix: 'For example: --set matcher.tool=Shell',
      })
    return { path: pathOf(given.slice(0, at)), value: readValue(given.slice(at + 1)) }
  })
  const edits = [...sets, ...args.values('unset').map((field): FieldEdit => ({ path: pathOf(field) }))]
  if (edits.length === 0)
    throw new CrosshookError('usage', 'what is to be changed?', {
      fix: 'Say --set FIELD=VALUE or --unset FIELD; the page (`crosshook ui`) has a form for it.',
    })
  return edits
}

function pathOf(field: string): (string | number)[] {
  return field.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}

/** Parsed as JSON if it is JSON; `[a,b]` is a list of texts. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const list = /^\[(.*)\]$/s.exec(text)
    return list ? list[1]!.split(',').map((item) => item.trim()) : text
  }
}
