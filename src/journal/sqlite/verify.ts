/** Checks that the journal is what was written. Names every record that was removed, altered, reordered or cut. */

import { closeSync, fstatSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { openPlain } from '../../spec/read-file.ts'
import type { Finding, Verification } from '../port.ts'
import { type Anchor, readAnchors, writeAnchor } from './anchors.ts'
import { chained, hashEndingAt, hashOf, NO_CHAIN, readTip } from './chain.ts'
import { read } from './database.ts'
import { lineOf } from './intake-line.ts'
import { metaOf } from './meta.ts'
import { segmentsIn } from './segments.ts'
import type { Store } from './store.ts'
import { catchUp } from './take-in.ts'

export function verify(store: Store): Verification {
  // First, because the next record moves the tip.
  for (const finding of intakeFindings(store)) rememberDamage(store, finding)
  catchUp(store)
  return read(store, (db) => {
    const rows = inOneSnapshot(db, () => rowFindings(store, db))
    const anchored = anchorFindings(store, db)
    const notes: string[] = []
    const broken: Finding[] = []
    for (const { segment, what, message } of db.prepare('SELECT * FROM breaks ORDER BY at_ms, place').all()) {
      if (what === 'torn') notes.push(`intake ${segment}: ${message}; no decision was answered with it`)
      else
        broken.push({ what: what as Finding['what'], where: `intake ${segment}`, message: String(message) })
    }
    const findings = [...broken, ...rows.findings, ...anchored.findings]
    const { records, unchained } = rows
    return { ok: findings.length === 0, records, unchained, anchors: anchored.count, findings, notes }
  })
}

/** For the waiting files: is the end where it was? */
function intakeFindings(store: Store): Finding[] {
  const findings: Finding[] = []
  const found = readTip(store.stateDir, store.seal)
  if (found === undefined) return findings
  if (found === 'unreadable')
    return [{ what: 'unreadable', where: 'intake/journal.tip', message: 'it cannot be read' }]
  if (found.forged)
    return [
      {
        what: 'forged',
        where: 'intake/journal.tip',
        message: 'its seal is not made with the key of this state folder',
      },
    ]
  const { segment, end, hash } = found.tip
  const finding = endFinding(store, segment, end, hash)
  return finding ? [finding] : findings
}

/** Stored in the second place, once. */
export function rememberDamage({ stateDir, seal }: Store, finding: Finding): void {
  const known = readAnchors(stateDir, seal).anchors.some(
    (each) => each.kind === 'damage' && JSON.stringify(each.finding) === JSON.stringify(finding),
  )
  if (!known) writeAnchor(stateDir, { kind: 'damage', finding, at: Date.now() }, seal)
}

/** The file must contain this line at this place, unless it was read to its end and removed. */
function endFinding(store: Store, id: string, end: number, hash: string): Finding | undefined {
  const where = `intake ${id}`
  const segment = segmentsIn(store.stateDir).find((each) => each.id === id)
  if (!segment) {
    if (isDone(store, id)) return undefined
    return { what: 'removed', where, message: `a file of ${end} bytes of records that waited is gone` }
  }
  const file = openPlain(segment.path)
  try {
    const { size } = fstatSync(file)
    if (size < end)
      return { what: 'cut', where, message: `it is ${size} bytes long and was ${end}: its end was cut off` }
    if (hashEndingAt(file, end, size) === hash) return undefined
    return {
      what: 'altered',
      where,
      message: `the record that ends at byte ${end} is not the one that was written`,
    }
  } finally {
    closeSync(file)
  }
}

function isDone(store: Store, id: string): boolean {
  return read(store, (db) => {
    const done = db.prepare('SELECT 1 FROM segments_done WHERE segment = ?').get(id)
    return done !== undefined || db.prepare('SELECT 1 FROM intake WHERE segment = ?').get(id) !== undefined
  })
}

/** Other processes may take in or prune records meanwhile. */
function inOneSnapshot<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN')
  try {
    return work()
  } finally {
    db.exec('COMMIT')
  }
}

