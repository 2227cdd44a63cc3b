/** `crosshook key new|show|trust|revoke`: keys that packs are signed with. */

import { join } from 'node:path'
import { paths } from '../config/paths.ts'
import { writeWhole } from '../config/write-whole.ts'
import { type KeyRecord, type KeyRing, openKeyRing } from '../packs/trusted-keys.ts'
import { createKey, DEFAULT_KEY, keyFolder, keyNames, loadKey, type OwnKey } from '../sign/key-files.ts'
import { keyId } from '../sign/keys.ts'
import { type Rotation, rotate } from '../sign/rotation.ts'
import { parseSigner } from '../sign/signer.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { readText } from '../spec/read-file.ts'
import { ask, canAsk } from './ask.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson } from './print.ts'
import { shortPath } from './problem-words.ts'
import { columns } from './table.ts'
import { visible } from './visible.ts'

const ACTIONS: Readonly<Record<string, (args: Arguments, stateDir: string) => Promise<number> | number>> = {
  new: make,
  show,
  trust,
  revoke,
}

export async function run(args: Arguments): Promise<number> {
  const [action = 'show'] = args.words
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (!act)
    throw new CrosshookError(
      'usage',
      `\`crosshook key\` cannot ${action}.${didYouMean(action, Object.keys(ACTIONS))}`,
      { fix: `Use one of: ${Object.keys(ACTIONS).join(', ')}.` },
    )
  return act(args, paths(args.env).state)
}

function make(args: Arguments, stateDir: string): number {
  const name = args.words[1] ?? DEFAULT_KEY
  const replaces = args.value('replaces')
  const old = replaces === undefined ? undefined : own(stateDir, replaces)
  const key = createKey(stateDir, name)
  if (old) writeRotation(stateDir, name, [...rotationsOf(stateDir, old.name), rotate(old, key)])
  if (args.flag('json')) printJson({ ...outside(key), ...(old ? { replaces: outside(old) } : {}) })
  else
    print(
      `${painter(1).green('made')} the key ${name}\n${columns(
        [
          ['public', key.public],
          ['id', keyId(key.public)],
          ['file', shortPath(key.file)],
          ...(old ? [['after', `${old.name} (${keyId(old.public)}), which has signed it`]] : []),
        ],
        '  ',
      )}\nKeep a copy of the file in a safe place: whoever has it can publish in your name, and without it nobody can.\n`,
    )
  return 0
}

function show(args: Arguments, stateDir: string): number {
  const [, name] = args.words
  const ring = openKeyRing(stateDir)
  const mine =
    name === undefined ? keyNames(stateDir).map((each) => own(stateDir, each)) : [own(stateDir, name)]
  const others = name === undefined ? ring.all() : []
  if (args.flag('json')) {
    printJson({
      own: mine.map(outside),
      others: others.map((record) => ({ ...record, id: parseSigner(record.signer).id })),
    })
    return 0
  }
  if (mine.length + others.length === 0) {
    print('No keys. `crosshook key new` makes one of yours, `crosshook key trust KEY` takes one of others.\n')
    return 0
  }
  if (mine.length > 0)
    print(
      `Yours:\n${columns(
        mine.map((key) => [key.name, keyId(key.public), key.public]),
        '  ',
      )}`,
    )
  if (others.length > 0) print(`Others':\n${columns(others.map(row), '  ')}`)
  return 0
}

function row(record: KeyRecord): string[] {
  const { id, kind } = parseSigner(record.signer)
  const pins = record.pins ?? []
  return [
    record.state,
    kind,
    id,
    visible(record.name ?? '—'),
    [
      ...(pins.length > 0 ? [`signs ${pins.map(visible).join(', ')}`] : []),
      ...(record.note ? [visible(record.note)] : []),
    ].join('; '),
  ]
}

