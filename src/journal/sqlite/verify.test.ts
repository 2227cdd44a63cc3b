import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sha256Hex } from '../../fast/digest.ts'
import type { Journal } from '../port.ts'
import { anchorsPath } from './anchors.ts'
import { chained, hashOf, tipPath } from './chain.ts'
import { entry, newStateDir, report } from './fixtures/state.ts'
import { lineOf } from './intake-line.ts'
import { openJournal } from './open.ts'
import { intakePath } from './segments.ts'

const seal = (text: string) => sha256Hex(`a key that nobody knows ${text}`)

/** So many records that wait. */
function waiting(count: number): Journal {
  const journal = openJournal(newStateDir(), { seal })
  for (let i = 1; i <= count; i++)
    journal.append(entry({ reason: `r${i}`, hooks: [report()] }), { executions: 1 })
  return journal
}

/** So many in the database. */
function taken(count: number): Journal {
  const journal = waiting(count)
  journal.list()
  journal.close()
  return journal
}

function inDatabase({ stateDir }: Journal, work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(`${stateDir}/journal.db`)
  work(db)
  db.close()
}

function lines({ stateDir }: Journal): string[] {
  return readFileSync(intakePath(stateDir), 'utf8').split('\n')
}

function setLines({ stateDir }: Journal, all: string[]): void {
  writeFileSync(intakePath(stateDir), all.join('\n'))
}

const reasons = (journal: Journal) => journal.list({ limit: -1 }).map(({ reason }) => reason)
const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `r${from + i}`)

test('an unmodified journal verifies, in files and in the database, with one writer and with many', () => {
  const one = waiting(20)
  const other = openJournal(one.stateDir, { seal })
  for (let i = 0; i < 20; i++) {
    one.append(entry())
    other.appendTogether(() => {
      other.append(entry())
      other.append(entry())
    })
  }
  expect(one.verify()).toMatchObject({ ok: true, records: 80, unchained: 0, findings: [], notes: [] })
  expect(other.verify()).toMatchObject({ ok: true, records: 80 })
})

const INTAKE: Record<string, [spoil: (journal: Journal) => void, what: string, left: string[]]> = {
  'a record removed': [
    (journal) =>
      setLines(
        journal,
        lines(journal).filter((line) => !line.includes('"r5"')),
      ),
    'removed',
    [...numbered(1, 4), ...numbered(6, 10)],
  ],
  'a record altered': [
    (journal) =>
      setLines(
        journal,
        lines(journal).map((line) => line.replace('"r5"', '"x5"')),
      ),
    'altered',
    [...numbered(1, 4), 'x5', ...numbered(6, 10)],
  ],
  'two records in each other’s place': [
    (journal) => {
      const all = lines(journal)
      const [a, b] = ['"r4"', '"r5"'].map((name) => all.findIndex((line) => line.includes(name))) as [
        number,
        number,
      ]
      ;[all[a], all[b]] = [all[b]!, all[a]!]
      setLines(journal, all)
    },
    'altered',
    ['r1', 'r2', 'r3', 'r5', 'r4', ...numbered(6, 10)],
  ],
  'the last record cut off': [
    (journal) => setLines(journal, lines(journal).slice(0, -2)),
    'cut',
    numbered(1, 9),
  ],
  'the end cut in the middle of a record': [
    ({ stateDir }) => truncateSync(intakePath(stateDir), readFileSync(intakePath(stateDir)).length - 30),
    'cut',
    numbered(1, 9),
  ],
  'all of it removed': [({ stateDir }) => rmSync(intakePath(stateDir)), 'removed', []],
  'a bit flipped': [
    ({ stateDir }) => {
      const bytes = readFileSync(intakePath(stateDir))
      const at = bytes.indexOf('"r5"') + 1
      bytes[at] = bytes[at]! ^ 0x80
      writeFileSync(intakePath(stateDir), bytes)
    },
    'altered',
    [...numbered(1, 4), '\ufffd5', ...numbered(6, 10)],
  ],
  'a line of garbage in its middle': [
    (journal) => {
      const all = lines(journal)
      all.splice(7, 0, 'garbage \u0000\u0001')
      setLines(journal, all)
    },
    'altered',
    numbered(1, 10),
  ],
  'a record overwritten by garbage': [
    (journal) =>
      setLines(
        journal,
        lines(journal).map((line) => (line.includes('"r5"') ? '#'.repeat(line.length) : line)),
      ),
    'unreadable',
    [...numbered(1, 4), ...numbered(6, 10)],
  ],
  'its tip forged': [
    ({ stateDir }) =>
      writeFileSync(
        tipPath(stateDir),
        readFileSync(tipPath(stateDir), 'utf8').replace(/ 0(\d{14}) /, ' 1$1 '),
      ),
    'forged',
    numbered(1, 10),
  ],
  'a line with hooks that are none': [
    ({ stateDir }) =>
      appendFileSync(
        intakePath(stateDir),
        '\n{"counts":{},"id":"1-a","at":1,"entry":{"event":"e","session_id":"","decision":"allow","hooks":[null]}}\n',
      ),
    'unreadable',
    numbered(1, 10),
  ],
}

