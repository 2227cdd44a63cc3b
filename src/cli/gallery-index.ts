/** Index of the gallery, made by `npm run generate`, so that a search need not parse the hooks. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../version.ts'
import { galleryFolder } from './gallery.ts'

export interface GalleryRow {
  name: string
  version: string
  description: string
  acts: string[]
  level: string | null
  rights: string[]
  cases: number
}

export function galleryIndex(): GalleryRow[] {
  const file = join(galleryFolder(), 'index.json')
  if (!existsSync(file)) return []
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Omit<GalleryRow, 'version'>[] }
  return hooks.map((row) => ({ ...row, version: VERSION }))
}
