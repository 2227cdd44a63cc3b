import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { COMPILE_CACHE } from '../../test/compile-cache.ts'
import { type DeadLetter, deadLetters } from './dead-letters.ts'
import { newStateDir } from './sqlite/fixtures/state.ts'

const LEDGER = 'resolved-dead-letter.jsonl'

function letter(more: Partial<DeadLetter> = {}): DeadLetter {
  return {
    hook_name: 'guard',
    event: 'before_tool',
    target: 'command:guard',
    attempt_count: 2,
    failure_mode: 'open',
    invocation_digest: 'abcdef0123456789'.repeat(4),
    definition_digest: '0123456789abcdef'.repeat(4),
    error: 'it failed',
    ...more,
  }
}

/** Files as an earlier version may have left them. */
function oldFolder(files: Record<string, unknown>): string {
  const stateDir = newStateDir()
  const folder = join(stateDir, 'dead-letters')
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return stateDir
}

function old(at_ms: number, name: string, more: object = {}): object {
  return { id: `hook-dlq-${at_ms}`, at_ms, ...letter({ hook_name: name }), ...more }
}

function names(stateDir: string): string[] {
  return readdirSync(join(stateDir, 'dead-letters')).sort()
}

test('a record has an id and a file that say when and what', () => {
  const stateDir = newStateDir()
  const { record, error } = deadLetters(stateDir).add(letter({ hook_name: 'my guard/é', subject: 'Shell' }))
  expect(error).toBeUndefined()
  const found = /^hook-dlq-(\d+)-abcdef01-01234567-([0-9a-f]{16})$/.exec(record.id)
  expect(names(stateDir)).toEqual([`${found![1]}-my_guard_-${found![2]}.json`])
  expect(record).toEqual({
    ...letter({ hook_name: 'my guard/é', subject: 'Shell' }),
    id: record.id,
    at_ms: Number(found![1]),
    at: new Date(Number(found![1])).toISOString(),
    contract_version: 1,
  })
  expect(deadLetters(stateDir).list()).toEqual([record])
  expect(deadLetters(stateDir).get(record.id)).toEqual(record)
  const folder = join(stateDir, 'dead-letters')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, names(stateDir)[0]!)).mode & 0o777).toBe(0o600)
})

test('records are listed newest last', () => {
  const { add, list } = deadLetters(newStateDir())
  for (let i = 0; i < 20; i++) add(letter({ attempt_count: i }))
  expect(list(3).map(({ attempt_count }) => attempt_count)).toEqual([17, 18, 19])
})

test('an error is redacted before it is written, and cut at 2048 characters', () => {
  const stateDir = newStateDir()
  const { record } = deadLetters(stateDir).add(letter({ error: `token=hunter2 ${'word '.repeat(1000)}` }))
  expect(record.error).toHaveLength(2048)
  const written = readFileSync(join(stateDir, 'dead-letters', names(stateDir)[0]!), 'utf8')
  expect(written).toMatch(/token=\[REDACTED:token:\w{6}\]/)
  expect(written).not.toContain('hunter2')
})

test('K77: what an old record holds is redacted when it is shown', () => {
  const key = `api_key=${'sk'}-old-secret`
  const stateDir = oldFolder({
    '100-old.json': old(100, 'old', { error: key }),
    [LEDGER]: `${JSON.stringify({ dead_letter_id: 'hook-dlq-100', resolved_at_ms: 200, reason: key })}\n`,
  })
  expect(deadLetters(stateDir).list()).toMatchObject([
    {
      error: expect.stringMatching(/^api_key=\[REDACTED:key:\w{6}\]$/),
      resolution_reason: expect.stringMatching(/^api_key=\[REDACTED:key:\w{6}\]$/),
      resolved_at_ms: 200,
    },
  ])
})

