/** The demo's output: what the agent wants, which hooks decide, what happens. */

import type { Happening } from '../demo/agent/session.ts'
import type { FireResult, HookReport } from '../spec/outcome.ts'
import type { Painter } from './paint.ts'
import { visible } from './visible.ts'

const WIDTH = 110
const WRAP = 90

/** The lines for one step; most events print nothing. */
export function demoWords(happening: Happening, paint: Painter): string[] {
  switch (happening.kind) {
    case 'prompt':
      return ['', `${paint.bold('you  ')}  ${visible(happening.text)}`]
    case 'says':
      return ['', `${paint.bold('agent')}  ${visible(happening.text)}`]
    case 'told':
    case 'warning':
      return [`       ${paint.yellow('!')} ${cut(happening.text)}`]
    case 'wants':
      return [`       wants ${paint.bold(happening.call.name)} ${inputWords(happening.call.input)}`]
    case 'asks':
      return [
        `       ${paint.yellow('?')} the person is asked: ${cut(happening.question)} — ${happening.agreed ? 'yes' : 'no'}`,
      ]
    case 'result':
      return resultWords(happening, paint)
    case 'hooks':
      return hookWords(happening.result, paint)
  }
}

function hookWords(result: FireResult, paint: Painter): string[] {
  return result.hooks.flatMap((hook) => {
    const said = verdict(hook, result, paint)
    return said === null ? [] : [`       ${said}`]
  })
}

function verdict(hook: HookReport, result: FireResult, paint: Painter): string | null {
  const name = paint.bold(hook.name)
  if (hook.status === 'blocked')
    return `${paint.red('✗')} ${name} blocks it:\n${wrapped(result.reason ?? '')}`
  if (hook.status === 'failed' || hook.status === 'timed_out')
    return `${paint.yellow('!')} ${name} failed: ${cut(hook.error ?? '')}`
  if (result.decision === 'ask' && hook.reason) return `${paint.yellow('?')} ${name} wants a person to decide`
  if (result.updated_input !== null)
    return `${paint.green('✓')} ${name} makes it ${inputWords(result.updated_input)}`
  if (result.event_type === 'before_stop') return `${paint.green('✓')} ${name} lets it stop`
  return null
}

/** A block was already shown; for anything else the first line is enough. */
function resultWords({ text, failed }: Extract<Happening, { kind: 'result' }>, paint: Painter): string[] {
  if (text.startsWith('Blocked by a hook')) return []
  return [
    `       ${failed ? paint.red('✗ it fails:') : paint.green('✓ done:')} ${cut(text || '(no output)')}`,
  ]
}

function inputWords(input: Readonly<Record<string, unknown>>): string {
  const { command, path } = input
  return cut(typeof command === 'string' ? command : String(path ?? JSON.stringify(input)))
}

/** In full: the reason of a block is the point of the demo. */
function wrapped(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of visible(text.trim().split('\n').join(' ⏎ ')).split(' ')) {
    if (line !== '' && line.length + word.length >= WRAP) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines, line].map((each) => `         ${each}`).join('\n')
}

function cut(text: string): string {
  const line = visible(text.trim().split('\n').join(' ⏎ '))
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line
}
