/** Extracts a project's hooks from a commit into a folder. No filter or hook of the repository is run. */

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { CrosshookError, messageOf } from '../spec/errors.ts'

export interface Revision {
  /** The folder with the hooks. */
  folder: string
  close(): void
}

/** Below the root of the repository. */
const HOOKS = '.agents/hooks'
const MAX_FILE_BYTES = 16 * 1024 * 1024

export async function hooksAt(revision: string, workDir: string): Promise<Revision> {
  const git = async (...args: string[]) =>
    (
      await promisify(execFile)('git', ['-C', workDir, ...args], {
        encoding: 'buffer',
        maxBuffer: MAX_FILE_BYTES,
      })
    ).stdout
  try {
    const commit = (await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`))
      .toString()
      .trim()
    const root = (await git('rev-parse', '--show-toplevel')).toString().trim()
    const listed = await git('-C', root, 'ls-tree', '-r', '-z', '--full-tree', commit, '--', HOOKS)
    const folder = mkdtempSync(join(tmpdir(), 'crosshook-revision-'))
    for (const line of listed.toString().split('\0')) {
      const found = /^(\d+) blob ([0-9a-f]+)\t(.+)$/s.exec(line)
      // Links are skipped: they could lead anywhere.
      if (!found || (found[1] !== '100644' && found[1] !== '100755')) continue
      const to = join(folder, found[3]!.slice(HOOKS.length + 1))
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
      writeFileSync(to, await git('cat-file', 'blob', found[2]!), {
        mode: found[1] === '100755' ? 0o700 : 0o600,
      })
    }
    return { folder, close: () => rmSync(folder, { recursive: true, force: true }) }
  } catch (error) {
    throw new CrosshookError('not_found', `--against ${revision}: is neither a folder nor a commit here`, {
      fix: `Give a folder with hooks, or a commit of the repository around ${workDir}. ${messageOf(error).split('\n')[0]}`,
      cause: error,
    })
  }
}
