/** From a question to the answer that the agent sees, besides the person, side by side with a plain deny: `node bench/ask.ts`. */

import { giveAnswer } from '../src/ask/answer.ts'
import { askPlace } from '../tools/ask/place.ts'
import { type Row, ratioOf, table } from './measure.ts'

const ROUNDS = 40
const BATCH = 3

/** Another process answers as soon as it sees the question. */
export async function asking(): Promise<Row[]> {
  const place = askPlace(60)
  await place.start()
  const { questions } = place.desk
  const stop = questions.follow((name) => {
    const [id, kind] = name.split('.')
    if (kind === 'question' && questions.get(id!) && !questions.answerOf(id!))
      giveAnswer(place.desk, id!, { decision: 'deny', by: 'local', via: 'terminal' })
  })
  let n = 0
  try {
    const { ratio, medians } = await ratioOf(
      {
        deny: () => place.call('s', 'never'),
        ask: () => place.call(`s${++n}`, `deploy ${n}`),
      },
      { rounds: ROUNDS, batch: BATCH },
    )
    const besides = medians.ask - medians.deny
    return [
      { what: 'ask, answered at once ÷ plain deny, over HTTP', ratio: ratio('ask', 'deny'), target: '' },
      { what: 'milliseconds from ask to answer seen, besides the person', ratio: besides, target: '< 50' },
    ]
  } finally {
    stop()
    place.close()
  }
}

if (import.meta.main) console.log(table(await asking()))
