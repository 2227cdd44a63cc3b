/** Builds the relay for this machine with its C compiler, if it has one. Without a relay the cold path is used. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..')

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** The program's files. */
export const SOURCES = ['relay.c', 'spawner.c'].map((name) => join(here, name))

/** The same where there are pipes instead of sockets; programs of hooks are started by the engine itself there. */
export const WINDOWS_SOURCES = [join(here, 'windows.c'), '-ladvapi32']

export const FLAGS = [
  ...['-std=c11', '-O2', '-Wall', '-Wextra', '-fstack-protector-strong', '-D_FORTIFY_SOURCE=2'],
  `-DCROSSHOOK_VERSION="${version}"`,
]

/** Into the folder `out`; says so when there is no relay now. */
export function buildRelay(out: string): void {
  if (process.platform === 'win32') return
  const said = buildHere(out)
  if (said !== undefined) console.warn(said)
}

/** A sentence when there is no relay now. A static program starts in half the time of one that looks for libraries. */
function buildHere(out: string): string | undefined {
  mkdirSync(out, { recursive: true })
  const file = join(out, 'crosshook-relay')
  const compiler = process.env.CC || 'cc'
  let complaint = ''
  for (const more of [['-static'], []]) {
    const { status, stderr, error } = spawnSync(compiler, [...FLAGS, ...more, '-s', '-o', file, ...SOURCES], {
      encoding: 'utf8',
    })
    if (status === 0) {
      writeFileSync(`${file}.cold`, `${process.execPath}\n${join(root, 'dist/cli/main.cjs')}\n`)
      return undefined
    }
    complaint = error ? error.message : stderr
  }
  return `no relay was built, so agents will use the cold path: ${complaint.trim()}`
}
