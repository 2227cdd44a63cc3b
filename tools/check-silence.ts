/**
 * `npm run check:silence`: faults of hooks and of crosshook itself, through every door. Every cell must end with a
 * decision in time: a closed guard blocks, an open one goes on and says so. Writes docs/reliability.md.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Asked, ask, DOORS, type Door } from './silence/doors.ts'
import { children, type Fault, type Placed, startOwn, systemFaults } from './silence/faults.ts'
import { type Cell, changeTrusted, GUARDED, killed, makeHooks, toolOf } from './silence/hooks.ts'
import { brokenServer } from './silence/http.ts'
import { expectRecords, mustBeRecorded } from './silence/journal.ts'
import {
  base,
  crosshook,
  endAll,
  entryFile,
  LIMIT_MS,
  leftBehind,
  makePlace,
  root,
  socket,
  state,
  until,
} from './silence/place.ts'
import { REPORT_HEAD } from './silence/words.ts'

const rows: string[] = []
const failures: string[] = []
/** Why a cell is empty, numbered as in the table. */
const reasons: string[] = []
/** Text that can come only from a hook that ran. */
const HOOKS_WORDS = /\bfixed\b|\bscripted\b|\bturned\b/
let cellsRun = 0
const begun = Date.now()
const only = process.argv[2]

const server = await brokenServer()
try {
  await main()
} finally {
  server.close()
  for (const child of children) child.kill('SIGKILL')
  endAll()
  rmSync(base, { recursive: true, force: true, maxRetries: 5 })
}
for (const failure of failures) console.error(`✗ ${failure}`)
console.log(`${cellsRun} cells, ${failures.length} wrong, ${Math.round((Date.now() - begun) / 1000)} s`)
process.exitCode = failures.length === 0 ? 0 : 1

async function main(): Promise<void> {
  makePlace()
  const cells = makeHooks(server.port)
  crosshook(['install', 'claude-code', '--yes'])
  changeTrusted(cells)
  mkdirSync(killed, { recursive: true })
  if (!only) await hookFaults(cells)
  await machineFaults()
  failures.push(...expectRecords(crosshook(['log', '--json', '--limit', '100000'])))
  endAll()
  if (only) return
  const notes = reasons.map((reason, at) => `${at + 1}. ${reason}`)
  rows.push('', `—: there is no such case, because`, '', ...notes)
  writeFileSync(join(root, 'docs/reliability.md'), `${REPORT_HEAD}${rows.join('\n')}\n`)
}

async function hookFaults(cells: readonly Cell[]): Promise<void> {
  await ask('relay warm', 'Fixed')
  await until(() => existsSync(socket), 'the engine')
  crosshook(['daemon', 'start'])
  heading('## Faults of a hook', 'fault | kind | on_failure')
  for (const cell of cells) {
    const shown = await Promise.all(DOORS.map((door) => hookCell(door, cell)))
    rows.push(`| ${cell.fault} | ${cell.kind} | ${cell.policy} | ${shown.join(' | ')} |`)
  }
  crosshook(['daemon', 'stop'])
  failures.push(...leftBehind().map((each) => `left behind by hooks: ${each}`))
}

function heading(title: string, columns: string): void {
  const count = columns.split('|').length + DOORS.length
  rows.push(title, '', `| ${columns} | ${DOORS.join(' | ')} |`, `|${'---|'.repeat(count)}`)
}

async function hookCell(door: Door, cell: Cell): Promise<string> {
  cellsRun++
  const asked = await ask(door, toolOf(cell))
  const { decision, told, ms, text } = asked
  const isRight = cell.policy === 'closed' ? decision === 'deny' : decision === 'allow' && told
  if (!isRight || ms > LIMIT_MS)
    failures.push(`${door}: ${cell.fault}, ${cell.kind}, ${cell.policy}: ${decision} after ${ms} ms: ${text}`)
  else mustBeRecorded(asked, { hook: toolOf(cell).toLowerCase(), as: 'failed' })
  return isRight ? (decision === 'deny' ? 'blocked' : 'went on, told') : '**silent**'
}

