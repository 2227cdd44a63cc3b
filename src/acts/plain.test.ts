import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadActs } from './acts.ts'
import { isPlainCall } from './plain.ts'

const folder = mkdtempSync(join(tmpdir(), 'plain-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
for (const name of ['state.key', 'agent.token', 'notes.md']) writeFileSync(join(folder, name), 'x')
symlinkSync(join(folder, 'state.key'), join(folder, 'link.md'))
const notes = join(folder, 'notes.md')

test.each([
  ['Shell', { command: 'ls -la src' }],
  ['Shell', { command: 'git status' }],
  ['ReadFile', { path: notes }],
  ['ReadFile', { path: notes, offset: 10, limit: 20 }],
])('%s %j is plain, and its acts change nothing and read no key', async (tool, input) => {
  expect(isPlainCall(tool, input)).toBe(true)
  const acts = (await loadActs())({ tool_name: tool, tool_input: input, work_dir: folder })
  for (const { does, path } of acts) {
    expect(['read', 'run', 'look']).toContain(does)
    if (does === 'read') expect(path).toBe(notes)
  }
})

test.each([
  ['Shell', { command: 'ls > x' }],
  ['Shell', { command: 'ls; rm x' }],
  ['Shell', { command: 'cat notes.md' }],
  ['ReadFile', { path: join(folder, 'state.key') }],
  ['ReadFile', { path: join(folder, 'STATE.KEY') }],
  ['ReadFile', { path: join(folder, 'agent.token') }],
  ['ReadFile', { path: join(folder, 'link.md') }],
  ['ReadFile', { path: join(folder, 'missing.md') }],
  ['ReadFile', { path: 'notes.md' }],
  ['ReadFile', { path: `~/${notes}` }],
  ['ReadFile', { path: `${folder}/*` }],
  ['ReadFile', { path: `file://${notes}` }],
  ['ReadFile', { path: notes, files: [join(folder, 'state.key')] }],
  ['ReadFile', { path: notes, file_path: join(folder, 'state.key') }],
  ['ReadFile', {}],
  ['WriteFile', { path: notes }],
  ['WriteFile', { path: notes, content: 'x', command: 'ls' }],
  ['ReadFile', { path: join(folder, 'state.key'), command: 'ls' }],
  ['mcp__files__write', { path: notes, content: 'x', command: 'ls' }],
  ['mcp__files__read', { path: notes }],
])('%s %j has to be looked at', (tool, input) => {
  expect(isPlainCall(tool, input)).toBe(false)
})
