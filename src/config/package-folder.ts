/**
 * Folders that ship with the program (gallery, templates): beside its package.json, both in a checkout and installed.
 */

import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CrosshookError } from '../spec/errors.ts'

export type PackageFolder = 'gallery' | 'templates'

export function packageFolder(name: PackageFolder): string {
  const here = fileURLToPath(import.meta.url)
  for (let folder = dirname(here); folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, name)
    if (existsSync(join(folder, 'package.json')) && existsSync(join(found, 'README.md'))) return found
  }
  throw new CrosshookError('not_found', `the folder "${name}" is missing from this installation`, {
    fix: 'Install crosshook again.',
  })
}

/** The hooks in it, by name. */
export function hooksOfPackage(name: PackageFolder): string[] {
  const folder = packageFolder(name)
  return readdirSync(folder)
    .filter((each) => existsSync(join(folder, each, 'HOOK.md')))
    .sort()
}
