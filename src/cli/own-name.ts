/** What a person types to run this very program: what is printed must work as it stands. */

import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isTemporary } from '../install/shim.ts'

export function ownName(main = realpathSync(process.argv[1] ?? ''), folder = process.cwd()): string {
  if (isTemporary(main)) return 'npx crosshook'
  const root = join(dirname(main), '../..')
  // Only a checkout has sources; nobody has put its program on the PATH.
  if (!existsSync(join(root, 'src'))) return 'crosshook'
  const launcher = relative(folder, join(root, 'bin/crosshook'))
  const path = launcher.startsWith('..') ? join(root, 'bin/crosshook') : launcher
  return /\s/.test(path) ? `'${path}'` : path
}
