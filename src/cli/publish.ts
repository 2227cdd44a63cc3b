/**
 * `crosshook publish [PATH]`: checks a pack, signs it, makes its archive, and uploads it or says where it has to go.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { paths } from '../config/paths.ts'
import { writeWhole } from '../config/write-whole.ts'
import { versionRecord, withVersion } from '../packs/describe.ts'
import { type PackRecord, recordSchema } from '../packs/description.ts'
import { fromFolder } from '../packs/fetch.ts'
import type { PackFile } from '../packs/files.ts'
import { openPack, type Pack, writePlain } from '../packs/pack.ts'
import {
  type PackSignatures,
  SIGNATURE_FILE,
  signPack,
  statement,
  writeSignatures,
} from '../packs/pack-signature.ts'
import { start } from '../packs/sources/fetching-program.ts'
import { RECORD_FILE } from '../packs/sources/web.ts'
import { writeArchive } from '../packs/tar.ts'
import { DEFAULT_KEY, loadKey } from '../sign/key-files.ts'
import { isSignedBy, parseSigner } from '../sign/signer.ts'
import { CrosshookError } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'
import { rotationsOf } from './key.ts'
import type { Arguments } from './options.ts'
import { err } from './output.ts'
import { surroundings } from './pack-places.ts'
import { painter } from './paint.ts'
import { plural, print, printAsIs, printJson } from './print.ts'
import { shortPath } from './problem-words.ts'
import { type CheckOptions, type Complaint, checkPack } from './publish-checks.ts'
import { columns } from './table.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const path = args.words[0] ?? '.'
  const { around, done } = surroundings(args)
  let pack = await openPack(withoutSignatures(fromFolder(path).files), path, path)
  if (!pack.manifest)
    throw new CrosshookError('bad_source', `${path} has no PACK.md`, {
      fix: 'Write one with name (owner/name), version, description and license between two lines `---`; docs/packs.md shows it.',
    })
  if (args.flag('statement')) {
    printAsIs(statement(pack.manifest, pack.content).toString('utf8'))
    return 0
  }
  try {
    refuse(await checkPack(pack, checkOptions(args, around.progress)), args)
  } finally {
    done()
  }
  if (args.flag('check')) {
    if (args.flag('json'))
      printJson({ ok: true, name: pack.manifest.name, version: pack.manifest.version, content: pack.content })
    else print(`${painter(1).green('✓')} ${pack.manifest.name} ${pack.manifest.version} can be published\n`)
    return 0
  }
  const signatures = signaturesFor(pack, args)
  const files = signatures.signatures.length === 0 ? pack.files : [...pack.files, signatureFile(signatures)]
  pack = await openPack(files, path, path)
  const archive = writeArchive(pack.files)
  const target = TARGETS.find(({ flag }) =>
    flag === 'to' ? args.value('to') !== undefined : args.flag(flag),
  )
  const where = await (target?.bring ?? leaveHere)(pack, archive, path, args)
  const { name, version } = pack.manifest!
  const signer = signatures.signatures[0]?.signer
  const sha256 = digestOf(archive)
  if (args.flag('json'))
    printJson({
      name,
      version,
      content: pack.content,
      sha256,
      size: archive.length,
      signer: signer ?? null,
      ...where,
    })
  else
    print(
      `${painter(1).green('published')} ${name} ${version}\n${columns(
        [
          [
            'signed',
            signer === undefined ? painter(1).yellow('by nobody: UNSIGNED') : `by ${parseSigner(signer).id}`,
          ],
          ['content', `sha256:${pack.content}`],
          ...(where.archive === undefined
            ? []
            : [['archive', `${shortPath(where.archive)} (${archive.length} bytes, sha256:${sha256})`]]),
          ...where.next.map((sentence) => ['next', sentence]),
        ],
        '  ',
      )}`,
    )
  return 0
}

function checkOptions(args: Arguments, progress: ((text: string) => void) | undefined): CheckOptions {
  return {
    unconfined: args.flag('unconfined'),
    unused: args.flag('unused'),
    env: args.env,
    ...(progress ? { progress } : {}),
  }
}

function refuse(complaints: readonly Complaint[], args: Arguments): void {
  if (complaints.length === 0) return
  const paint = painter(2)
  if (args.flag('json')) printJson({ ok: false, complaints })
  else
    for (const { check, where, message, fix } of complaints)
      err(`${paint.red(check)} ${visible(where)}: ${visible(message)}\n  ${visible(fix)}\n`)
  throw new CrosshookError(
    'invalid_hooks',
    `${plural(complaints.length, 'check')} failed; nothing was published`,
    {
      fix: 'Fix what is named above.',
    },
  )
}

function withoutSignatures(files: readonly PackFile[]): PackFile[] {
  return files.filter(({ path }) => path !== SIGNATURE_FILE)
}

function signatureFile(found: PackSignatures): PackFile {
  return { path: SIGNATURE_FILE, bytes: writeSignatures(found), executable: false }
}

/** By one's own key, or a signature that another tool made over what `--statement` prints. */
function signaturesFor(pack: Pack, args: Arguments): PackSignatures {
  const { manifest, content } = pack
  const file = args.value('signature')
  if (file !== undefined) {
    const { signer } = parseSigner(signerText(args.value('signer') ?? ''))
    const signature = readText(file)
    if (!isSignedBy(signer, 'pack', statement(manifest!, content), signature))
      throw new CrosshookError(
        'refused',
        `${file} is not a signature by this key over what \`crosshook publish --statement\` prints`,
        {
          fix: 'With minisign: minisign -Sm FILE; with SSH: ssh-keygen -Y sign -n crosshook-pack -f KEY FILE.',
        },
      )
    return { signatures: [{ signer, signature }], rotations: [] }
  }
  if (args.flag('unsigned')) return { signatures: [], rotations: [] }
  const { state } = paths(args.env)
  const name = args.value('key') ?? DEFAULT_KEY
  const key = loadKey(state, name)
  if (!key)
    throw new CrosshookError('not_found', `you have no key "${name}" to sign with`, {
      fix: 'Make one with `crosshook key new`, or publish without a signature: --unsigned.',
    })
  return { signatures: [signPack(key, manifest!, content)], rotations: rotationsOf(state, name) }
}

