/** `npm run build:relay`: the relay for every platform into `dist.packages/`, cross-compiled, each checked for what it is. */

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { FLAGS, SOURCES } from './build.ts'
import { inspect, type Program } from './inspect.ts'
import { packageOf, TARGETS, type Target } from './targets.ts'
import { openZig } from './zig.ts'

const here = dirname(fileURLToPath(import.meta.url))
const out = join(here, '../dist.packages')

const zig = openZig()
try {
  for (const target of TARGETS) {
    const folder = join(out, packageOf(target), 'bin')
    const file = join(folder, 'crosshook-relay')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    zig.run(['cc', '-target', target.triple, ...FLAGS, '-s', '-o', file, ...SOURCES])
    const bytes = readFileSync(file)
    expectProgram(target, inspect(bytes))
    console.log(`${packageOf(target)}: ${bytes.length} bytes`)
  }
} finally {
  zig.close()
}

/** A package that does not hold what its name says would break every call of an agent. */
function expectProgram(target: Target, found: Program): void {
  const { os, cpu } = target
  const expected: Program =
    os === 'linux'
      ? { os, cpu, libraries: [] }
      : // The one library that every program of macOS loads.
        {
          os,
          cpu,
          libraries: ['/usr/lib/libSystem.B.dylib'],
          isSigned: cpu === 'arm64' || found.isSigned === true,
        }
  if (!isDeepStrictEqual(found, expected))
    throw new Error(
      `${packageOf(target)}: ${JSON.stringify(found)} was built, ${JSON.stringify(expected)} was wanted`,
    )
}
