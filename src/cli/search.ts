/** `crosshook search WORD…`: packs of the indexes and hooks of the gallery. */

import { type Found, openIndexes } from '../packs/index-store.ts'
import { CrosshookError } from '../spec/errors.ts'
import { galleryIndex } from './gallery-index.ts'
import type { Arguments } from './options.ts'
import { surroundings } from './pack-places.ts'
import { painter } from './paint.ts'
import { plural, print, printJson, warn } from './print.ts'
import { brief, columns } from './table.ts'
import { visible } from './visible.ts'

/** Most rows shown. */
const MAX_SHOWN = 50

export async function run(args: Arguments): Promise<number> {
  if (args.words.length === 0)
    throw new CrosshookError('usage', 'search for what?', { fix: 'For example: crosshook search git' })
  const { around, done } = surroundings(args)
  const indexes = openIndexes(around)
  const notes = await indexes.refresh({ offline: args.flag('offline') })
  done()
  const words = args.words.flatMap((word) => word.toLowerCase().split(/\s+/))
  const found = [...inGallery(words), ...indexes.search(words)].sort(byRank(words))
  if (args.flag('json')) {
    printJson({ found, notes })
    return 0
  }
  for (const note of notes) warn(note)
  if (found.length === 0) {
    print(
      `Nothing found. Searched: the gallery${indexes
        .list()
        .map(({ name }) => `, ${name}`)
        .join('')}.\n`,
    )
    return 1
  }
  const paint = painter(1)
  print(
    columns(
      found
        .slice(0, MAX_SHOWN)
        .map(({ index, name, version, signed, description }) => [
          paint.bold(visible(name)),
          version === '' ? 'yanked' : visible(version),
          index === 'gallery' ? 'gallery' : signed ? index : paint.yellow(`${index}, unsigned`),
          brief(description, 80),
        ]),
    ),
  )
  if (found.length > MAX_SHOWN)
    print(`and ${plural(found.length - MAX_SHOWN, 'other')}: add a word, or use --json\n`)
  return 0
}

function inGallery(words: readonly string[]): Found[] {
  return galleryIndex().flatMap(({ name, version, description, acts }) => {
    const text = [name, description, ...acts].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
      ? [{ index: 'gallery', name, version, signed: true, description }]
      : []
  })
}

/** Matches in the name come first. */
function byRank(words: readonly string[]) {
  const rank = ({ name }: Found) => words.filter((word) => name.toLowerCase().includes(word)).length
  return (a: Found, b: Found) => rank(b) - rank(a) || (a.name < b.name ? -1 : 1)
}
