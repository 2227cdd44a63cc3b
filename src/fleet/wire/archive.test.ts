import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MAX_ARCHIVE_BYTES, pack, unpack } from './archive.ts'

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-archive-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const file = (path: string, more: object = {}) => ({ path, executable: false, base64: 'eA==', ...more })
const archive = (files: unknown, more: object = {}) =>
  zstdCompressSync(JSON.stringify({ version: 1, files, ...more }))
const named = (...paths: string[]) => archive(paths.map((path) => file(path)))

describe('the archive of a policy', () => {
  it('is unpacked as it was packed, run and read rights included', () => {
    const [from, to] = [temporary(), join(temporary(), 'to')]
    for (const path of ['hooks/a/HOOK.md', 'hooks/a/run.sh', 'crosshook.toml', 'hooks/\u00fc/HOOK.md']) {
      mkdirSync(dirname(join(from, path)), { recursive: true })
      writeFileSync(join(from, path), path, { mode: path.endsWith('.sh') ? 0o755 : 0o644 })
    }
    const bytes = pack(from)
    unpack(bytes, to)
    expect(pack(to).equals(bytes)).toBe(true)
  })

  it.each<[string, Uint8Array]>([
    ['a path upwards', named('../x')],
    ['a path upwards within', named('a/../../x')],
    ['an absolute path', named('/etc/cron.d/x')],
    ['a path of Windows', named('..\\x')],
    ['a drive', named('C:x')],
    ['a name with a zero byte', named('a\0b')],
    ['a name that hides its end', named('a\u202egpj.sh')],
    ['an empty name', named('')],
    ['an empty part', named('a//b')],
    ['a name that ends with a dot', named('HOOK.md.')],
    ['a name in another form of Unicode', named('cafe\u0301')],
    ['half a character', named('a\ud800')],
    ['a name that is too long', named('x'.repeat(600))],
    ['a file twice', named('HOOK.md', 'HOOK.md')],
    ['names that differ by case', named('HOOK.md', 'hook.md')],
    ['folders that differ by case', named('a/x', 'A/y')],
    ['names that are one in compatibility form', named('\ufb01le', 'file')],
    ['a file that is a folder too', named('a', 'a/b')],
    ['a folder that is a file too', named('a/b', 'a')],
    ['a link', archive([file('a', { link: '/etc/passwd' })])],
    ['a hard link', archive([{ path: 'a', hardlink: 'b' }])],
    ['a device', archive([file('a', { type: 'block' })])],
    ['a mode', archive([file('a', { mode: 0o4755 })])],
    ['an owner beside the files', archive([file('a')], { owner: 'root' })],
    ['another version', archive([], { version: 2 })],
    ['no files', archive(undefined)],
    ['something else than a file', archive(['a'])],
    ['thousands of files', named(...Array.from({ length: 2001 }, (_, n) => `f${n}`))],
    ['a bomb', zstdCompressSync(Buffer.alloc(33 * 1024 * 1024, 0x20))],
    ['a file that is huge', archive([file('a', { base64: 'A'.repeat(33 * 1024 * 1024) })])],
    ['too many bytes', Buffer.alloc(MAX_ARCHIVE_BYTES + 1)],
    ['garbage behind it', Buffer.concat([named('a'), Buffer.from('garbage')])],
    ['a second archive behind it', Buffer.concat([named('a'), named('b')])],
    ['no end', named('a').subarray(0, -5)],
    ['no bytes', Buffer.alloc(0)],
    ['bytes that are no text', zstdCompressSync(Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
    ['no JSON', zstdCompressSync('PK\x03\x04')],
  ])('with %s is refused, and nothing is written', (_, bytes) => {
    const base = temporary()
    expect(() => unpack(bytes, join(base, 'to'))).toThrow(/The archive of a policy cannot be read/)
    expect(readdirSync(base)).toEqual([])
  })

  it.each([
    ['a link', (folder: string) => symlinkSync('/etc/passwd', join(folder, 'link'))],
    [
      'names that differ by case',
      (folder: string) => {
        writeFileSync(join(folder, 'a'), '')
        writeFileSync(join(folder, 'A'), '')
      },
    ],
    ['a name with a control character', (folder: string) => writeFileSync(join(folder, 'a\u0007'), '')],
  ])('is not made of a folder with %s', (_, put) => {
    const folder = temporary()
    put(folder)
    expect(() => pack(folder)).toThrow(/cannot be part of a policy/)
  })
})