test.each(Object.entries(INTAKE))(
  'what waits, with %s: it is named, and costs only what it hits',
  (_, [spoil, what, left]) => {
    const journal = waiting(10)
    journal.close()
    spoil(journal)
    const { ok, findings } = journal.verify()
    expect(ok).toBe(false)
    expect(findings.map((each) => each.what)).toContain(what)
    expect(reasons(journal)).toEqual(left)
    for (let i = 0; i < 3; i++) journal.append(entry({ reason: `later ${i}` }))
    expect(reasons(journal)).toEqual([...left, 'later 0', 'later 1', 'later 2'])
    // It is not forgotten, whatever comes later.
    expect(openJournal(journal.stateDir, { seal }).verify().ok).toBe(false)
  },
)

test('a record cut off is missed even if the next one comes before anybody looks', () => {
  const journal = waiting(5)
  journal.close()
  setLines(journal, lines(journal).slice(0, -2))
  openJournal(journal.stateDir, { seal }).append(entry({ reason: 'next' }))
  expect(journal.verify().findings).toEqual([expect.objectContaining({ what: 'cut' })])
})

test('a write that a crash cut off is noted, and is no damage', () => {
  const journal = waiting(3)
  journal.close()
  appendFileSync(intakePath(journal.stateDir), '\n{"counts":{},"id":"1-a","at":1,"prev":"1.')
  journal.append(entry({ reason: 'r4' }))
  expect(journal.verify()).toMatchObject({
    ok: true,
    records: 4,
    notes: [expect.stringContaining('cut off')],
  })
})

