/**
 * What must hold before the tests run: generated files are current, types fit, the code is formatted and has no lint.
 * Two steps at a time, each on one core: several threads of tsc check much of it twice.
 */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { COMPILE_CACHE } from '../test/compile-cache.ts'

const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules/.bin')
/** The longest first. */
const STEPS: readonly (readonly [string, ...string[]])[] = [
  [join(bin, 'tsc'), '--singleThreaded', '-p', '.'],
  [join(bin, 'biome'), 'check', '.'],
  [join(bin, 'tsc'), '--singleThreaded', '-p', 'test/page'],
  [join(bin, 'tsc'), '--singleThreaded', '-p', 'dashboard'],
  [process.execPath, 'tools/generate.ts', '--check'],
]

const left = [...STEPS]
await Promise.all([next(), next()])

async function next(): Promise<void> {
  for (let step = left.shift(); step; step = left.shift()) if (!(await passes(step))) process.exitCode = 1
}

/** Its output comes whole, after its end: that of two steps would be mixed. */
function passes([file, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, ...COMPILE_CACHE },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(said))
      resolve(code === 0)
    })
  })
}
