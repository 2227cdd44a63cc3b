/** Where the ready hooks are: beside the package's own package.json, in a checkout as when it is installed. */

import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CrosshookError } from '../spec/errors.ts'

export function galleryFolder(): string {
  const here = fileURLToPath(import.meta.url)
  for (let folder = dirname(here); folder !== dirname(folder); folder = dirname(folder)) {
    const gallery = join(folder, 'gallery')
    if (existsSync(join(folder, 'package.json')) && existsSync(join(gallery, 'README.md'))) return gallery
  }
  throw new CrosshookError('not_found', 'the gallery is missing from this installation', {
    fix: 'Install crosshook again.',
  })
}

export function galleryNames(): string[] {
  const gallery = galleryFolder()
  return readdirSync(gallery)
    .filter((name) => existsSync(join(gallery, name, 'HOOK.md')))
    .sort()
}
