import { expect, test } from 'vitest'
import { crashRounds } from './fixtures/crash-rounds.ts'
import { newStateDir } from './fixtures/state.ts'

test('after kills at any moment each acknowledged record is there once and the journal verifies', async () => {
  const { kills, acknowledged, ...wrong } = await crashRounds(newStateDir(), 4)
  expect(kills).toBeGreaterThan(10)
  expect(acknowledged).toBeGreaterThan(10)
  expect(wrong).toMatchObject({ lost: [], doubled: [], findings: [] })
}, 120_000)