async function trust(args: Arguments, stateDir: string): Promise<number> {
  const ring = openKeyRing(stateDir)
  const { signer, id, kind } = parseSigner(given(args))
  const before = ring.of(signer)
  if (before?.state === 'revoked')
    await agree(
      args,
      `This key was revoked on ${before.at}${before.note ? ` (${before.note})` : ''}. Trust it again?`,
    )
  const name = args.value('name')
  ring.put({ signer, state: 'trusted', ...(name === undefined ? {} : { name }) })
  const pack = args.value('pack')
  if (pack !== undefined) ring.pin(pack, signer)
  if (args.flag('json'))
    printJson({ signer, id, kind, state: 'trusted', ...(pack === undefined ? {} : { pack }) })
  else
    print(
      `${painter(1).green('trusted')} ${kind} key ${id}${name === undefined ? '' : ` of ${visible(name)}`}\n`,
    )
  return 0
}

async function revoke(args: Arguments, stateDir: string): Promise<number> {
  const ring = openKeyRing(stateDir)
  const found = findKey(ring, stateDir, given(args))
  const reason = args.value('reason')
  ring.put({ ...found, state: 'revoked', note: reason ?? 'revoked by you' })
  const { id, kind } = parseSigner(found.signer)
  const pins = found.pins ?? []
  if (args.flag('json')) printJson({ signer: found.signer, id, kind, state: 'revoked', packs: pins })
  else {
    print(
      `${painter(1).green('revoked')} ${kind} key ${id}: nothing that it signs is added or updated any more\n`,
    )
    if (pins.length > 0)
      print(
        `Packs that it signed are still here: ${pins.map(visible).join(', ')}. Look at them, or \`crosshook remove\` them.\n`,
      )
  }
  return 0
}

/** By the key itself, or by a prefix of a known key's id. */
function findKey(ring: KeyRing, stateDir: string, text: string): Omit<KeyRecord, 'at'> {
  const wanted = text.toLowerCase()
  const known: Omit<KeyRecord, 'at'>[] = [
    ...ring.all(),
    ...keyNames(stateDir).map((name) => ({
      signer: own(stateDir, name).public,
      state: 'trusted' as const,
      name,
    })),
  ]
  const found = known.filter(
    (record) => wanted.length >= 8 && parseSigner(record.signer).id.toLowerCase().startsWith(wanted),
  )
  if (found.length === 1) return found[0]!
  if (found.length > 1)
    throw new CrosshookError('usage', `more than one key begins with ${text}`, { fix: 'Give the whole key.' })
  const { signer } = parseSigner(text)
  return ring.of(signer) ?? { signer, state: 'trusted' }
}

function given(args: Arguments): string {
  const [action, text] = args.words
  if (text !== undefined) return text
  throw new CrosshookError('usage', 'which key?', { fix: `For example: crosshook key ${action} ed25519:…` })
}

async function agree(args: Arguments, question: string): Promise<void> {
  if (args.flag('yes') || (canAsk() && !args.flag('json') && (await ask(question)))) return
  throw new CrosshookError('refused', question.replace(/ [^.]*\?$/, ''), {
    fix: 'Nothing was changed. If you are sure, say so with --yes.',
  })
}

function own(stateDir: string, name: string): OwnKey {
  const key = loadKey(stateDir, name)
  if (key) return key
  throw new CrosshookError('not_found', `you have no key "${name}".${didYouMean(name, keyNames(stateDir))}`, {
    fix: `Make it with: crosshook key new ${name}`,
  })
}

function outside({ name, public: known, file, created }: OwnKey): object {
  return { name, id: keyId(known), public: known, file, created }
}

function rotationFile(stateDir: string, name: string): string {
  return join(keyFolder(stateDir), `${name}.rotations.json`)
}

/** How this key replaced others, oldest first. */
export function rotationsOf(stateDir: string, name: string): Rotation[] {
  try {
    return JSON.parse(readText(rotationFile(stateDir, name))) as Rotation[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function writeRotation(stateDir: string, name: string, chain: readonly Rotation[]): void {
  writeWhole(rotationFile(stateDir, name), `${JSON.stringify(chain, null, 2)}\n`)
}
