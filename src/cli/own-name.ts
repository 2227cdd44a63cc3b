/** How a person calls this program: printed commands must work as printed. */

import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isTemporary } from '../install/shim.ts'

export function ownName(main = realpathSync(process.argv[1] ?? ''), folder = process.cwd()): string {
  if (isTemporary(main)) return 'npx crosshook'
  const root = join(dirname(main), '../..')
  // A checkout has sources and is not on the PATH.
  if (!existsSync(join(root, 'src'))) return 'crosshook'
  const launcher = relative(folder, join(root, 'bin/crosshook'))
  const path = launcher.startsWith('..') ? join(root, 'bin/crosshook') : launcher
  return /\s/.test(path) ? `'${path}'` : path
}
