/** Every command in the documents is run by some test, or its block says why it is not; each that is named exists, with its options. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMON_OPTIONS } from '../src/cli/command-row.ts'
import { COMMANDS } from '../src/cli/commands.ts'
import { type Block, blocksIn, documents, ROOT } from './documents.ts'

/** Who runs the blocks of a language: test/sessions.test.ts all of `console` below docs/, test/readme.test.ts the `sh` of two pages. */
function isRun(file: string, { language }: Block): boolean {
  if (language === 'console') return file.startsWith('docs/') || file === 'README.md'
  if (language === 'sh') return file === 'README.md' || file === 'gallery/README.md'
  return file === 'docs/help-session.md'
}

const PROGRAMS =
  /^\s*(?:\$ )?(?:sudo )?(?:crosshook|npm|npx|node|pip|pipx|curl|docker|podman|helm|kubectl|systemctl|git|cp) /m

function hasCommands({ language, text, comment }: Block): boolean {
  if (comment?.startsWith('file: ')) return false
  if (['sh', 'bash', 'shell', 'zsh', 'console'].includes(language)) return true
  return ['', 'text', 'txt'].includes(language) && PROGRAMS.test(text)
}

describe.each(documents())('%s', (file) => {
  it('has no command that nothing runs', () => {
    const left = blocksIn(file).filter(
      (block) => hasCommands(block) && !isRun(file, block) && !/^not run: \S/.test(block.comment ?? ''),
    )
    expect(
      left.map(({ line, text }) => `${file}:${line}: ${text.split('\n')[0]}`),
      'let a test run it (```console below docs/), or write <!-- not run: WHY --> before it',
    ).toEqual([])
  })

  it('gives reasons that name tests which are there', () => {
    const named = blocksIn(file).flatMap(({ comment }) =>
      comment?.startsWith('not run:') ? (comment.match(/\b(?:test|python|docs)\/[\w/.-]*\w/g) ?? []) : [],
    )
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('names commands and options that exist', () => {
    const page = readFileSync(join(ROOT, file), 'utf8')
    const spans = [...page.matchAll(/`(crosshook [^`\n]+)`/g)]
      .map((found) => found[1]!)
      .filter((each) => !SIGNED.includes(each))
    const lines = blocksIn(file)
      .filter((block) => hasCommands(block) && !isRun(file, block))
      .flatMap(({ text }) => [...text.matchAll(/^\s*(?:\$ )?(?:sudo )?(crosshook .*)$/gm)])
      .map((found) => found[1]!)
    expect([...spans, ...lines].flatMap(wrongIn)).toEqual([])
  })
})

/** What is signed begins with such words. */
const SIGNED = ['crosshook answer']

/** What follows `crosshook` up to the end of that command, outside of quotes. */
function wrongIn(line: string): string[] {
  const [, name = '', ...words] = line
    .replace(/'[^']*'|"[^"]*"/g, 'x')
    .split(/\s(?:#|\||&&|>|<|;)|;|\s{3,}/)[0]!
    .split(/[\s[\]|]+/)
  if (!/^[a-z][a-z-]*$/.test(name)) return []
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name]! : undefined
  if (!command) return [`${line}: no command ${name}`]
  if (command.passesOn) return []
  const known = { ...command.options, ...COMMON_OPTIONS }
  return words
    .flatMap((word) => /^--([a-z][a-z-]*)/.exec(word)?.[1] ?? [])
    .filter((option) => !Object.hasOwn(known, option))
    .map((option) => `${line}: no --${option}`)
}
