import { describe, expect, it } from 'vitest'
import { addBlock, parseTomlSettings, removeBlock, removeTables, tomlString } from './toml-settings.ts'

const lines = ['[[hooks]]', "event = 'A'", "command = 'crosshook hook x A'"]

describe('addBlock and removeBlock', () => {
  for (const [name, text] of Object.entries({
    'no file': undefined,
    'an empty file': '',
    'blank lines': '\n\n',
    'no line break at the end': 'a = 1',
    'a line break at the end': 'a = 1\n',
    CRLF: '# note\r\na = 1\r\n\r\n[t]\r\nb = "x"\r\n',
    'CRLF without the last one': 'a = 1\r\n[t]',
    'a byte order mark': '\uFEFFa = 1\n',
    'other hooks': "[[hooks]]\nevent = 'B' # mine\ncommand = 'y'\n",
    'a table at the end': '[t]\nk = 1\n\n\n',
  })) {
    it(`give back the same bytes: ${name}`, () => {
      const edited = addBlock(text, lines)
      expect((parseTomlSettings(edited).hooks as unknown[]).at(-1)).toEqual({
        event: 'A',
        command: 'crosshook hook x A',
      })
      expect(removeBlock(edited)).toBe(text)
    })
  }

  it('refuse a file that is not TOML, and one that cannot be added to', () => {
    for (const text of ['a = ', 'hooks = []\n'])
      expect(() => addBlock(text, lines)).toThrowError(expect.objectContaining({ code: 'bad_settings' }))
  })
})

describe('removeTables', () => {
  it('finds our tables when a program has rewritten the file without the marks', () => {
    const text = [
      'list = [\n  [1, 2],\n  [3],\n]\n',
      '[[hooks]]\nevent = "A"\ncommand = "crosshook hook x A"\n\n',
      '[[hooks]]\nevent = "B"\ncommand = """\n[not a header]\n"""\n',
    ]
    const isOurs = (table: Record<string, unknown>) =>
      String((table.hooks as { command?: string }[] | undefined)?.[0]?.command).startsWith('crosshook')
    expect(removeTables(text.join(''), isOurs)).toBe(text[0]! + text[2])
  })
})

describe('tomlString', () => {
  it('gives back any text', () => {
    for (const value of ['plain', "it's", 'a "b" \\c', 'tab\tline\n', 'é 🎣\u007f'])
      expect(parseTomlSettings(`v = ${tomlString(value)}`).v).toBe(value)
  })
})
