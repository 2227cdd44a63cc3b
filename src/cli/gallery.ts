/** The gallery: its sets of hooks, and names that hooks had in earlier versions. */

import { hooksOfPackage, packageFolder } from '../config/package-folder.ts'

export function galleryFolder(): string {
  return packageFolder('gallery')
}

export function galleryNames(): string[] {
  return hooksOfPackage('gallery')
}

/** Names that hooks of earlier versions had. */
const RENAMED: Readonly<Record<string, string>> = {
  'block-dangerous-commands': 'block-destruction',
  'block-fork-bombs': 'block-destruction',
  'protect-env-files': 'protect-secrets',
  'protect-env-files-shell': 'protect-secrets',
  'self-protection-shell': 'self-protection',
  'no-pipe-to-shell': 'no-remote-code',
}

/** Sets of guards, by the levels (`metadata.level` of a hook) that they contain. */
const SETS: Readonly<Record<string, readonly string[]>> = {
  guards: ['daily'],
  'guards/strict': ['daily', 'strict'],
}

export const GALLERY_SETS: readonly string[] = Object.keys(SETS)

export interface Taken {
  sources: string[]
  /** Sentences for the person. */
  notes: string[]
}

/** The hooks that `add` was asked for, with sets and old names resolved; each once. */
export async function takeFromGallery(words: readonly string[]): Promise<Taken> {
  const sources = new Set<string>()
  const notes: string[] = []
  for (const word of words) {
    const name = Object.hasOwn(RENAMED, word) ? RENAMED[word]! : word
    if (name !== word) notes.push(`${word} is now part of ${name}.`)
    const levels = Object.hasOwn(SETS, name) ? SETS[name]! : undefined
    for (const source of levels ? await guardsOfLevels(levels) : [name]) sources.add(source)
  }
  return { sources: [...sources], notes }
}

export async function guardsOfLevels(levels: readonly string[]): Promise<string[]> {
  const { readSource } = await import('../config/load.ts')
  const { hooks } = await readSource({ path: galleryFolder() }, 'source')
  return hooks.filter(({ metadata }) => levels.includes(String(metadata?.level))).map(({ name }) => name)
}
