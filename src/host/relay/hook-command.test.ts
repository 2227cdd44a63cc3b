import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../../version.ts'
import { COLD_FLAGS, coldFlags } from './cold-flags.ts'
import { hookCommand } from './hook-command.ts'
import { makeHome } from './testing.ts'

function place(folder: string, path: string, mode = 0o755): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  chmodSync(file, mode)
  return file
}

test('a relay that was built with the package is used, and knows the cold path', () => {
  const { folder } = makeHome()
  const main = place(folder, 'dist/cli/main.cjs')
  expect(hookCommand(main)).toMatchObject({ kind: 'cold', argv: [process.execPath, main] })
  const relay = place(folder, 'dist/relay/crosshook-relay')
  expect(hookCommand(main)).toEqual({ kind: 'relay', argv: [relay], why: expect.any(String) })
  const lines = `${process.execPath}\n${main}\n`
  expect(readFileSync(`${relay}.cold`, 'utf8')).toBe(`${lines}${COLD_FLAGS.join('\t')}\n`)
  for (const old of [lines, `/old/node\n${main}\n\n`]) {
    writeFileSync(`${relay}.cold`, old)
    expect(hookCommand(main)).toMatchObject({ kind: 'relay' })
    expect(readFileSync(`${relay}.cold`, 'utf8')).toBe(`${lines}${COLD_FLAGS.join('\t')}\n`)
  }
})

test('of the options for the cold path, those that Node does not know are left out', () => {
  const { folder } = makeHome()
  const old = join(folder, 'node')
  writeFileSync(old, '#!/bin/sh\nfor word; do [ "$word" != --v8-pool-size=1 ] || exit 9; done\n', {
    mode: 0o755,
  })
  expect(coldFlags(old)).toEqual(COLD_FLAGS.filter((flag) => flag !== '--v8-pool-size=1'))
  expect(coldFlags(join(folder, 'no-node'))).toEqual([])
  expect(coldFlags(process.execPath)).toEqual(COLD_FLAGS)
})

test('a relay from the package of the platform is used', () => {
  const { folder } = makeHome()
  const main = place(folder, 'node_modules/crosshook/dist/cli/main.cjs')
  const own = `node_modules/@crosshook/relay-${process.platform}-${process.arch}`
  const manifest = place(folder, `${own}/package.json`)
  writeFileSync(manifest, JSON.stringify({ name: 'x', version: VERSION }))
  expect(hookCommand(main)).toMatchObject({ kind: 'cold', why: expect.stringContaining('lost its program') })
  const relay = place(folder, `${own}/bin/crosshook-relay`)
  expect(hookCommand(main)).toMatchObject({ kind: 'relay', argv: [relay] })
  writeFileSync(manifest, '{"name":"x","version":"0.0.1"}')
  expect(hookCommand(main)).toMatchObject({ kind: 'cold', why: expect.stringContaining('is version 0.0.1') })
})

test('a relay that cannot be run is not used, and it is said why', () => {
  const { folder } = makeHome()
  const main = place(folder, 'dist/cli/main.cjs')
  place(folder, 'dist/relay/crosshook-relay', 0o644)
  expect(hookCommand(main)).toMatchObject({ kind: 'cold', why: expect.stringContaining('cannot be used') })
})

test('a relay that cannot be told of the cold path is not used: an agent may have no Node on its path', () => {
  const { folder } = makeHome()
  const main = place(folder, 'dist/cli/main.cjs')
  const relay = place(folder, 'dist/relay/crosshook-relay')
  symlinkSync('nowhere/at/all', `${relay}.cold`)
  expect(hookCommand(main)).toMatchObject({ kind: 'cold', why: expect.stringContaining('once as the owner') })
})
