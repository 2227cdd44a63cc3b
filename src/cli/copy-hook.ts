/** Copies a hook's folder: plain files only, all of them or none. */

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { CrosshookError } from '../spec/errors.ts'

export interface HookFile {
  path: string
  bytes: Buffer
  executable: boolean
}

const MOST_FILES = 500
const MOST_BYTES = 16 * 1024 * 1024

/** Every file of the folder. A link could lead anywhere, so there may be none. */
export function filesOf(folder: string): HookFile[] {
  const files: HookFile[] = []
  let size = 0
  const walk = (prefix: string) => {
    for (const name of readdirSync(join(folder, prefix)).sort()) {
      const path = prefix === '' ? name : `${prefix}/${name}`
      const stat = lstatSync(join(folder, path))
      if (stat.isDirectory()) {
        if (name !== '.git' && name !== 'node_modules') walk(path)
        continue
      }
      if (!stat.isFile())
        throw new CrosshookError('refused', `${path} is a link or a special file, which cannot be added`, {
          fix: 'Hooks consist of plain files.',
        })
      size += stat.size
      if (files.length >= MOST_FILES || size > MOST_BYTES)
        throw new CrosshookError('refused', `${folder} holds more than ${MOST_FILES} files or 16 MiB`, {
          fix: 'A hook is small: its folder is what a person has to look at.',
        })
      files.push({ path, bytes: readFileSync(join(folder, path)), executable: (stat.mode & 0o111) !== 0 })
    }
  }
  walk('')
  return files
}

/** Written beside the hooks first, so that a half copied hook is never loaded. */
export function placeFiles(files: readonly HookFile[], target: string): void {
  const hooks = dirname(target)
  mkdirSync(hooks, { recursive: true })
  const scratch = mkdtempSync(join(dirname(hooks), '.crosshook-add-'))
  try {
    for (const { path, bytes, executable } of files) {
      const file = join(scratch, 'hook', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, bytes)
      chmodSync(file, executable ? 0o755 : 0o644)
    }
    rmSync(target, { recursive: true, force: true })
    renameSync(join(scratch, 'hook'), target)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
