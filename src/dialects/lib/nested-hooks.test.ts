import { describe, expect, it } from 'vitest'
import { isOurCommand } from './command-marker.ts'
import { addEntries, findEntries, removeEntries } from './nested-hooks.ts'

const shape = { agent: 'x-agent' }
const group = (event: string) => ({
  hooks: [{ type: 'command', command: `crosshook hook x-agent ${event}` }],
})

describe('our own entries', () => {
  it('are recognised in every form in which they are written', () => {
    for (const command of [
      'crosshook hook x-agent PreToolUse',
      '"/opt/a b/bin/crosshook" hook x-agent PreToolUse',
      "'/usr/bin/node' '/opt/crosshook/dist/cli.js' hook x-agent",
      '/home/u/.local/share/crosshook/relay hook x-agent Stop',
      'C:\\crosshook\\crosshook.cmd hook x-agent Stop',
      'http://127.0.0.1:4000/v1/agents/x-agent/PreToolUse',
    ])
      expect([command, isOurCommand(command, 'x-agent')]).toEqual([command, true])
    for (const command of [
      'echo hook x-agent',
      'crosshook hook other PreToolUse',
      'crosshook hook x-agent-two Stop',
      'crosshook list',
      undefined,
    ])
      expect([command, isOurCommand(command, 'x-agent')]).toEqual([command, false])
  })

  it('are replaced, not repeated', () => {
    const once = addEntries('{}', shape, { A: group('A') })
    expect(addEntries(once, shape, { A: group('A') })).toBe(once)
  })

  it('leave a group that a person moved other hooks into', () => {
    const text =
      '{"hooks":{"A":[{"matcher":"M","hooks":[{"command":"mine"},{"command":"crosshook hook x-agent A"}]}]}}'
    expect(removeEntries(text, shape)).toBe('{"hooks":{"A":[{"matcher":"M","hooks":[{"command":"mine"}]}]}}')
  })

  it('are told apart from the others, with their lines', () => {
    const text =
      '{\n "hooks": {\n  "A": [\n   {"matcher": "M", "hooks": [{"command": "mine"}]},\n   {"hooks": [{"command": "crosshook hook x-agent A"}]}\n  ]\n }\n}'
    expect(findEntries(text, shape)).toEqual([
      { event: 'A', command: 'mine', ours: false, matcher: 'M', line: 4 },
      { event: 'A', command: 'crosshook hook x-agent A', ours: true, line: 5 },
    ])
  })

  it('work in flat settings as well', () => {
    const flat = { agent: 'x-agent', flat: true }
    const text = '{"version": 1, "hooks": {"a": [{"command": "mine"}]}}'
    const edited = addEntries(text, flat, {
      a: { command: 'crosshook hook x-agent a' },
      b: { bash: 'crosshook hook x-agent b' },
    })
    expect(findEntries(edited, flat).map(({ event, ours }) => [event, ours])).toEqual([
      ['a', false],
      ['a', true],
      ['b', true],
    ])
    expect(removeEntries(edited, flat)).toBe(text)
  })
})
