/** A copy of the built crosshook and of its Node, for one agent alone: so that it can be damaged. */

import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Place } from './agents/agent.ts'

const DIST = join(dirname(fileURLToPath(import.meta.url)), '../../dist')
const PARTS = ['cli', 'shared', 'relay', 'page']

export function nodeOf(place: Place): string {
  return join(place.program, 'node')
}

export function mainOf(place: Place): string {
  return join(place.program, 'dist/cli/main.cjs')
}

export function copyProgram(place: Place): void {
  mkdirSync(place.program, { recursive: true })
  for (const part of PARTS) cpSync(join(DIST, part), join(place.program, 'dist', part), { recursive: true })
  // The page is found beside it.
  copyFileSync(join(DIST, '../package.json'), join(place.program, 'package.json'))
  try {
    linkSync(process.execPath, nodeOf(place))
  } catch {
    copyFileSync(process.execPath, nodeOf(place)) // on another disk
  }
}

/** What breaks it; what runs of it is killed as well, so that nobody answers from memory. */
const FAULTS = {
  'engine-killed'(place: Place) {
    const socket = join(place.home, '.local/state/crosshook/engine.sock')
    rmSync(socket, { force: true })
    writeFileSync(socket, '')
  },
  /** Nor is there another one on the PATH that the entry has. */
  'node-removed'(place: Place) {
    renameSync(nodeOf(place), `${nodeOf(place)}.away`)
    for (const file of entriesOf(place)) {
      copyFileSync(file, `${file}.away`)
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^set\tPATH=.*$/m, 'set\tPATH=/nowhere'))
    }
  },
  'main-damaged': (place: Place) => truncateSync(mainOf(place), 0),
  'hot-damaged'(place: Place) {
    const file = join(dirname(mainOf(place)), 'hot.cjs')
    truncateSync(file, Math.floor(statSync(file).size / 2))
  },
} as const

export type Fault = keyof typeof FAULTS

export function breakProgram(place: Place, fault: Fault): void {
  mendProgram(place)
  FAULTS[fault](place)
  killAll(place)
  rmSync(refusalLog(place.home), { force: true })
}

/** Where entries write what they refused, since the last fault. */
export function refusalLog(home: string): string {
  return join(home, '.local/state/crosshook/hook.log')
}

export function mendProgram(place: Place): void {
  cpSync(join(DIST, 'cli'), dirname(mainOf(place)), { recursive: true })
  for (const file of [nodeOf(place), ...entriesOf(place)])
    if (existsSync(`${file}.away`)) renameSync(`${file}.away`, file)
}

function entriesOf({ home }: Place): string[] {
  const folder = join(home, '.local/state/crosshook/install/entries')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.entry'))
    .map((name) => join(folder, name))
}

/** Until there is none: one that was just starting may have started another. */
function killAll(place: Place): void {
  for (let found = processesOf(place); found.length > 0; found = processesOf(place))
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // it has just ended
      }
    }
}

function processesOf({ program }: Place): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOf(program, name))
    .map(Number)
}

function isOf(program: string, pid: string): boolean {
  try {
    // Of one that has ended and was not waited for there is no executable any more.
    return (
      readlinkSync(`/proc/${pid}/exe`).startsWith(program) ||
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(program)
    )
  } catch {
    return false
  }
}
