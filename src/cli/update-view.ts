/** What a person sees before an update: changes in its text, its rights and its decisions. */

import { lineDiff } from '../host/line-diff.ts'
import type { PackFile } from '../packs/files.ts'
import type { Painter } from './paint.ts'
import type { Behaviour } from './update-behaviour.ts'
import type { Plan } from './update-plan.ts'
import { visible } from './visible.ts'

const MAX_LINES = 120
const MAX_EXAMPLES = 10

export function updateView(plan: Plan, behaviour: Behaviour | undefined, paint: Painter): string {
  const { group, version, published, verdict } = plan
  const head = `${paint.bold(visible(group.name))} ${visible(group.installed.version ?? '')} → ${visible(version)}${published === undefined ? '' : `, published ${published.slice(0, 10)}`}\n`
  const signed = verdict
    ? `  ${verdict.how === 'unsigned' ? paint.yellow(verdict.words) : verdict.words}\n`
    : ''
  return `${head}${signed}${rightsWords(plan, paint)}${behaviourWords(behaviour, paint)}\n${textWords(plan, paint)}`
}

function rightsWords({ rights }: Plan, paint: Painter): string {
  if (rights.length === 0) return '  may do what it may now\n'
  return rights
    .map(({ hook, more, less }) =>
      [
        ...more.map((right) => `  ${paint.red(`${visible(hook)} MORE: ${visible(right)}`)}\n`),
        ...less.map((right) => `  ${paint.green(`${visible(hook)} less: ${visible(right)}`)}\n`),
      ].join(''),
    )
    .join('')
}

function behaviourWords(behaviour: Behaviour | undefined, paint: Painter): string {
  if (!behaviour) return ''
  if ('why' in behaviour) return `  what it would decide is not known: ${visible(behaviour.why)}\n`
  const { calls, replayed, partial, changed, days } = behaviour
  const coverage = `  replayed on your last ${days} days: ${replayed} of ${calls} calls in full, ${partial} in part\n`
  if (changed.length === 0) return `${coverage}  it would decide the same about all of them\n`
  const counts = [...Map.groupBy(changed, ({ before, after }) => `${before} → ${after}`)].map(
    ([what, list]) => `  ${paint.yellow(`would newly ${what.split(' ').at(-1)} ${list.length} (${what})`)}\n`,
  )
  const examples = changed
    .slice(0, MAX_EXAMPLES)
    .map(
      ({ at, tool, summary, before, after }) =>
        `    ${at.slice(0, 10)} ${visible(tool)}: ${visible(summary.slice(0, 100))} (${before} → ${after})\n`,
    )
  const rest = changed.length > MAX_EXAMPLES ? `    … ${changed.length - MAX_EXAMPLES} more\n` : ''
  return coverage + counts.join('') + examples.join('') + rest
}

function textWords({ before, after }: Plan, paint: Painter): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  const lines = names.flatMap((name) => filesDiff(name, before[name] ?? [], after[name] ?? [], paint))
  const rest = lines.length - MAX_LINES
  const shown = lines.slice(0, MAX_LINES)
  return `${[...shown, ...(rest > 0 ? [`… ${rest} more lines: --json has all of them`] : [])].join('\n')}\n`
}

export function filesDiff(
  name: string,
  before: readonly PackFile[],
  after: readonly PackFile[],
  paint: Painter,
): string[] {
  const paths = [...new Set([...before, ...after].map(({ path }) => path))].sort()
  return paths.flatMap((path) => {
    const [old, young] = [before, after].map((files) => files.find((file) => file.path === path))
    if (old && young && old.bytes.equals(young.bytes) && old.executable === young.executable) return []
    const how = old ? (young ? 'changed' : 'removed') : 'new'
    const head = paint.dim(
      `── ${visible(`${name}/${path}`)} (${how}${young?.executable && !old?.executable ? ', may be executed' : ''})`,
    )
    if ([old, young].some((file) => file?.bytes.subarray(0, 8000).includes(0)))
      return [head, `  ${paint.yellow('not text: its content cannot be shown')}`]
    const text = (file: PackFile | undefined) => file?.bytes.toString('utf8') ?? ''
    return [
      head,
      ...lineDiff(text(old), text(young)).map((line) => {
        const shown = `  ${visible(line)}`
        return line.startsWith('+') ? paint.green(shown) : line.startsWith('-') ? paint.red(shown) : shown
      }),
    ]
  })
}
