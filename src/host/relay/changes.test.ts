/** Never a stale answer: what was changed counts for the very next event, however soon it comes. */

import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { times } from '../../../test/times.ts'
import { untilOldEnough } from '../../config/fingerprint-testing.ts'
import { paths, projectHooks } from '../../config/paths.ts'
import type { Hook } from '../../spec/hook.ts'
import { ask, type Home, hookText, makeHome, reasonOf, serve, shellCall, writeHook } from './testing.ts'

const denyWith = (reason: string) =>
  `matcher:\n  tool: Shell\noutcome:\n  decision: deny\n  reason: ${reason}`

/** Texts of the same size, written in place: only their bytes differ. */
const reasons = (count: number) => Array.from({ length: count }, (_, i) => `r${String(i).padStart(4, '0')}`)

async function staleAnswers(
  home: Home,
  count: number,
  change: (reason: string, i: number) => string | undefined,
): Promise<string[]> {
  const stale: string[] = []
  for (const [i, reason] of reasons(count).entries()) {
    const expected = change(reason, i)
    const seen = reasonOf(await ask(home))
    if (seen !== expected) stale.push(`${i}: ${seen} instead of ${expected}`)
  }
  return stale
}

test('many edits of a HOOK.md: in place, by renaming, with its old times', async () => {
  const home = makeHome()
  const file = home.hook('guard', denyWith('first'))
  await serve(home)
  const stale = await staleAnswers(home, times(90, 300), (reason, i) => {
    const text = hookText('guard', denyWith(reason))
    if (i % 3 === 1) {
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
    } else writeFileSync(file, text)
    if (i % 3 === 2) utimesSync(file, 1_000_000, 1_000_000)
    return reason
  })
  expect(stale).toEqual([])
})

test('edits of a HOOK.md that had not changed for a long time', async () => {
  const home = makeHome()
  const file = home.hook('guard', denyWith('first'))
  await serve(home)
  for (const [i, reason] of reasons(times(9, 30)).entries()) {
    // Old enough to be told from a new one, so that the kernel's word counts from the second event on.
    await untilOldEnough(file)
    const before = reasonOf(await ask(home))
    expect([reasonOf(await ask(home)), reasonOf(await ask(home))]).toEqual([before, before])
    const text = hookText('guard', denyWith(reason))
    if (i % 3 === 0) writeFileSync(file, text)
    else {
      if (i % 3 === 1) rmSync(file)
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
    }
    expect(reasonOf(await ask(home))).toBe(reason)
  }
})

test('many edits of a script', async () => {
  const home = makeHome()
  const hook = home.hook('says', 'matcher:\n  tool: Shell', { 'scripts/run.sh': '' })
  const file = join(dirname(hook), 'scripts/run.sh')
  await serve(home)
  const stale = await staleAnswers(home, times(60, 200), (reason) => {
    writeFileSync(file, `#!/bin/sh\necho ${reason} >&2\nexit 2\n`)
    return reason
  })
  expect(stale).toEqual([])
})

test('a hook is added, switched off in the settings, switched on and removed, many times', async () => {
  const home = makeHome()
  const settings = paths(home.env).settings
  mkdirSync(dirname(settings), { recursive: true })
  await serve(home)
  const stale = await staleAnswers(home, times(80, 200), (_, i) => {
    if (i % 4 === 0) home.hook('guard', denyWith('here'))
    if (i % 4 === 1) writeFileSync(settings, 'disabled = ["guard"]\n')
    if (i % 4 === 2) writeFileSync(settings, 'disabled = ["other"]\n')
    if (i % 4 === 3) rmSync(join(paths(home.env).userHooks, 'guard'), { recursive: true })
    return i % 2 === 0 ? 'here' : undefined
  })
  expect(stale).toEqual([])
})

test('trust is given, taken back, and lost by an edit, many times', async () => {
  const home = makeHome()
  const folder = projectHooks(home.project)
  const file = writeHook(folder, 'guard', denyWith('again'))
  const server = await serve(home)
  const { openTrust } = await import('../../config/trust.ts')
  const trust = openTrust(paths(home.env).state, false)
  const hook = {
    name: 'guard',
    run: { type: 'outcome' },
    origin: { file, dir: dirname(file) },
  } as unknown as Hook
  const good = readFileSync(file, 'utf8')
  const stale = await staleAnswers(home, times(90, 300), (_, i) => {
    if (i % 3 === 0) {
      writeFileSync(file, good)
      trust.trust(hook)
      return 'again'
    }
    if (i % 3 === 1) {
      trust.untrust(hook)
      return undefined
    }
    trust.trust(hook)
    writeFileSync(file, good.replace('again', 'anews'))
    return undefined
  })
  expect(stale).toEqual([])
  expect(server.troubles.length).toBeGreaterThanOrEqual(times(30, 100))
})

test('many events add nothing to the memory that they do not give back', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const events = times(3000, 100_000)
  const home = makeHome()
  for (let i = 0; i < 20; i++)
    home.hook(`other-${i}`, `matcher:\n  tool: Other${i}\noutcome:\n  decision: deny`)
  home.hook('guard', denyWith('no'))
  await serve(home)
  const fire = async (count: number) => {
    for (let i = 0; i < count; i++) await ask(home, { payload: shellCall(home, `ls ${i}`) })
    collect()
    return process.memoryUsage().heapUsed
  }
  await fire(1000)
  const before = await fire(500)
  const after = await fire(events)
  expect((after - before) / 1024 / 1024).toBeLessThan(4)
})
