/** A hook of one's own, made of a template. */

import { hookEditor } from '../config/edit-hook.ts'
import { type HookFile, readShelf } from './shelf.ts'

/** Its files, under another name; what it says of itself as a template is left out. */
export async function templateFiles(template: string, name: string): Promise<HookFile[]> {
  const { files } = await readShelf('templates', template)
  const { editFields } = await hookEditor()
  const edits = [{ path: ['name'], value: name }, { path: ['metadata', 'template'] }]
  return files.map((file) =>
    file.path === 'HOOK.md' ? { ...file, text: editFields(file.text, edits) } : file,
  )
}
