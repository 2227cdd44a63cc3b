/** Why our entries would not run although they are there, as far as the settings tell. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { SettingsFile } from '../spec/installer.ts'
import { installer as claudeCode } from './claude-code/install.ts'
import { installer as codex } from './codex/config.ts'
import { installer as geminiCli } from './gemini-cli/config.ts'
import { installer as kimiCode } from './kimi-code/config.ts'
import { installer as qwenCode } from './qwen-code/config.ts'

const place = { home: '/home/dev', project: '/p', env: {} as NodeJS.ProcessEnv, level: 'user' as const }

function messages(file: SettingsFile | undefined, text: string | undefined): string[] {
  return (file?.problems?.(text, place) ?? []).map(({ message }) => message)
}

it.each([
  ['claude-code', claudeCode, '{"disableAllHooks": true}', 'disableAllHooks'],
  [
    'claude-code',
    claudeCode,
    '{"hooks":{"PreToolUse":[{"hooks":[{"type":"wasm"}]}]}}',
    'drops the whole file',
  ],
  [
    'claude-code',
    claudeCode,
    '{"hooks":{"PreToolUse":[{"matcher":1,"hooks":[{"type":"command","command":"x"}]}]}}',
    'drops the whole file',
  ],
  ['gemini-cli', geminiCli, '{"hooksConfig":{"enabled":false}}', 'runs no hook'],
  ['gemini-cli', geminiCli, '{"hooksConfig":{"disabled":["crosshook"]}}', 'our entries do not run'],
  ['qwen-code', qwenCode, '{"disableAllHooks": true}', 'runs no hook'],
  ['kimi-code', kimiCode, '[[hooks]]\nevent = "Stop"\ncommand = "x"\ntimeout = 601\n', 'drops every hook'],
])('%s: settings that switch hooks off are told: %#', (_id, installer, text, expected) => {
  const [file] = installer.files(place)
  expect(messages(file, text)).toEqual([expect.stringContaining(expected)])
  expect(messages(file, undefined)).toEqual([])
})

it('a malformed entry below another event is left to itself', () => {
  const [file] = claudeCode.files(place)
  expect(messages(file, '{"hooks":{"Stop":[{"hooks":[{"type":"wasm"}]}]}}')).toEqual([])
})

it('codex: entries that nobody reviewed, or that changed since, are told', () => {
  const home = mkdtempSync(join(tmpdir(), 'crosshook-'))
  try {
    const [hooks, trust] = codex.files({ ...place, env: { CODEX_HOME: home } })
    const command = { line: (event: string) => `crosshook hook codex ${event}`, argv: () => [] }
    const others = '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"mine"}]}]}}'
    const text = hooks!.add(others, command)
    writeFileSync(hooks!.path, text)
    expect(messages(hooks, text)).toEqual([expect.stringContaining('not trusted')])

    const record = trust!.add(undefined, command)
    expect(record).toContain('hooks.json:pre_tool_use:1:0')
    writeFileSync(trust!.path, record)
    expect(messages(hooks, text)).toEqual([])

    const changed = text.replace('hook codex Stop', 'hook codex Stop --debug')
    expect(messages(hooks, changed)).toEqual(['Codex skips our entries for Stop: they are not trusted.'])
    writeFileSync(trust!.path, '[features]\nhooks = false\n')
    expect(messages(hooks, text)).toEqual([expect.stringContaining('switches hooks off')])
  } finally {
    rmSync(home, { recursive: true })
  }
})

it.each([
  ['claude-code', claudeCode, { allowedHttpHookUrls: [] }, true],
  ['claude-code', claudeCode, { allowedHttpHookUrls: ['https://hooks.example.com/*'] }, true],
  ['claude-code', claudeCode, { allowedHttpHookUrls: ['http://127.0.0.1:*/v1/*'] }, false],
  ['claude-code', claudeCode, {}, false],
  ['qwen-code', qwenCode, { security: { allowedHttpHookUrls: ['http://127.0.0.1:1/*'] } }, true],
  ['qwen-code', qwenCode, { security: { allowedHttpHookUrls: [] } }, false],
  ['qwen-code', qwenCode, { security: { allowedHttpHookUrls: ['*/v1/agents/*'] } }, false],
])('%s: a list of allowed URLs without ours is told: %#', (id, installer, settings, isWrong) => {
  const [file] = installer.files(place)
  const text = file!.add(JSON.stringify(settings), {
    line: (event) => `crosshook hook ${id} ${event}`,
    argv: (event) => ['crosshook', 'hook', id, event],
    http: (event) => ({ url: `http://127.0.0.1:17465/v1/agents/${id}/${event}`, headers: {}, variables: [] }),
  })
  expect(messages(file, text)).toEqual(isWrong ? [expect.stringContaining('allowedHttpHookUrls')] : [])
})
