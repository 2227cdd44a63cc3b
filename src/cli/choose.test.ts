import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { choose } from './choose.ts'

const plain = (text: string) => text
const paint = { red: plain, green: plain, yellow: plain, dim: plain, bold: plain }
const choices = ['a', 'b', 'c'].map((id) => ({ id, text: `Agent ${id}`, isMarked: id !== 'c' }))

/** A terminal whose keys are typed one after another. */
async function typed(keys: readonly string[], isSingle = false) {
  const modes: boolean[] = []
  const input = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => modes.push(on) })
  const output = Object.assign(new PassThrough(), { columns: 40 })
  let drawn = ''
  output.on('data', (data) => {
    drawn += data
  })
  const chosen = choose(
    { title: 'Agents', choices, isSingle },
    paint,
    input as unknown as NodeJS.ReadStream,
    output as unknown as NodeJS.WriteStream,
  )
  for (const key of keys) input.write(key)
  return { chosen: await chosen, modes, drawn }
}

it('goes on with what is marked', async () => {
  expect((await typed(['\r'])).chosen).toEqual(['a', 'b'])
})

it('marks and takes off marks where the arrows went, around the ends too', async () => {
  expect((await typed(['\u001b[A', ' ', '\u001b[B', ' ', '\r'])).chosen).toEqual(['b', 'c'])
})

it('has one mark where one is to be chosen, which follows the arrows', async () => {
  expect((await typed(['\u001b[B', '\u001b[B', '\r'], true)).chosen).toEqual(['c'])
})

it('gives up at Ctrl-C, and leaves the terminal as it was', async () => {
  const { chosen, modes } = await typed(['\u0003'])
  expect(chosen).toBeUndefined()
  expect(modes).toEqual([true, false])
})

it('draws no line longer than the terminal', async () => {
  const { drawn } = await typed(['\r'])
  const lines = drawn.split('\n').filter((line) => line.includes('Agent '))
  for (const line of lines) expect(line.replace(/\u001b\[\w+|\r/g, '').length).toBeLessThanOrEqual(40)
})
