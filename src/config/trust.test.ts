import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import { openTrust } from './trust.ts'

let root: string
let hook: Hook
const trust = () => openTrust(join(root, 'state'), false)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'trust-'))
  const dir = join(root, 'hook')
  mkdirSync(join(dir, 'scripts'), { recursive: true })
  writeFileSync(join(dir, 'HOOK.md'), 'one')
  writeFileSync(join(dir, 'scripts/run.sh'), 'echo')
  hook = {
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'f',
    scope: 'project',
    events: [],
    run: { type: 'command', entry: dir },
    origin: { file: join(dir, 'HOOK.md'), dir },
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('trust', () => {
  it('is given to the bytes that a person saw, and to no others', () => {
    expect(trust().state(hook)).toBe('untrusted')
    trust().trust(hook)
    expect(trust().state(hook)).toBe('trusted')
    writeFileSync(join(root, 'hook/scripts/run.sh'), 'evil')
    expect(trust().state(hook)).toBe('changed')
    expect(trust().pinned(hook)?.get('scripts/run.sh')?.toString()).toBe('echo')
    writeFileSync(join(root, 'hook/scripts/run.sh'), 'echo')
    expect(trust().state(hook)).toBe('trusted')
  })

  it('ends with an added file, and with what a link leads to', () => {
    writeFileSync(join(root, 'outside'), 'a')
    symlinkSync(join(root, 'outside'), join(root, 'hook/scripts/lib.sh'))
    trust().trust(hook)
    writeFileSync(join(root, 'outside'), 'b')
    expect(trust().state(hook)).toBe('changed')
    writeFileSync(join(root, 'outside'), 'a')
    writeFileSync(join(root, 'hook/scripts/more.sh'), '')
    expect(trust().state(hook)).toBe('changed')
  })

  it('survives a change of the mode, not a broken link or a circle', () => {
    trust().trust(hook)
    chmodSync(join(root, 'hook/scripts/run.sh'), 0o755)
    expect(trust().state(hook)).toBe('trusted')
    symlinkSync(join(root, 'hook'), join(root, 'hook/again'))
    expect(trust().state(hook)).toBe('changed')
  })

  it('can be taken back, and a store that cannot be read says so', () => {
    trust().trust(hook)
    expect(trust().untrust(hook)).toBe(true)
    expect(trust().untrust(hook)).toBe(false)
    writeFileSync(join(root, 'state/trust.json'), '{')
    expect(() => trust().state(hook)).toThrow('trust.json')
  })

  it('is not asked for where everything is trusted', () => {
    expect(openTrust(join(root, 'state'), true).state(hook)).toBe('trusted')
  })
})
