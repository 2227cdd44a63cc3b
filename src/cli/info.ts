/** `crosshook info NAME`: what an index or the gallery says about a pack, and whether it is installed. */

import { paths, projectHooks } from '../config/paths.ts'
import { latestOf, type PackRecord, versionsOf } from '../packs/description.ts'
import { openIndexes } from '../packs/index-store.ts'
import { type LockedPack, readLock } from '../packs/lock-file.ts'
import { lookUp, parseNamed } from '../packs/named.ts'
import { openKeyRing } from '../packs/trusted-keys.ts'
import { parseSigner } from '../sign/signer.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { type GalleryRow, galleryIndex } from './gallery-index.ts'
import type { Arguments } from './options.ts'
import { surroundings } from './pack-places.ts'
import { type Painter, painter } from './paint.ts'
import { print, printJson, warn } from './print.ts'
import { columns } from './table.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const [word] = args.words
  if (word === undefined)
    throw new CrosshookError('usage', 'about which pack?', { fix: 'For example: crosshook info git-guard' })
  const row = galleryIndex().find(({ name }) => name === word)
  if (row) return tell(args, { ...row, index: 'gallery' }, galleryWords(row))
  const { around, done } = surroundings(args)
  const indexes = openIndexes(around)
  for (const note of await indexes.refresh({ offline: args.flag('offline') })) warn(note)
  done()
  const name = parseNamed(word)?.name ?? word
  const found = lookUp(name, indexes)
  const here = [paths(args.env).userHooks, projectHooks(process.cwd())].flatMap((base) => {
    const locked = readLock(base).packs[name]
    return locked ? [{ folder: base, locked }] : []
  })
  const pinned = openKeyRing(around.stateDir).pinned(name)?.signer ?? null
  const [own] = here
  if (!found && own)
    return tell(
      args,
      { name, ...own.locked, folder: own.folder, index: null, pinned },
      ownWords(name, own, pinned),
    )
  if (!found) {
    const near = [
      ...galleryIndex().map((each) => each.name),
      ...indexes.search([name.split('/').at(-1)!]).map((each) => each.name),
    ]
    throw new CrosshookError('not_found', `no index knows "${name}".${didYouMean(name, near)}`, {
      fix: 'crosshook search WORD looks for it; crosshook index add URL adds an index.',
    })
  }
  const copies = here.map(({ folder, locked: { version, frozen } }) => ({
    folder,
    version,
    ...(frozen ? { frozen } : {}),
  }))
  return tell(
    args,
    { ...found.record, index: found.index.name, here: copies, pinned },
    recordWords(found.record, { index: found.index.name, here: copies, pinned }),
  )
}

function tell(args: Arguments, data: object, words: (paint: Painter) => string): number {
  if (args.flag('json')) printJson(data)
  else print(words(painter(1)))
  return 0
}

function galleryWords({ name, version, description, level, acts, rights, cases }: GalleryRow) {
  return (paint: Painter) =>
    `${paint.bold(name)} ${version}, gallery\n${columns(
      [
        ['what', visible(description)],
        ['level', level ?? '—'],
        ['judges', acts.join(', ') || '—'],
        ['may', rights.join(', ')],
        ['cases', String(cases)],
        ['add it', `crosshook add ${name}`],
      ],
      '  ',
    )}`
}

/** For a pack that did not come from an index. */
function ownWords(
  name: string,
  { folder, locked }: { folder: string; locked: LockedPack },
  pinned: string | null,
) {
  const { version, source, signer, published, rights } = locked
  return (paint: Painter) =>
    `${paint.bold(name)} ${visible(version)}, from ${visible(source)}\n${columns(
      [
        [
          'signed',
          signer === undefined ? paint.yellow('by nobody: UNSIGNED') : `by ${parseSigner(signer).id}`,
        ],
        ...pinnedRows(pinned),
        ...(published === undefined ? [] : [['published', published.slice(0, 10)]]),
        ...Object.entries(rights).map(([hook, may]) => [`${visible(hook)} may`, may.map(visible).join(', ')]),
        ['here', folder],
      ],
      '  ',
    )}`
}

function pinnedRows(pinned: string | null): string[][] {
  if (pinned === null) return []
  const { id, what } = parseSigner(pinned)
  return [['pinned', `to ${id}: only this ${what} counts here`]]
}

function recordWords(
  record: PackRecord,
  {
    index,
    here,
    pinned,
  }: { index: string; here: readonly { folder: string; version: string }[]; pinned: string | null },
) {
  return (paint: Painter) => {
    const latest = latestOf(record)
    const row = latest === undefined ? undefined : record.versions[latest]
    const ids = (signers: readonly string[]) => signers.map((signer) => parseSigner(signer).id).join(', ')
    const rows = [
      ['what', visible(record.description)],
      ['licence', visible(record.license)],
      ...(record.homepage === undefined ? [] : [['home', visible(record.homepage)]]),
      ...(record.renamed_to === undefined
        ? []
        : [['renamed', paint.yellow(`it is called ${record.renamed_to} now`)]]),
      ['signed', row?.signers.length ? `by ${ids(row.signers)}` : paint.yellow('by nobody: UNSIGNED')],
      ...pinnedRows(pinned),
      ['hooks', (row?.hooks ?? []).map(visible).join(', ')],
      ['judges', (row?.acts ?? []).map(visible).join(', ') || '—'],
      ['agents', (row?.agents ?? []).map(visible).join(', ') || '—'],
      ['cases', String(row?.cases ?? 0)],
      ...Object.entries(row?.rights ?? {}).map(([hook, rights]) => [
        `${visible(hook)} may`,
        rights.map(visible).join(', '),
      ]),
      ...here.map(({ version, folder }) => ['here', `${version} in ${folder}`]),
      ...versionsOf(record)
        .slice(0, 20)
        .map((version) => {
          const { published, yanked } = record.versions[version]!
          return [
            'version',
            `${visible(version)}, ${published.slice(0, 10)}${yanked === undefined ? '' : paint.yellow(`, yanked: ${visible(yanked)}`)}`,
          ]
        }),
    ]
    return `${paint.bold(record.name)} ${latest ?? ''}, index ${index}\n${columns(rows, '  ')}`
  }
}
