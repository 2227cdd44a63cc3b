import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { fixAddress } from './fix-address.ts'

describe('fixAddress', () => {
  it.each([
    ['an empty file', ''],
    ['other settings', '# mine\ndisabled = ["x"]\n\n[models]\ndefault = "a/b"\n'],
    ['no line break at the end', 'disabled = ["x"]'],
    ['CRLF', 'disabled = ["x"]\r\n[daemon]\r\ngrpc = "127.0.0.1:0"\r\n'],
    ['a table of the daemon', '[daemon] # mine\nmax_waiting = 5\n\n[models]\ndefault = "a/b"\n'],
    ['a free port', '[daemon]\nhttp = "127.0.0.1:0" # any\n'],
    ['a table at the very end', '[daemon]'],
  ])('names the address in %s and keeps the rest', (_, text) => {
    const edited = fixAddress(text, '127.0.0.1:17465', 'config.toml')
    const { daemon: before, ...rest } = parse(text) as { daemon?: object }
    const { daemon, ...after } = parse(edited)
    expect(after).toEqual(rest)
    expect(daemon).toEqual({ ...before, http: '127.0.0.1:17465' })
    for (const comment of text.match(/#.*/g) ?? []) expect(edited).toContain(comment)
  })

  it('says what to do by hand where it cannot', () => {
    expect(() => fixAddress('daemon = { grpc = "127.0.0.1:0" }\n', '127.0.0.1:1', 'config.toml')).toThrow(
      'written in a form',
    )
    expect(() => fixAddress('daemon = [', '127.0.0.1:1', 'config.toml')).toThrow('not valid TOML')
  })
})
