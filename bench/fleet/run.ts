/**
 * `node bench/fleet/run.ts [--edges 10000] [--real 200] [--rows 10000000] [--only NAME…]`: what a fleet takes, on this machine, with
 * simulator, two hubs and PostgreSQL sharing its cores. Prints a table of what must be shown and what was.
 */

import { parseArgs } from 'node:util'
import { asks } from './asks.ts'
import { crowd } from './crowd.ts'
import { journal } from './journal.ts'
import { latency } from './latency.ts'
import { rows } from './rows.ts'

export interface Figure {
  measure: string
  aim: string
  value: string
  ok: boolean
}

const { values } = parseArgs({
  options: {
    edges: { type: 'string', default: '10000' },
    real: { type: 'string', default: '200' },
    rows: { type: 'string', default: '10000000' },
    only: { type: 'string', multiple: true },
  },
})
const PARTS: Record<string, () => Promise<Figure[]>> = {
  crowd: () => crowd(Number(values.edges), Number(values.real)),
  asks: () => asks(300),
  journal: () => journal(20_000),
  latency: () => latency(400),
  rows: () => rows(Number(values.rows)),
}

const figures: Figure[] = []
for (const [name, part] of Object.entries(PARTS))
  if (!values.only || values.only.includes(name)) figures.push(...(await part()))
for (const { measure, aim, value, ok } of figures)
  console.log(`| ${ok ? '✓' : '✗'} ${measure} | ${aim} | ${value} |`)
process.exit(figures.every(({ ok }) => ok) ? 0 : 1)
