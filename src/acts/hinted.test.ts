import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLikeCmdlet, startsCmd, WINDOWS_LINES } from './code/powershell.ts'
import { hinted } from './hinted.ts'
import { HINTED as PLACES } from './places.ts'
import { HINTED as SECRET_FILES } from './secret-files.ts'

/** Texts that the pattern would match without what it excludes; those that it does match are among them. */
function textsOf(pattern: RegExp): fc.Arbitrary<string> {
  let source = pattern.source
  for (let before = ''; before !== source; ) {
    before = source
    source = source.replace(/\(\?<?!(?:[^()\\]|\\.|\[[^\]]*\]|\((?:[^()\\]|\\.)*\))*\)/g, '')
  }
  return fc.stringMatching(new RegExp(source.replaceAll('\\b', '')), { maxLength: 120 })
}

describe.each(Object.entries({ ...SECRET_FILES, ...PLACES }))('%s', (_, { patterns, test: isOne }) => {
  test.each(patterns.map((pattern) => [pattern]))('finds all that %s matches', (pattern) => {
    let matched = 0
    fc.assert(
      fc.property(textsOf(pattern), (text) => {
        if (!pattern.test(text)) return
        matched++
        expect([text, isOne(text)]).toEqual([text, true])
      }),
      { numRuns: 200 },
    )
    expect(matched).toBeGreaterThan(0)
  })
})

test('a text with a hint is matched by the patterns, in either case where they say so', () => {
  const found = hinted(['a'], [/^A.$/, /^c?a$/], 'i')
  expect(['ab', 'CA', 'a', 'b', 'aaa'].map(found.test)).toEqual([true, true, true, false, false])
})

test.each([
  ['CMDLET', WINDOWS_LINES.CMDLET, isLikeCmdlet],
  ['CMD', WINDOWS_LINES.CMD, startsCmd],
] as const)('what is looked at first finds all that %s matches', (_, pattern, isLike) => {
  // What it looks ahead for is a space or the end; `fc` knows neither.
  const source = pattern.source.replace('(?=\\s|$)(?!-)', '(?: |$)').replaceAll('\\b', '')
  let matched = 0
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(source), { maxLength: 120 }), fc.boolean(), (text, isUpper) => {
      const line = isUpper ? text.toUpperCase() : text
      if (!pattern.test(line)) return
      matched++
      expect([line, isLike(line)]).toEqual([line, true])
    }),
    { numRuns: 500 },
  )
  expect(matched).toBeGreaterThan(20)
})
