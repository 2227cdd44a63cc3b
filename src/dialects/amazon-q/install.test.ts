import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installer } from './install.ts'
import { load } from './testing.ts'

const COMMAND = {
  line: (event: string) => `/opt/bin/crosshook hook amazon-q ${event}`,
  argv: (event: string) => ['/opt/bin/crosshook', 'hook', 'amazon-q', event],
}

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'crosshook-q-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const files = (env = {}) => installer.files({ home, project: join(home, 'project'), env, level: 'user' })

describe('installing', () => {
  it('adds one entry a trigger to each agent and takes them out to the byte', () => {
    const folder = join(home, '.kiro', 'agents')
    const text = '{\n    "name": "dev",\n    "hooks": {\n        "stop": [{ "command": "date" }]\n    }\n}\n'
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'dev.json'), text)
    const [file] = files()
    expect(file!.path).toBe(join(folder, 'dev.json'))
    const added = file!.add(text, COMMAND)
    const entries = file!.find(added)
    expect(
      entries
        .filter(({ ours }) => ours)
        .map(({ event }) => event)
        .sort(),
    ).toEqual(['agentSpawn', 'postToolUse', 'preToolUse', 'stop', 'userPromptSubmit'])
    expect(entries.filter(({ ours }) => !ours)).toMatchObject([{ event: 'stop', command: 'date' }])
    expect(load(added).problems).toEqual([])
    expect(file!.add(added, COMMAND)).toBe(added)
    expect(file!.remove(added)).toBe(text)
  })

  it('makes an agent of its own in a folder without one, and removes it again', () => {
    mkdirSync(join(home, '.aws', 'amazonq', 'cli-agents'), { recursive: true })
    const [file] = files()
    expect(file!.path).toBe(join(home, '.aws', 'amazonq', 'cli-agents', 'crosshook.json'))
    const added = file!.add(undefined, COMMAND)
    expect(JSON.parse(added)).toMatchObject({ name: 'crosshook', tools: ['*'] })
    expect(file!.find(added)).toHaveLength(5)
    expect(load(added)).toEqual({ hooks: [], problems: [] })
    expect(file!.remove(added)).toBeUndefined()
  })

  it('follows the variable that moves the settings', () => {
    mkdirSync(join(home, 'moved', 'agents'), { recursive: true })
    expect(files({ KIRO_HOME: join(home, 'moved') }).map(({ path }) => path)).toEqual([
      join(home, 'moved', 'agents', 'crosshook.json'),
    ])
  })

  it('finds nothing where the agent was never used', () => {
    expect(files()).toEqual([])
  })
})
