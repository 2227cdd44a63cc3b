/** `npm run build:relay`: the relay for every platform into `dist.packages/`, cross-compiled, each checked for what it is. */

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  CONFINE_SOURCES,
  compileEarly,
  EARLY_SOURCE,
  FLAGS,
  GATE_SOURCES,
  hasEarly,
  SOURCES,
  WINDOWS_SOURCES,
} from './build.ts'
import { inspect, type Program } from './inspect.ts'
import { packageOf, programOf, TARGETS, type Target } from './targets.ts'
import { openZig } from './zig.ts'

const here = dirname(fileURLToPath(import.meta.url))
const out = join(here, '../dist.packages')

/** Libraries that every machine of the kind has. */
const SYSTEM = {
  linux: /^$/,
  darwin: /^\/usr\/lib\/libSystem\.B\.dylib$/,
  win32: /^(kernel32|advapi32|api-ms-win-crt-[a-z]+-l1-1-0)\.dll$/i,
}

const zig = openZig()
try {
  for (const target of TARGETS) {
    const folder = join(out, packageOf(target), 'bin')
    const file = join(folder, programOf(target.os))
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const sources = target.os === 'win32' ? WINDOWS_SOURCES : [...SOURCES, EARLY_SOURCE]
    if (hasEarly(target.os, target.cpu)) compileEarly(file, (args) => void zigFor(target, args))
    else zigFor(target, ['-s', '-o', file, ...sources])
    check(target, file)
    if (target.os === 'linux') {
      for (const [name, own] of [
        ['crosshook-confine', CONFINE_SOURCES],
        ['crosshook-gate', GATE_SOURCES],
      ] as const) {
        const helper = join(folder, name)
        zigFor(target, ['-s', '-o', helper, ...own])
        check(target, helper)
      }
    }
  }
} finally {
  zig.close()
}

function zigFor(target: Target, args: readonly string[]): void {
  zig.run(['cc', '-target', target.triple, ...FLAGS, ...args])
}

function check(target: Target, file: string): void {
  const bytes = readFileSync(file)
  expectProgram(target, inspect(bytes))
  console.log(`${packageOf(target)}, ${basename(file)}: ${bytes.length} bytes`)
}

/** A package that does not hold what its name says would break every call of an agent. */
function expectProgram(target: Target, found: Program): void {
  const { os, cpu } = target
  const isRight =
    found.os === os &&
    found.cpu === cpu &&
    found.libraries.every((name) => SYSTEM[os].test(name)) &&
    (os !== 'darwin' || cpu !== 'arm64' || found.isSigned === true)
  if (!isRight) throw new Error(`${packageOf(target)}: something else was built: ${JSON.stringify(found)}`)
}