function rowFindings(store: Store, db: DatabaseSync) {
  const findings: Finding[] = []
  let records = 0
  let unchained = 0
  const pruned = prunedState(store, db, findings)
  let seq = pruned.seq
  let chain = pruned.chain
  const rows = db.prepare('SELECT seq, id, at_ms AS at, counts, prev, body, chain FROM events ORDER BY seq')
  for (const row of rows.iterate()) {
    records++
    const at = Number(row.seq)
    if (row.chain === '') {
      // From a version without a chain, and only before the first record that has one.
      if (chain === NO_CHAIN) unchained++
      else
        findings.push({
          what: 'altered',
          where: `record ${at}`,
          message: `${row.id} has lost its place in the chain`,
        })
      seq = at
      continue
    }
    const line = lineOf(row as unknown as Parameters<typeof lineOf>[0])
    if (at !== seq + 1) {
      const gone = at - seq - 1
      findings.push({
        what: gone > 0 ? 'removed' : 'reordered',
        where: `record ${at}`,
        message: gone > 0 ? `${gone} records between ${seq} and ${at} are gone` : `it stands out of order`,
      })
    } else if (chained(chain, hashOf(line)) !== row.chain)
      findings.push({
        what: 'altered',
        where: `record ${at}`,
        message: `${row.id} is not what was written, or another stood before it`,
      })
    seq = at
    chain = String(row.chain)
  }
  return { findings, records, unchained }
}

/** Where the chain begins: after what the limits removed. */
function prunedState(store: Store, db: DatabaseSync, findings: Finding[]): { seq: number; chain: string } {
  const seq = metaOf(db, 'pruned_seq')
  if (seq === undefined) return { seq: 0, chain: NO_CHAIN }
  const chain = metaOf(db, 'pruned_chain') ?? NO_CHAIN
  const given = metaOf(db, 'pruned_seal') ?? ''
  if (store.seal && given !== '' && store.seal(`pruned ${seq} ${chain}`) !== given)
    findings.push({
      what: 'forged',
      where: `records up to ${seq}`,
      message:
        'they were removed, but not by crosshook: the seal is not made with the key of this state folder',
    })
  return { seq: Number(seq), chain: chain === '' ? NO_CHAIN : chain }
}

function anchorFindings(store: Store, db: DatabaseSync): { findings: Finding[]; count: number } {
  // Anchors are written before the database: reading in the other order misses none of a concurrent writer.
  const anchored = Number(metaOf(db, 'anchored') ?? 0)
  const { anchors, forged, unreadable } = readAnchors(store.stateDir, store.seal)
  const where = 'journal.anchors'
  const findings: Finding[] = []
  if (forged > 0)
    findings.push({
      what: 'forged',
      where,
      message: `${forged} lines are not sealed with the key of this state folder`,
    })
  if (unreadable > 0)
    findings.push({ what: 'unreadable', where, message: `${unreadable} lines cannot be read` })
  const epoch = metaOf(db, 'epoch')
  const newest = db.prepare('SELECT max(seq) AS seq FROM events').get()
  const last = Math.max(Number(newest?.seq ?? 0), Number(metaOf(db, 'pruned_seq') ?? 0))
  const epochs = new Set(anchors.flatMap((each) => (each.kind === 'begun' ? [each.epoch] : [])))
  const done = new Set(anchors.flatMap((each) => (each.kind === 'done' ? [each.segment] : [])))
  let foreign = 0
  for (const anchor of anchors) {
    if (anchor.kind === 'record' && anchor.epoch !== epoch) foreign = Math.max(foreign, anchor.seq)
    const finding =
      anchor.kind === 'record' && anchor.epoch === epoch
        ? recordFinding(db, anchor, last)
        : anchor.kind === 'segment' && !done.has(anchor.segment)
          ? endFinding(store, anchor.segment, anchor.end, anchor.hash)
          : anchor.kind === 'damage'
            ? anchor.finding
            : anchor.kind === 'done' && anchor.dropped !== undefined
              ? {
                  what: 'dropped' as const,
                  where: `intake ${anchor.segment}`,
                  message: `${anchor.dropped} bytes of records were dropped: the database could not take them in`,
                }
              : undefined
    if (finding) findings.push(finding)
  }
  const seen = anchors.findLast((each) => each.kind === 'record' && each.epoch === epoch)
  if (anchored > (seen?.kind === 'record' ? seen.seq : 0))
    findings.push({ what: 'removed', where, message: `the anchor of record ${anchored} is gone` })
  if (foreign > 0)
    findings.push({
      what: 'removed',
      where: 'journal.db',
      message: epochs.has(epoch ?? '')
        ? `the database was damaged and begun anew; about ${foreign} records are only in the copy beside it`
        : `it is not the database that was anchored: about ${foreign} records are gone`,
    })
  return { findings, count: anchors.length }
}

function recordFinding(
  db: DatabaseSync,
  anchor: Extract<Anchor, { kind: 'record' }>,
  last: number,
): Finding | undefined {
  const { seq, chain } = anchor
  const where = `record ${seq}`
  if (seq > last) return { what: 'cut', where, message: `the newest record is ${last}, but ${seq} was there` }
  const row = db.prepare('SELECT chain FROM events WHERE seq = ?').get(seq)
  if (!row || row.chain === chain) return undefined
  return { what: 'altered', where, message: `the records up to it were rewritten: its anchor says otherwise` }
}