/** The key itself, or the .pub file that contains it. */
function signerText(given: string): string {
  return existsSync(given) ? readFileSync(given, 'utf8') : given
}

interface Brought {
  archive?: string
  next: string[]
}

type Bring = (pack: Pack, archive: Buffer, path: string, args: Arguments) => Promise<Brought>

const TARGETS: readonly { flag: string; bring: Bring }[] = [
  { flag: 'to', bring: toFolder },
  { flag: 'git', bring: toGit },
  { flag: 'npm', bring: toNpm },
]

const leaveHere: Bring = async (pack, archive, path) => {
  const folder = join(resolve(path), '..')
  const file = join(folder, archiveName(pack))
  writeWhole(file, archive, 0o644)
  return {
    archive: file,
    next: [
      'upload the archive to where your index is, then `crosshook index build` there',
      'or `crosshook publish --to FOLDER`, `--git`, `--npm`',
    ],
  }
}

/** A folder that a web server can serve: archives, and pack.json, which lists them. */
async function toFolder(pack: Pack, archive: Buffer, _path: string, args: Arguments): Promise<Brought> {
  const folder = resolve(args.value('to')!)
  mkdirSync(folder, { recursive: true })
  const listFile = join(folder, RECORD_FILE)
  const before = existsSync(listFile) ? recordSchema.parse(JSON.parse(readText(listFile))) : undefined
  const { name, version } = pack.manifest!
  if (before && before.name !== name)
    throw new CrosshookError('exists', `${folder} holds ${before.name}`, {
      fix: 'Give each pack a folder of its own.',
    })
  const known = before?.versions[version]
  if (known && known.content !== pack.content) throw sameVersion(name, version)
  const file = archiveName(pack)
  const from = { type: 'archive' as const, url: file, sha256: digestOf(archive), size: archive.length }
  const record: PackRecord = withVersion(
    before,
    pack,
    versionRecord(pack, from, known?.published ?? new Date().toISOString()),
  )
  writeWhole(join(folder, file), archive, 0o644)
  writeWhole(listFile, `${JSON.stringify(record, null, 2)}\n`, 0o644)
  return {
    archive: join(folder, file),
    next: [`serve the folder by HTTPS; others then: crosshook add https://HOST/FOLDER/`],
  }
}

/** Commits PACK.sig, tags the version, and pushes both. */
async function toGit(pack: Pack, _archive: Buffer, path: string, args: Arguments): Promise<Brought> {
  const folder = resolve(path)
  const { version, name } = pack.manifest!
  const git = async (...words: string[]) =>
    (await start({ program: 'git', args: ['-C', folder, ...words], what: name, env: args.env }))
      .toString('utf8')
      .trim()
  const dirty = (await git('status', '--porcelain', '--', '.'))
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith(SIGNATURE_FILE))
  if (dirty.length > 0)
    throw new CrosshookError('refused', `${path} has changes that are not committed`, {
      fix: 'Commit them first: what is signed is what is committed.',
    })
  const tag = `v${version}`
  if ((await git('tag', '--list', tag)) !== '') throw sameVersion(name, version)
  const signature = pack.files.find((file) => file.path === SIGNATURE_FILE)
  if (signature) {
    writeFileSync(join(folder, SIGNATURE_FILE), signature.bytes)
    await git('add', '--', SIGNATURE_FILE)
    if ((await git('status', '--porcelain', '--', SIGNATURE_FILE)) !== '')
      await git('commit', '-q', '-m', `Signature of ${version}`, '--', SIGNATURE_FILE)
  }
  await git('tag', '-a', '-m', `${name} ${version}`, tag)
  const remote = args.value('remote') ?? 'origin'
  await git('push', '-q', '--atomic', '--', remote, 'HEAD', `refs/tags/${tag}`)
  return { next: [`others: crosshook add ${await git('remote', 'get-url', remote)}#${tag}`] }
}

/** As a package made for it, without scripts. */
async function toNpm(pack: Pack, _archive: Buffer, path: string, args: Arguments): Promise<Brought> {
  const { name, version, description, license } = pack.manifest!
  const own = join(resolve(path), 'package.json')
  const given = existsSync(own) ? (JSON.parse(readText(own)) as Record<string, unknown>) : {}
  const { scripts: _, devDependencies: __, dependencies: ___, ...kept } = given
  const manifest = { name: `@${name}`, description, license, ...kept, version }
  const scratch = mkdtempSync(join(tmpdir(), 'crosshook-publish-'))
  try {
    writePlain(scratch, [
      ...pack.files,
      {
        path: 'package.json',
        bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
        executable: false,
      },
    ])
    await start({
      program: 'npm',
      args: ['publish', '--ignore-scripts', '--silent', '--access', 'public'],
      what: String(manifest.name),
      env: args.env,
      cwd: scratch,
    })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return { next: [`others: crosshook add npm:${manifest.name}`] }
}

function archiveName({ manifest }: Pack): string {
  return `${manifest!.name.replace('/', '-')}-${manifest!.version}.tar`
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function sameVersion(name: string, version: string): CrosshookError {
  return new CrosshookError('exists', `${name} ${version} was published before`, {
    fix: 'A version never changes: give PACK.md a new one.',
  })
}