async function machineFaults(): Promise<void> {
  rows.push('')
  heading('## Faults of crosshook and the machine', 'fault')
  for (const fault of systemFaults()) {
    if (only && !fault.name.includes(only)) continue
    const shown: string[] = []
    for (const door of DOORS) {
      const why = fault.not?.[door]
      shown.push(why === undefined ? await machineCell(fault, door) : `— (${numberOf(why)})`)
    }
    rows.push(`| ${fault.name} | ${shown.join(' | ')} |`)
  }
}

function numberOf(reason: string): number {
  if (!reasons.includes(reason)) reasons.push(reason)
  return reasons.indexOf(reason) + 1
}

async function machineCell(fault: Fault, door: Door): Promise<string> {
  cellsRun++
  endAll()
  const kept = readFileSync(entryFile, 'utf8')
  // A shorter limit than the default of ten minutes, so that a hang does not slow the check down.
  writeFileSync(entryFile, kept.replace(/^(refuse\tPreToolUse\t)\d+/m, '$18'), { mode: 0o600 })
  const placed: Placed = (await fault.place?.()) ?? {}
  const answers: Asked[] = []
  try {
    await warm(door, placed)
    const how = { ...placed, ...(await fault.breaks?.(door, placed)) }
    const tools = [...GUARDED, ...(fault.tools ?? [])]
    if (fault.each)
      for (const tool of tools) {
        fault.each()
        answers.push(await ask(door, tool, how))
      }
    else answers.push(...(await Promise.all(tools.map((tool) => ask(door, tool, how)))))
    fault.afterwards?.()
  } catch (error) {
    failures.push(`${door}: ${fault.name}: could not be played: ${(error as Error).stack}`)
  } finally {
    fault.undo?.()
    endAll()
    placed.leave?.()
    writeFileSync(entryFile, kept, { mode: 0o600 })
  }
  failures.push(...leftBehind().map((each) => `${door}: ${fault.name}: left behind: ${each}`))
  const wrong = answers.filter(isSilent)
  for (const each of wrong) failures.push(`${door}: ${fault.name}: ${JSON.stringify(each)}`)
  if (wrong.length > 0) return '**silent**'
  if (!fault.keepsNothing) for (const each of answers) if (HOOKS_WORDS.test(each.text)) mustBeRecorded(each)
  return shownOf(answers)
}

function isSilent({ tool, decision, told, ms }: Asked): boolean {
  if (ms > LIMIT_MS) return true
  return tool === 'Opened' ? decision === 'allow' && !told : decision === 'allow'
}

function shownOf(answers: readonly Asked[]): string {
  const words = { deny: 'blocked', error: 'error', allow: 'open guard told' }
  return [...new Set(answers.map(({ decision }) => words[decision]))].join(', ')
}

/** Starts the engine or daemon behind the entry point, and checks that its guards work before anything is broken. */
async function warm(door: Door, placed: Placed): Promise<void> {
  const { enter = [], more = {}, seen = state, isOwn } = placed
  if (door === 'relay warm') {
    if (isOwn) startOwn(['engine'], more)
    else await ask(door, 'Fixed', placed)
    await until(() => existsSync(join(seen, 'engine.sock')), 'the engine')
  } else if (door === 'HTTP' || door === 'gRPC') {
    if (isOwn) startOwn(['daemon', 'start', '--foreground'], more)
    else crosshook(['daemon', 'start'], { enter, more })
    await until(() => existsSync(join(seen, 'daemon.json')), 'the daemon')
  }
  const { decision, text } = await ask(door, 'Scripted', placed)
  if (decision !== 'deny' || !text.includes('scripted')) throw new Error(`not whole before it: ${text}`)
}