test('K78: a damaged file is counted, skipped and told', () => {
  const stateDir = oldFolder({ '100-bad.json': '{ not json', '200-good.json': old(200, 'good-hook') })
  const letters = deadLetters(stateDir)
  expect(letters.list()).toHaveLength(1)
  expect(letters.summary()).toEqual({
    count: 2,
    unresolved_count: 1,
    last_at: '1970-01-01T00:00:00.200Z',
    last_at_ms: 200,
    last_hook: 'good-hook',
    last_unresolved_at: '1970-01-01T00:00:00.200Z',
    last_unresolved_at_ms: 200,
    last_unresolved_hook: 'good-hook',
    read_error: expect.stringContaining('1 of 2 files'),
  })
})

test.each([['null'], ['[]'], ['{"id": 1}'], ['']])('a file that holds %s is damaged too', (content) => {
  const { list, summary } = deadLetters(oldFolder({ '100-bad.json': content }))
  expect(list()).toEqual([])
  expect(summary().read_error).toContain('100-bad.json')
})

test('K79: the oldest are removed beyond the limit', () => {
  const stateDir = oldFolder({
    '100-old.json': old(100, 'old'),
    '200-mid.json': old(200, 'mid'),
    '300-new.json': old(300, 'new'),
  })
  deadLetters(stateDir, { records: 2 }).prune()
  expect(names(stateDir)).toEqual(['200-mid.json', '300-new.json'])
})

test('K80: pruning keeps only the resolutions of records that are left', () => {
  const lines = ['old', 'mid', 'new'].map((name, i) =>
    JSON.stringify({
      dead_letter_id: `hook-dlq-${(i + 1) * 100}`,
      resolved_at_ms: 1000 + i,
      reason: `token=${'sk'}-${name}-secret`,
    }),
  )
  const stateDir = oldFolder({
    '100-old.json': old(100, 'old'),
    '200-mid.json': old(200, 'mid'),
    '300-new.json': old(300, 'new'),
    [LEDGER]: `${lines.join('\n')}\n{"dead_letter_id": "hook-`,
  })
  deadLetters(stateDir, { records: 2 }).prune()
  const ledger = readFileSync(join(stateDir, 'dead-letters', LEDGER), 'utf8')
  expect(
    ledger
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    {
      dead_letter_id: 'hook-dlq-200',
      resolved_at_ms: 1001,
      reason: expect.stringMatching(/^token=\[REDACTED:token:\w{6}\]$/),
    },
    {
      dead_letter_id: 'hook-dlq-300',
      resolved_at_ms: 1002,
      reason: expect.stringMatching(/^token=\[REDACTED:token:\w{6}\]$/),
    },
  ])
})

test('K81: the first resolution stays, and the file of the record does not change', () => {
  const stateDir = newStateDir()
  const { add, resolve, summary, list } = deadLetters(stateDir)
  const { id } = add(letter()).record
  add(letter({ hook_name: 'other' }))
  const path = join(stateDir, 'dead-letters', names(stateDir)[0]!)
  const before = readFileSync(path)
  expect(resolve(id, 'fixed the script')).toMatchObject({ id, resolution_reason: 'fixed the script' })
  expect(resolve(id, 'another reason')).toMatchObject({ id, resolution_reason: 'fixed the script' })
  expect(summary()).toMatchObject({ count: 2, unresolved_count: 1, last_unresolved_hook: 'other' })
  expect(readFileSync(path)).toEqual(before)
  expect(list()[0]!.resolved_at).toMatch(/^\d{4}-.*Z$/)
})

test('a resolution without a reason gets one, a long reason is cut, an unknown id is undefined', () => {
  const { add, resolve } = deadLetters(newStateDir())
  expect(resolve(add(letter()).record.id)?.resolution_reason).toBe('operator resolved')
  expect(resolve(add(letter()).record.id, '  ')?.resolution_reason).toBe('operator resolved')
  expect(resolve(add(letter()).record.id, 'word '.repeat(200))?.resolution_reason).toHaveLength(512)
  expect(resolve('hook-dlq-unknown', 'x')).toBeUndefined()
})

