/** Writes a hook made on the page: complete, checked, and never over one that changed since it was opened. */

import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inside } from '../cases/fill.ts'
import { paths, projectHooks } from '../config/paths.ts'
import { writeWhole } from '../config/write-whole.ts'
import { sha256Hex } from '../fast/digest.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { readText } from '../spec/read-file.ts'
import { loadDraft } from './draft.ts'

export interface SaveGiven {
  text: string
  /** `cases.yaml` and scripts, by their path in the hook's folder. */
  files?: readonly { path: string; text: string; executable?: boolean }[]
  scope: 'user' | 'project'
  /** The project, for a hook of a project. */
  workDir: string
  env: NodeJS.ProcessEnv
  /** The hook being changed: it keeps its place. */
  replaces?: Hook | undefined
  /** Digest of the HOOK.md that was opened; another one there is not overwritten. */
  opened?: string | undefined
}

export interface Saved {
  name: string
  file: string
  files: string[]
  digest: string
}

export function digestOf(text: string): string {
  return sha256Hex(text)
}

export async function saveHook(given: SaveGiven): Promise<Saved> {
  const { text, files = [], replaces, opened } = given
  const { hook, problems } = await loadDraft(text, files)
  const error = problems.find(({ level }) => level === 'error')
  if (error || !hook)
    throw new CrosshookError(
      'bad_input',
      `line ${error?.line ?? 1}: ${error?.message ?? 'it does not load'}`,
      {
        fix: error?.fix ?? 'Fix it first.',
      },
    )
  const folder = folderOf(given, hook)
  const file = join(folder, 'HOOK.md')
  if (existsSync(file)) {
    if (!replaces)
      throw new CrosshookError('exists', `${folder} is there already`, {
        fix: 'Give the hook another name, or open the one that is there.',
      })
    if (opened !== undefined && digestOf(readText(file)) !== opened)
      throw new CrosshookError('exists', `${file} has changed since it was opened`, {
        fix: 'Open it again; what you wrote is still in the editor, so copy it first.',
      })
  }
  const written = files.map(({ path }) => inside(folder, path))
  for (const [i, each] of files.entries()) {
    mkdirSync(dirname(written[i]!), { recursive: true })
    writeWhole(written[i]!, each.text, each.executable ? 0o755 : 0o644)
  }
  // Last: a hook whose script is missing would fail.
  writeWhole(file, text, 0o644)
  return { name: hook.name, file, files: [file, ...written], digest: digestOf(text) }
}

function folderOf({ scope, workDir, env, replaces }: SaveGiven, { name }: Hook): string {
  if (replaces) {
    if (replaces.scope !== 'user' && replaces.scope !== 'project')
      throw new CrosshookError('refused', `hooks of the scope "${replaces.scope}" are not changed here`, {
        fix: 'A managed hook is changed by whoever manages this machine.',
      })
    return replaces.origin.dir!
  }
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw new CrosshookError(
      'bad_input',
      `${JSON.stringify(name.slice(0, 80))} cannot be the name of a folder`,
      {
        fix: 'Use at most 64 letters, digits, hyphens and underscores.',
      },
    )
  return join(scope === 'user' ? paths(env).userHooks : projectHooks(workDir), name)
}
