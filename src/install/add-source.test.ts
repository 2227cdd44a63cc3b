import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { addSource } from './add-source.ts'

describe('addSource', () => {
  it.each([
    ['an empty file', ''],
    ['other settings', '# mine\njournal.enabled = false\n\n[models]\ndefault = "a/b"\n'],
    ['no line break at the end', 'disabled = ["x"]'],
    ['CRLF', 'disabled = ["x"]\r\n'],
    ['tables of sources', '[[sources]]\npath = "a.json"\n\n[models]\ndefault = "a/b"\n'],
    ['a list of sources', 'sources = ["a.json", { format = "codex" }] # mine\ndisabled = []\n'],
    ['an empty list', 'sources = []\n'],
    ['a list over several lines', 'sources = [\n  "a.json", # one\n]\n[models]\ndefault = "a/b"\n'],
  ])('adds a format to %s and keeps the rest', (_, text) => {
    const edited = addSource(text, 'claude-code', 'config.toml')!
    const { sources: before = [], ...rest } = parse(text) as { sources?: unknown[] }
    const { sources, ...after } = parse(edited) as { sources: unknown[] }
    expect(after).toEqual(rest)
    expect(sources).toHaveLength(before.length + 1)
    expect(sources).toEqual(expect.arrayContaining([...before, { format: 'claude-code' }]))
    for (const line of text.split('\n')) if (line.startsWith('#')) expect(edited).toContain(line)
    expect(addSource(edited, 'claude-code', 'config.toml')).toBeUndefined()
  })

  it('refuses a file that is not TOML', () => {
    expect(() => addSource('sources = [', 'codex', 'config.toml')).toThrow('config.toml is not valid TOML')
  })
})
