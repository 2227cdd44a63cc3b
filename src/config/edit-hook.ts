/**
 * Changes fields of a HOOK.md and keeps every other byte: for the page, `crosshook edit` and programs that fix hooks.
 */

import { FOLDER_FORMAT, loadDialect } from '../dialects/list.ts'
import type { HookEditor } from '../spec/dialect.ts'

export async function hookEditor(): Promise<HookEditor> {
  const { format } = await loadDialect(FOLDER_FORMAT)
  return format!.editor!()
}
