/** Firing in process, side by side with hook libraries; and many hooks that do not match. */

import { createHooks as createHookable } from 'hookable'
import { AsyncSeriesHook } from 'tapable'
import { createHooks } from '../src/index.ts'
import { type Row, ratioOf } from './measure.ts'

export let sink = 0
const work = async (event: { tool_name?: string }) => {
  sink += event.tool_name?.length ?? 0
}
const given = {
  session_id: 's',
  work_dir: '/',
  timestamp: 't',
  context: {},
  tool_name: 'Shell',
  tool_input: { command: 'ls' },
  tool_use_id: '1',
}

export async function inProcess(): Promise<Row[]> {
  const ours = createHooks()
  for (let i = 0; i < 10; i++) ours.on('before_tool', work, { name: `hook-${i}` })
  const tapable = new AsyncSeriesHook<[typeof given]>(['event'])
  for (let i = 0; i < 10; i++) tapable.tapPromise(`hook-${i}`, work)
  const hookable = createHookable<{ before_tool: (event: typeof given) => Promise<void> }>()
  for (let i = 0; i < 10; i++) hookable.hook('before_tool', work)
  const functions = Array.from({ length: 10 }, () => work)

  const crowd = createHooks()
  for (let i = 0; i < 10; i++)
    crowd.on('before_tool', work, { name: `hook-${i}`, matcher: { tool: 'Shell' } })
  for (let i = 0; i < 9990; i++)
    crowd.on('before_tool', work, { name: `other-${i}`, matcher: { tool: `Other${i}` } })
  const few = createHooks()
  for (let i = 0; i < 10; i++) few.on('before_tool', work, { name: `hook-${i}`, matcher: { tool: 'Shell' } })

  const cases = {
    ours: () => ours.fire('before_tool', given),
    tapable: () => tapable.promise(given),
    hookable: async () => hookable.callHook('before_tool', given),
    loop: async () => {
      for (const call of functions) await call(given)
    },
    crowd: () => crowd.fire('before_tool', given),
    few: () => few.fire('before_tool', given),
  }
  const { ratio } = await ratioOf(cases, { rounds: 400, batch: 300 })
  return [
    {
      what: 'fire, 10 async functions ÷ tapable AsyncSeriesHook.promise',
      ratio: ratio('ours', 'tapable'),
      target: '≤ 1.7',
    },
    {
      what: 'hookable callHook ÷ fire, 10 async functions',
      ratio: ratio('hookable', 'ours'),
      target: '≥ 2.5',
    },
    { what: 'a bare loop of awaits ÷ tapable', ratio: ratio('loop', 'tapable'), target: '' },
    {
      what: '10,000 registered, 10 match ÷ 10 registered, 10 match',
      ratio: ratio('crowd', 'few'),
      target: '≤ 1.5',
    },
  ]
}
