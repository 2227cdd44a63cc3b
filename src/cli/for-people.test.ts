import { expect, test } from 'vitest'
import { GUARD_COMMANDS } from '../spec/guard-commands.ts'
import { COMMANDS } from './commands.ts'

test('every command that changes the guards is one that there is, with its options', () => {
  for (const [name, { option, butFlags = [] }] of Object.entries(GUARD_COMMANDS))
    for (const each of [...butFlags, ...(option === undefined ? [] : [option])])
      expect(Object.keys(COMMANDS[name]?.options ?? {}), name).toContain(each)
  expect(Object.keys(GUARD_COMMANDS).filter((name) => !COMMANDS[name])).toEqual([])
})
