/** What `npm run build:relay` says of the programs that it has built for other machines. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inspect } from '../relay/inspect.ts'

const built = join(import.meta.dirname, '../dist/relay/crosshook-relay')

it('a program that loads libraries is told by what it asks for', () => {
  const found = inspect(readFileSync(process.execPath))
  expect(found).toMatchObject({ os: process.platform, cpu: process.arch })
  expect(found.libraries.length).toBeGreaterThan(0)
})

it.skipIf(process.platform !== 'linux' || !existsSync(built))('a static program asks for nothing', () => {
  expect(inspect(readFileSync(built))).toEqual({ os: 'linux', cpu: process.arch, libraries: [] })
})

it('the load commands of a macOS program say what it needs', () => {
  const library = Buffer.alloc(56)
  library.writeUInt32LE(0xc, 0)
  library.writeUInt32LE(56, 4)
  library.writeUInt32LE(24, 8)
  library.write('/usr/lib/libSystem.B.dylib', 24)
  const head = Buffer.alloc(32)
  head.writeUInt32LE(0xfeedfacf, 0)
  head.writeUInt32LE(0x0100000c, 4)
  head.writeUInt32LE(1, 16)
  expect(inspect(Buffer.concat([head, library]))).toEqual({
    os: 'darwin',
    cpu: 'arm64',
    libraries: ['/usr/lib/libSystem.B.dylib'],
    isSigned: false,
  })
})

it('the import table of a Windows program says what it needs', () => {
  const file = Buffer.alloc(600)
  file.write('MZ')
  file.writeUInt32LE(64, 60)
  file.writeUInt16LE(0x8664, 68)
  file.writeUInt16LE(1, 70)
  file.writeUInt16LE(240, 84)
  file.writeUInt32LE(0x1000, 208) // the table of imports, in a section that lies at 400
  const section = 64 + 24 + 240
  for (const [i, value] of [0x1000, 200, 400].entries()) file.writeUInt32LE(value, section + 12 + 4 * i)
  file.writeUInt32LE(0x1000 + 60, 400 + 12)
  file.write('KERNEL32.dll', 460)
  expect(inspect(file)).toEqual({ os: 'win32', cpu: 'x64', libraries: ['KERNEL32.dll'] })
})

it('a script is not taken for a program', () => {
  expect(() => inspect(Buffer.from('#!/bin/sh\nexit 0\n'.padEnd(100)))).toThrow(
    'begins with 23212f62696e2f73',
  )
})
