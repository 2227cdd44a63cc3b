/** The compiler that builds for every platform: one that is here, or its package from PyPI, thrown away afterwards. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ZIG_PACKAGE = 'ziglang==0.17.0'

export interface Zig {
  run(args: readonly string[]): void
  close(): void
}

export function openZig(): Zig {
  for (const command of [
    ...(process.env.ZIG ? [[process.env.ZIG]] : []),
    ['zig'],
    ['python3', '-m', 'ziglang'],
  ])
    if (spawnSync(command[0]!, [...command.slice(1), 'version'], { stdio: 'ignore' }).status === 0)
      return { run: (args) => run([...command, ...args]), close: () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-zig-'))
  const close = () => rmSync(folder, { recursive: true, force: true })
  const python = join(folder, 'bin/python')
  try {
    run(['python3', '-m', 'venv', folder])
    run([python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ZIG_PACKAGE])
  } catch (error) {
    close()
    throw new Error('zig is not here and could not be fetched. Install it, or set ZIG to its path.', {
      cause: error,
    })
  }
  return { run: (args) => run([python, '-m', 'ziglang', ...args]), close }
}

function run([command, ...args]: readonly string[]): void {
  const { status, signal, error } = spawnSync(command!, args, { stdio: 'inherit' })
  if (error || status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `ended with ${status ?? signal}`}`)
}
