import { existsSync } from 'node:fs'
import { readSource } from '../config/load.ts'
import { FOLDER_FORMAT } from '../dialects/list.ts'
import type { Hook } from '../spec/hook.ts'

/** The hooks of a folder by the name in their HOOK.md, which may differ from the folder's name. */
export async function hooksIn(base: string): Promise<Map<string, Hook>> {
  if (!existsSync(base)) return new Map()
  const { hooks } = await readSource({ path: base, format: FOLDER_FORMAT }, 'source')
  return new Map(hooks.map((hook) => [hook.name, hook]))
}
