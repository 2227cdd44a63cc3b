/** What a person sees of a hook before it is added: its purpose, what it runs, and its programs. */

import { runWords } from '../host/run-words.ts'
import type { PackFile } from '../packs/files.ts'
import type { Hook } from '../spec/hook.ts'
import { matcherWords } from '../spec/matcher.ts'
import type { Painter } from './paint.ts'
import { shortPath } from './problem-words.ts'
import { columns } from './table.ts'
import { visible } from './visible.ts'

const MAX_LINES = 80

export function addView(hook: Hook, files: readonly PackFile[], paint: Painter): string {
  const head = columns(
    [
      ['for', `${hook.events.join(', ')}, ${visible(matcherWords(hook.matcher))}`],
      ['runs', visible(runWords(hook, shortPath))],
      ['what', visible(hook.description ?? '—')],
      ['files', files.map(({ path, bytes }) => `${visible(path)} (${bytes.length} bytes)`).join(', ')],
    ],
    '  ',
  )
  const programs = files.filter(({ path, executable }) => executable || /^scripts\//.test(path))
  return [`${paint.bold(visible(hook.name))}\n${head}`, ...programs.map((file) => program(file, paint))].join(
    '\n',
  )
}

/** Says when something is cut, so that nobody unknowingly agrees to what was not shown. */
function program({ path, bytes }: PackFile, paint: Painter): string {
  const title = paint.dim(`── ${visible(path)}`)
  if (bytes.subarray(0, 8000).includes(0))
    return `${title}\n  ${paint.yellow('not text: its content cannot be shown')}\n`
  const lines = bytes.toString('utf8').replace(/\n$/, '').split('\n')
  const rest = lines.length - MAX_LINES
  const shown = lines.slice(0, MAX_LINES).map((line) => `  ${visible(line)}`)
  return `${[title, ...shown, ...(rest > 0 ? [`  … ${rest} more lines: look at the file itself`] : [])].join('\n')}\n`
}
