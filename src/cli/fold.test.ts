import { describe, expect, it } from 'vitest'
import { fold } from './fold.ts'

describe('lines that are too long for the terminal', () => {
  it('go on below the text of their last column', () => {
    expect(fold('  limit    cannot be stopped: Setup, SessionStart\n  note     ok\n', 30)).toBe(
      '  limit    cannot be stopped:\n           Setup, SessionStart\n  note     ok\n',
    )
  })

  it('go on below their first column where the last column is too far to the right', () => {
    expect(fold('  a very long name of a command     what it does, in words', 40)).toBe(
      '  a very long name of a command\n      what it does, in words',
    )
  })

  it('are not broken inside of a command between backquotes, nor inside of a word', () => {
    expect(fold('Look at it with (`crosshook help list`), then.', 30)).toBe(
      'Look at it with\n(`crosshook help list`), then.',
    )
    expect(fold('see /a/very/long/path/without/any/blank now', 12)).toBe(
      'see\n/a/very/long/path/without/any/blank\nnow',
    )
  })

  it('of an item of a list go on below its text', () => {
    expect(fold('- one two three\n12. one two three', 10)).toBe(
      '- one two\n  three\n12. one\n    two\n    three',
    )
  })

  it('are measured without their colours, which stay', () => {
    const red = (text: string) => `\u001b[31m${text}\u001b[0m`
    expect(fold(`${red('error:')} it is wrong`, 18)).toBe(`${red('error:')} it is wrong`)
    expect(fold(`${red('error:')} it is wrong`, 15)).toBe(`${red('error:')} it is\nwrong`)
  })

  it('lose nothing but blanks, at every width', () => {
    const text = '  ✓ obeyed  UserPromptSubmit,  PreToolUse `a b`c` d ` e\n\n\tx  y z\n'
    for (let width = 1; width < 70; width++)
      expect([width, fold(text, width).replace(/\s+/g, '')]).toEqual([width, text.replace(/\s+/g, '')])
  })
})