const DATABASE: Record<string, [spoil: (db: DatabaseSync, journal: Journal) => void, what: string]> = {
  'a record removed': [(db) => db.exec('DELETE FROM events WHERE seq = 5'), 'removed'],
  'a record removed and the rest renumbered': [
    (db) => db.exec('DELETE FROM events WHERE seq = 5; UPDATE events SET seq = seq - 1 WHERE seq > 5'),
    'altered',
  ],
  'a decision altered': [
    (db) => db.exec(`UPDATE events SET body = replace(body, '"allow"', '"deny"') WHERE seq = 5`),
    'altered',
  ],
  'two records in each other’s place': [
    (db) =>
      db.exec(
        'UPDATE events SET seq = 99 WHERE seq = 4; UPDATE events SET seq = 4 WHERE seq = 5; UPDATE events SET seq = 5 WHERE seq = 99',
      ),
    'altered',
  ],
  'the newest removed': [(db) => db.exec('DELETE FROM events WHERE seq > 8'), 'cut'],
  'the oldest removed': [(db) => db.exec('DELETE FROM events WHERE seq < 4'), 'removed'],
  'the oldest removed as if there had been too many': [
    (db) =>
      db.exec(`INSERT INTO meta SELECT 'pruned_seq', '3';
        INSERT INTO meta SELECT 'pruned_chain', chain FROM events WHERE seq = 3;
        INSERT INTO meta VALUES ('pruned_seal', 'abc');
        DELETE FROM events WHERE seq <= 3`),
    'forged',
  ],
  'all of it removed': [(db) => db.exec('DELETE FROM events'), 'cut'],
  'a record altered and the chain made anew from there': [
    (db) => {
      db.exec(`UPDATE events SET body = replace(body, '"allow"', '"deny"') WHERE seq = 5`)
      const rows = db
        .prepare('SELECT seq, id, at_ms AS at, counts, prev, body FROM events ORDER BY seq')
        .all()
      let chain = '0'.repeat(32)
      for (const row of rows) {
        chain = chained(chain, hashOf(lineOf(row as never)))
        db.prepare('UPDATE events SET chain = ? WHERE seq = ?').run(chain, row.seq!)
      }
    },
    'altered',
  ],
  'its anchors removed': [(_, { stateDir }) => rmSync(anchorsPath(stateDir)), 'removed'],
  'an anchor altered': [
    (_, { stateDir }) =>
      writeFileSync(
        anchorsPath(stateDir),
        readFileSync(anchorsPath(stateDir), 'utf8').replace('"seq":10', '"seq":9'),
      ),
    'forged',
  ],
}

test.each(Object.entries(DATABASE))('what was taken in, with %s: it is named', (_, [spoil, what]) => {
  const journal = taken(10)
  expect(journal.verify().ok).toBe(true)
  journal.close()
  inDatabase(journal, (db) => spoil(db, journal))
  const { ok, findings } = journal.verify()
  expect(ok).toBe(false)
  expect(findings.map((each) => each.what)).toContain(what)
})

test('a database that was put in its place is not the one that was anchored', () => {
  const journal = taken(10)
  const other = taken(12)
  for (const suffix of ['', '-wal', '-shm']) {
    const path = `${journal.stateDir}/journal.db${suffix}`
    rmSync(path, { force: true })
    if (existsSync(`${other.stateDir}/journal.db${suffix}`))
      writeFileSync(path, readFileSync(`${other.stateDir}/journal.db${suffix}`))
  }
  expect(journal.verify().findings).toContainEqual(
    expect.objectContaining({ what: 'removed', where: 'journal.db' }),
  )
})

test('verify does not report records that the limit removed', () => {
  const journal = openJournal(newStateDir(), { seal, limits: { records: 7 } })
  for (let i = 0; i < 30; i++) {
    journal.append(entry({ reason: `r${i}` }))
    if (i % 4 === 0) journal.list()
  }
  expect(journal.verify()).toMatchObject({ ok: true, records: 7, findings: [] })
})

test.each([
  [
    'words in another order',
    (line: string) => line.replace(/^\{("counts":\{[^}]*\}),("id":"[^"]*")/, '{$2,$1'),
  ],
  ['a byte that is not UTF-8', (line: string) => line.replace('r1', '\xff')],
])('a waiting record with %s is chained in the database as it is kept there', (_, change) => {
  const journal = waiting(1)
  const last = lines(journal).findLast((line) => line !== '')!
  const alone = change(last).replace(/"prev":"[^"]*",/, '')
  expect(alone).not.toBe(last)
  appendFileSync(intakePath(journal.stateDir), Buffer.from(`\n${alone}\n`, 'latin1'))
  const { findings } = journal.verify()
  expect(journal.list()).toHaveLength(2)
  expect(journal.verify().findings.filter(({ where }) => where.startsWith('record'))).toEqual([])
  expect(findings).toEqual([])
})
