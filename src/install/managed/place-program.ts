/** The program of a managed installation: a copy owned by root, with its own Node. */

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { MANAGED } from '../../config/managed.ts'
import { findRelay } from '../../host/relay/hook-command.ts'
import { CrosshookError } from '../../spec/errors.ts'

/** Files beside the relay that are needed, too. */
const HELPERS = ['crosshook-relay', 'crosshook-confine', 'crosshook-gate']
/** Parts of the package that are copied; the rest is documentation. */
const PARTS = ['package.json', 'dist', 'gallery', 'templates', 'schemas', 'LICENSE']

/** Created beside the old one, then swapped in as a whole. */
export function placeProgram(main = realpathSync(process.argv[1] ?? '')): void {
  const relay = findRelay(main)
  if (relay === undefined)
    throw new CrosshookError(
      'refused',
      'there is no relay for this machine, and a managed installation needs one',
      {
        fix: 'Install the package @crosshook/relay-linux-x64 (or arm64), or build crosshook where there is a C compiler.',
      },
    )
  const root = join(dirname(main), '../..')
  if (realpathSync(root) === MANAGED.program) return // already run from there
  const next = `${MANAGED.program}.next`
  rmSync(next, { recursive: true, force: true })
  mkdirSync(join(next, 'bin'), { recursive: true, mode: 0o755 })
  const isOfUse = (path: string) => !path.startsWith(join(root, 'dist/relay'))
  for (const part of PARTS)
    if (existsSync(join(root, part)))
      cpSync(join(root, part), join(next, part), { recursive: true, dereference: true, filter: isOfUse })
  mkdirSync(join(next, 'dist/relay'), { recursive: true })
  for (const name of HELPERS) copy(join(dirname(relay), name), join(next, 'dist/relay', name))
  copy(process.execPath, join(next, 'bin/node'))
  rmSync(MANAGED.program, { recursive: true, force: true })
  renameSync(next, MANAGED.program)
}

function copy(from: string, to: string): void {
  if (!existsSync(from)) throw new CrosshookError('refused', `${from} is missing from this installation`)
  cpSync(from, to, { dereference: true })
  chmodSync(to, 0o755)
}

/** A dynamically linked program would obey its caller's variables (LD_PRELOAD) before it starts. */
export function isStatic(file: string): boolean {
  const bytes = readFileSync(file)
  const INTERPRETER = 3
  const [start, size, count] = [
    Number(bytes.readBigUInt64LE(32)),
    bytes.readUInt16LE(54),
    bytes.readUInt16LE(56),
  ]
  return !Array.from({ length: count }, (_, at) => bytes.readUInt32LE(start + at * size)).includes(
    INTERPRETER,
  )
}
