import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentNamed } from './known.ts'
import { silence } from './silence.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'crosshook-silence-'))
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

const HOUR = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR)

/** A session that the agent wrote down so many hours ago. */
function session(hours: number): void {
  const folder = join(home, '.claude/projects/-p')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 's.jsonl'), '')
  for (const path of [join(folder, 's.jsonl'), folder, join(folder, '..')])
    utimesSync(path, ago(hours), ago(hours))
}

async function said(called: number | undefined, installed: number | undefined): Promise<number> {
  const place = { home, project: home, env: {}, level: 'user' as const }
  return silence(await agentNamed('claude-code'), {
    places: [place],
    lastCalled: () => (called === undefined ? undefined : ago(called).toISOString()),
    installedAt: () => (installed === undefined ? undefined : ago(installed).toISOString()),
  }).length
}

describe('an agent that does not call', () => {
  it('is noticed when it was used after it was wired and after its last call', async () => {
    session(1)
    expect(await said(undefined, 2)).toBe(1)
    expect(await said(3, 4)).toBe(1)
  })

  it('is not blamed when it called, when it was wired later, or when it was never used', async () => {
    expect(await said(undefined, 2)).toBe(0)
    session(1)
    expect(await said(1, 4)).toBe(0)
    expect(await said(undefined, 0.5)).toBe(0)
    expect(await said(undefined, undefined)).toBe(0)
  })
})
