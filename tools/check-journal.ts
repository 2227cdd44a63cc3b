/** `npm run check:journal [-- ROUNDS]`: kill -9 of writers, take-in and verification, then damage; what was acknowledged must be there. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crashRounds } from '../src/journal/sqlite/fixtures/crash-rounds.ts'
import { entry } from '../src/journal/sqlite/fixtures/entries.ts'
import { intakePath } from '../src/journal/sqlite/segments.ts'
import { journalAt } from '../src/pipeline/journal.ts'

const rounds = Number(process.argv[2] ?? 60)
const folder = mkdtempSync(join(tmpdir(), 'crosshook-check-journal-'))
let failed = false

function check(name: string, isRight: boolean, detail: unknown = ''): void {
  if (!isRight) failed = true
  console.log(
    `${isRight ? 'ok    ' : 'FAILED'} ${name} ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`,
  )
}

try {
  const { kills, acknowledged, lost, doubled, findings, notes } = await crashRounds(
    join(folder, 'kills'),
    rounds,
  )
  check('kills', kills >= rounds * 3, `${kills} of processes in ${rounds} rounds`)
  check('lost', lost.length === 0, `${lost.length} of ${acknowledged} acknowledged records`)
  check('doubled', doubled.length === 0, `${doubled.length}`)
  check(
    'verify',
    findings.length === 0,
    findings.length === 0 ? `whole, ${notes} writes cut off` : findings.slice(0, 5),
  )
  damage()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

/** With its line ends. */
function lineWith(bytes: Buffer, id: string): Buffer {
  const at = bytes.indexOf(`"id":"${id}"`)
  return bytes.subarray(bytes.lastIndexOf('\n', at), bytes.indexOf('\n', at) + 1)
}

/** Random damage to what waits: named each time, and every record that it does not touch is still there. */
function damage(): void {
  const kinds: Record<string, (bytes: Buffer) => Buffer> = {
    'a bit flipped': (bytes) => {
      const at = 100 + Math.floor(Math.random() * (bytes.length - 200))
      bytes[at] = bytes[at]! ^ (1 << Math.floor(Math.random() * 7))
      return bytes
    },
    'its end cut off': (bytes) => bytes.subarray(0, 100 + Math.floor(Math.random() * (bytes.length - 200))),
    'garbage over a part': (bytes) => {
      const at = 100 + Math.floor(Math.random() * (bytes.length - 400))
      return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(150, '%'), bytes.subarray(at + 150)])
    },
    'a part taken out': (bytes) => {
      const at = 100 + Math.floor(Math.random() * (bytes.length - 400))
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 300)])
    },
  }
  for (const [name, spoil] of Object.entries(kinds)) {
    let unnamed = 0
    let lost = 0
    for (let i = 0; i < 50; i++) {
      const journal = journalAt(join(folder, `${name} ${i}`))
      const ids = Array.from({ length: 20 }, () => journal.append(entry({ reason: 'y'.repeat(60) })).id)
      journal.close()
      const path = intakePath(journal.stateDir)
      const before = readFileSync(path)
      const after = spoil(Buffer.from(before))
      writeFileSync(path, after)
      const { ok } = journal.verify()
      const kept = new Set(journal.list({ limit: -1 }).map(({ id }) => id))
      const untouched = ids.filter((id) => after.includes(lineWith(before, id)))
      if (ok && !before.equals(after)) unnamed++
      lost += untouched.filter((id) => !kept.has(id)).length
      journal.close()
    }
    check(
      name,
      unnamed === 0 && lost === 0,
      `${unnamed} of 50 not named, ${lost} records lost beside what was hit`,
    )
  }
}
