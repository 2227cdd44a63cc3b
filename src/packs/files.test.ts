import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { checkFiles, contentDigest, type PackFile, wrongPath } from './files.ts'
import { readArchive, writeArchive } from './tar.ts'

const scratch = mkdtempSync(join(tmpdir(), 'crosshook-files-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const file = (path: string, text = 'x', executable = false): PackFile => ({
  path,
  bytes: Buffer.from(text),
  executable,
})

describe('paths', () => {
  it.each([
    '../x',
    'a/../../x',
    '/etc/passwd',
    'a//b',
    './a',
    'a/.',
    '',
    'a\\b',
    'C:x',
    'x:stream',
    'nul',
    'a/COM1.txt',
    'a.',
    'a ',
    ' a',
    'a\u0000b',
    'a\u202eb',
    'a\u200bb',
    'cafe\u0301',
    '.git/config',
    'a/.GIT/x',
    'node_modules/x',
    `${'d/'.repeat(13)}x`,
    'x'.repeat(201),
  ])('%j are refused', (path) => {
    expect(wrongPath(path)).toBeTypeOf('string')
    expect(() => checkFiles([file(path)], 'it')).toThrow(/is refused/)
  })

  it.each([
    [['HOOK.md', 'hook.md']],
    [['a/x', 'A/y']],
    [['stra\u00dfe', 'STRASSE']],
    [['\ufb01le', 'file']],
    [['\u212aelvin', 'kelvin']],
    [['a', 'a/b']],
    [['a/b', 'a']],
    [['x', 'x']],
  ])('%j are twins on some system', (paths) =>
    expect(() =>
      checkFiles(
        paths.map((path) => file(path)),
        'it',
      ),
    ).toThrow(/is refused/),
  )

  it('of ordinary files are taken, in one order', () =>
    expect(checkFiles([file('b/c'), file('a'), file('B.md')], 'it').map(({ path }) => path)).toEqual([
      'B.md',
      'a',
      'b/c',
    ]))
})

describe('an archive', () => {
  it('has the same bytes for the same files, and is what tar reads', () => {
    const files = [
      file('scripts/run.sh', '#!/bin/sh\n', true),
      file('HOOK.md', 'x'.repeat(1000)),
      file(`${'long/'.repeat(11)}${'n'.repeat(90)}`),
    ]
    const bytes = writeArchive(files)
    expect(writeArchive(files.toReversed()).equals(bytes)).toBe(true)
    expect(readArchive(bytes, 'it')).toEqual(checkFiles(files, 'it'))
    expect(readArchive(gzipSync(bytes), 'it')).toEqual(checkFiles(files, 'it'))
    writeFileSync(join(scratch, 'a.tar'), bytes)
    const listed = execFileSync('tar', ['-tvf', join(scratch, 'a.tar')]).toString()
    expect(listed).toMatch(/^-rwxr-xr-x 0\/0 .* scripts\/run\.sh$/m)
  })

  const real = (name: string, make: (folder: string) => void, ...args: string[]) => {
    const folder = join(scratch, name)
    mkdirSync(join(folder, 'p'), { recursive: true })
    make(join(folder, 'p'))
    return execFileSync('tar', ['-C', folder, ...args, '-cf', '-', 'p'])
  }

  it('made by tar is read, in its formats', () => {
    for (const format of ['ustar', 'gnu', 'pax', 'v7']) {
      const bytes = real(
        `f-${format}`,
        (folder) => {
          writeFileSync(join(folder, 'HOOK.md'), 'text')
          if (format !== 'v7' && format !== 'ustar') writeFileSync(join(folder, 'n'.repeat(150)), 'long')
        },
        `--format=${format}`,
      )
      expect(readArchive(bytes, 'it', { strip: 1 }), format).toContainEqual(file('HOOK.md', 'text'))
    }
  })

  it('with links, pipes or names that lead out of it is refused', () => {
    const refused = (bytes: Buffer) => expect(() => readArchive(bytes, 'it')).toThrow(/is refused/)
    refused(real('symlink', (folder) => symlinkSync('/etc/passwd', join(folder, 'x'))))
    refused(
      real('hardlink', (folder) => {
        writeFileSync(join(folder, 'a'), '')
        execFileSync('ln', [join(folder, 'a'), join(folder, 'b')])
      }),
    )
    refused(real('pipe', (folder) => execFileSync('mkfifo', [join(folder, 'x')])))
    refused(real('out', (folder) => writeFileSync(join(folder, 'x'), ''), '--transform=s,p/x,../../x,', '-P'))
    refused(real('abs', (folder) => writeFileSync(join(folder, 'x'), ''), '--transform=s,p/x,/tmp/x,', '-P'))
    refused(
      real(
        'pax',
        (folder) => writeFileSync(join(folder, 'x'), ''),
        '--format=pax',
        '--pax-option=path:=../../x',
        '-P',
      ),
    )
  })

  it('that is cut off, damaged or has something after its end is refused', () => {
    const bytes = writeArchive([file('HOOK.md', 'x'.repeat(600)), file('b', 'y')])
    for (let end = 0; end < bytes.length - 512; end += 256)
      expect(() => readArchive(bytes.subarray(0, end), 'it'), String(end)).toThrow(/is refused/)
    for (const at of [0, 50, 124, 148, 156]) {
      const damaged = Buffer.from(bytes)
      damaged[at]! ^= 1
      expect(() => readArchive(damaged, 'it')).toThrow(/is refused/)
    }
    expect(() => readArchive(Buffer.concat([bytes, Buffer.from('more')]), 'it')).toThrow(/follows its end/)
  })

  it('that unpacks to gigabytes is refused without unpacking it', () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(100_000)
    expect(() => readArchive(bomb, 'it')).toThrow(/larger than 64 MiB/)
    const many = writeArchive(Array.from({ length: 500 }, (_, at) => file(`f${at}`)))
    expect(readArchive(many, 'it')).toHaveLength(500)
    expect(() =>
      checkFiles(
        Array.from({ length: 501 }, (_, at) => file(`f${at}`)),
        'it',
      ),
    ).toThrow(/more than 500 files/)
    expect(() =>
      checkFiles([{ path: 'x', bytes: Buffer.alloc(17 * 1024 * 1024), executable: false }], 'it'),
    ).toThrow(/16 MiB/)
  })

  it('of any bytes gives files within it, or an error with a reason', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.nat(2600), (noise, at) => {
        const bytes = writeArchive([file('a/b', 'text'), file('c', 'more')])
        bytes.set(
          noise.subarray(0, Math.max(0, bytes.length - at)).subarray(0, 8),
          Math.min(at, bytes.length - 8),
        )
        try {
          for (const { path } of readArchive(bytes, 'it')) expect(path).not.toMatch(/\.\.|^\//)
        } catch (error) {
          expect(String(error)).toMatch(/is refused/)
        }
      }),
      { numRuns: 300 },
    ))
})

it('a content digest tells names, bytes and permissions apart', () => {
  const digests = [
    [file('a', 'b')],
    [file('ab', '')],
    [file('a', 'b', true)],
    [file('a'), file('b')],
    [file('a', 'x\0b')],
  ].map(contentDigest)
  expect(new Set(digests).size).toBe(digests.length)
  expect(contentDigest([file('a'), file('b')])).toBe(contentDigest([file('b'), file('a')]))
})