test('adding prunes by count and by bytes', () => {
  const byCount = newStateDir()
  for (let i = 0; i < 5; i++) deadLetters(byCount, { records: 3 }).add(letter({ attempt_count: i }))
  expect(
    deadLetters(byCount)
      .list()
      .map(({ attempt_count }) => attempt_count),
  ).toEqual([2, 3, 4])
  const byBytes = newStateDir()
  for (let i = 0; i < 5; i++) deadLetters(byBytes, { bytes: 1500 }).add(letter({ attempt_count: i }))
  expect(
    deadLetters(byBytes)
      .list()
      .map(({ attempt_count }) => attempt_count),
  ).toEqual([2, 3, 4])
})

test('pruning keeps at least the newest, and removes what a killed process left half written', () => {
  const stateDir = oldFolder({ '100-old.json': old(100, 'old'), '200-new.json': old(200, 'new') })
  const half = join(stateDir, 'dead-letters', '150-half.json.tmp-1')
  writeFileSync(half, '{')
  utimesSync(half, 0, 0)
  deadLetters(stateDir, { bytes: 1 }).prune()
  expect(names(stateDir)).toEqual(['200-new.json'])
})

test('a folder that cannot be read is told', () => {
  const stateDir = newStateDir()
  mkdirSync(stateDir)
  writeFileSync(join(stateDir, 'dead-letters'), 'a file')
  expect(deadLetters(stateDir).summary()).toMatchObject({
    count: 0,
    read_error: expect.stringContaining('ENOTDIR'),
  })
  expect(() => deadLetters(stateDir).list()).toThrow('cannot be read')
})

test('an empty state folder has nothing to tell', () => {
  const { list, summary } = deadLetters(newStateDir())
  expect(list()).toEqual([])
  expect(summary()).toEqual({ count: 0, unresolved_count: 0 })
})

test('a folder that cannot be made is an error of the answer, not an exception', () => {
  const { record, error } = deadLetters('/dev/null/state').add(letter())
  expect(record.hook_name).toBe('guard')
  expect(error).toMatchObject({ code: 'store' })
  expect(error?.message).toContain(
    'A failure of hook guard could not be kept in /dev/null/state/dead-letters',
  )
})

test('a process killed at any moment leaves whole records only, all that it was told of', async () => {
  const stateDir = newStateDir()
  const told: string[] = []
  for (let round = 0; round < 5; round++) {
    const program = join(import.meta.dirname, 'sqlite/fixtures/add-dead-letters.ts')
    const child = spawn(process.execPath, [program, stateDir], {
      env: { ...process.env, ...COMPILE_CACHE },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const output = text(child.stdout)
    await once(child.stdout, 'readable')
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40))
    child.kill('SIGKILL')
    told.push(...(await output).split('\n').slice(0, -1))
  }
  const { list, summary } = deadLetters(stateDir)
  const kept = new Set(list().map(({ id }) => id))
  expect(told.filter((id) => !kept.has(id))).toEqual([])
  expect(summary().read_error).toBeUndefined()
})

test('resolutions of several processes at once are all kept', async () => {
  const stateDir = newStateDir()
  const { add, summary } = deadLetters(stateDir)
  const ids = Array.from({ length: 40 }, () => add(letter()).record.id)
  const program = join(import.meta.dirname, 'sqlite/fixtures/resolve-dead-letters.ts')
  await Promise.all(
    [0, 10, 20, 30].map(async (from) => {
      const child = spawn(process.execPath, [program, stateDir, ...ids.slice(from, from + 10)], {
        env: { ...process.env, ...COMPILE_CACHE },
        stdio: 'inherit',
      })
      expect(await once(child, 'close')).toEqual([0, null])
    }),
  )
  expect(summary()).toMatchObject({ count: 40, unresolved_count: 0 })
})

test('without limits of its own it keeps 5000 records', () => {
  const files = Array.from({ length: 5000 }, (_, index) => [`${index + 1}-old-${index}.json`, '{}'])
  const stateDir = oldFolder(Object.fromEntries(files))
  deadLetters(stateDir).add(letter())
  expect(names(stateDir)).toHaveLength(5000)
})
