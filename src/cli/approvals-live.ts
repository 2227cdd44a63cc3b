/** `crosshook approvals` in a terminal: questions as they come, answered with one key. */

import { closeOverdue, type Desk, giveAnswer } from '../ask/answer.ts'
import { bePresent } from '../ask/presence.ts'
import type { GrantScope, Question } from '../ask/question.ts'
import { messageOf } from '../spec/errors.ts'
import { localAnswer, resultWords } from './approvals.ts'
import { secondsLeft, showWords } from './approvals-words.ts'
import { type Painter, painter } from './paint.ts'
import { brief } from './table.ts'
import { visible } from './visible.ts'

const HELP =
  'y yes · n no · w no, with words · s yes for this session · p yes for this project · enter all of it · ↑↓ choose · q leave'
const TICK_MS = 1000

export async function live(desk: Desk): Promise<number> {
  const { questions, stateDir } = desk
  const paint = painter(process.stdout)
  const leavePresence = bePresent(stateDir, 'terminal')
  let open: Question[] = []
  let chosen: string | undefined
  let isWhole = false
  let said = ''
  let typing: string | undefined

  const refresh = () => {
    closeOverdue(desk)
    open = questions.open()
    if (!open.some(({ id }) => id === chosen)) {
      chosen = open[0]?.id
      isWhole = false
    }
    draw()
  }
  const draw = () => {
    const rows = open.flatMap((question) => rowsOf(question, question.id === chosen, paint))
    const current = open.find(({ id }) => id === chosen)
    const whole = isWhole && current ? ['', ...showWords(current, undefined, paint).split('\n')] : []
    const head = paint.bold(open.length === 0 ? 'Nothing waits.' : `${open.length} waiting`)
    const line = typing === undefined ? paint.dim(HELP) : `no, because: ${visible(typing)}▏`
    const room = (process.stdout.rows ?? 24) - 4
    const text = [head, ...[...rows, ...whole].slice(0, room), '', said, line].join('\r\n')
    process.stdout.write(`\u001b[H\u001b[2J${text}`)
  }
  const answer = (decision: 'allow' | 'deny', more: { words?: string; scope?: GrantScope } = {}) => {
    const question = open.find(({ id }) => id === chosen)
    if (!question) return
    try {
      const result = giveAnswer(desk, question.id, {
        ...localAnswer(decision, more.words),
        scope: more.scope,
      })
      said = brief(resultWords(result, question), 200)
    } catch (error) {
      said = paint.red(brief(messageOf(error), 200))
    }
    refresh()
  }
  const move = (by: number) => {
    const at = open.findIndex(({ id }) => id === chosen)
    chosen = open[Math.min(open.length - 1, Math.max(0, at + by))]?.id
    draw()
  }
  const type = (key: string) => {
    if (key === '\r' || key === '\n') {
      const words = typing!
      typing = undefined
      return answer('deny', { words })
    }
    if (key === '\u001b') typing = undefined
    else if (key === '\u007f') typing = typing!.slice(0, -1)
    else if (!/[\u0000-\u001f]/.test(key)) typing += key
    draw()
  }
  const KEYS: Readonly<Record<string, () => void>> = {
    y: () => answer('allow'),
    n: () => answer('deny'),
    s: () => answer('allow', { scope: 'session' }),
    p: () => answer('allow', { scope: 'project' }),
    w: () => {
      if (chosen !== undefined) typing = ''
      draw()
    },
    '\r': () => {
      isWhole = !isWhole
      draw()
    },
    '\u001b[A': () => move(-1),
    '\u001b[B': () => move(1),
  }

  const { stdin } = process
  stdin.setRawMode(true)
  process.stdout.write('\u001b[?1049h')
  const stopFollowing = questions.follow((name) => !name.endsWith('.tmp') && refresh())
  const tick = setInterval(refresh, TICK_MS)
  refresh()
  try {
    await new Promise<void>((resolve) => {
      stdin.on('data', (bytes) => {
        const text = bytes.toString('utf8')
        if (text === '\u0003' || (typing === undefined && text === 'q')) return resolve()
        if (typing !== undefined) for (const key of text === '\u001b' ? [text] : text) type(key)
        else KEYS[text]?.()
      })
      stdin.on('end', resolve)
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
    })
  } finally {
    clearInterval(tick)
    stopFollowing()
    leavePresence()
    process.stdout.write('\u001b[?1049l')
    stdin.setRawMode(false)
    stdin.pause()
  }
  return 0
}

function rowsOf(question: Question, isChosen: boolean, paint: Painter): string[] {
  const { id, agent_title, summary, why, repeats } = question
  const mark = isChosen ? paint.bold('▸') : ' '
  const width = (process.stdout.columns ?? 80) - 4
  const again = repeats === undefined ? '' : paint.red(' refused before in other words')
  return [
    `${mark} ${paint.bold(id)}  ${paint.yellow(secondsLeft(question))}  ${brief(agent_title, 24)}${again}`,
    `    ${brief(summary, width)}`,
    `    ${paint.dim(brief(why, width))}`,
  ]
}
