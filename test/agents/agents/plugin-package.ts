/** Offline, OpenCode waits for ever to install this package into each of its settings folders. */

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installed } from './files.ts'

const NAME = '@opencode-ai/plugin'
const VERSION = '1.18.33'

export function pluginPackage(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const dependencies = { [NAME]: VERSION }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({
      lockfileVersion: 3,
      packages: { '': { dependencies }, [`node_modules/${NAME}`]: { version: VERSION } },
    }),
  )
  if (!existsSync(join(folder, 'node_modules'))) symlinkSync(installed(), join(folder, 'node_modules'))
}
