/** Completions in the shells themselves: hooks, the gallery, tools, events; and what a repository calls its folders is never run. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasProgram, makePlace, type Place } from './session-file.ts'
import { openTerminal } from './terminal.ts'

/** What is typed, and one word of what is offered then. */
const TYPED = [
  ['crosshook dead', 'dead-letter'],
  ['crosshook add block-destr', 'block-destruction'],
  ['crosshook gallery git-g', 'git-guard'],
  ['crosshook fire before_tool --tool WebF', 'WebFetch'],
  ['crosshook new x --trigger before_tool_s', 'before_tool_selection'],
  ['crosshook install claude-c', 'claude-code'],
  ['crosshook trust mi', 'mine'],
  ['crosshook edit mi', 'mine'],
  ['crosshook disable your', 'yours'],
] as const

const HOSTILE = ['$(touch pwned)', '`touch pwned`', 'a;touch pwned', '-rf', 'x\ny']

function place(): Place {
  const made = makePlace()
  onTestFinished(made.remove)
  for (const name of ['mine', ...HOSTILE])
    mkdirSync(join(made.project, '.agents/hooks', name), { recursive: true })
  mkdirSync(join(made.home, '.config/agents/hooks/yours'), { recursive: true })
  return made
}

describe.each(['bash', 'fish'] as const)('%s', (shell) => {
  it.skipIf(!hasProgram(shell))('offers what there is, and runs no name of a folder', () => {
    const { project, env } = place()
    const offered = (typed: string) => {
      const [program, ...args] = shell === 'bash' ? bash(typed) : fish(typed)
      const { stdout, stderr } = spawnSync(program!, args, { cwd: project, env, encoding: 'utf8' })
      return { words: stdout.split(/\s+/), stderr }
    }
    for (const [typed, word] of TYPED)
      expect([typed, offered(typed)]).toEqual([typed, { words: expect.arrayContaining([word]), stderr: '' }])
    for (const command of ['trust', 'disable', 'test']) offered(`crosshook ${command} `)
    expect(existsSync(join(project, 'pwned'))).toBe(false)
  })
})

function bash(typed: string): string[] {
  const words = typed.split(' ')
  const line = words.map((word) => `'${word}'`).join(' ')
  return [
    'bash',
    '-c',
    `eval "$(crosshook completions bash)"; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _crosshook; echo "\${COMPREPLY[@]}"`,
  ]
}

function fish(typed: string): string[] {
  return ['fish', '-c', `crosshook completions fish | source; complete -C '${typed}'`]
}

const ZSHRC = `PS1='$ '
unsetopt PROMPT_SP
autoload -U compinit && compinit -u -D
eval "$(crosshook completions zsh)"
`

describe('zsh', () => {
  it.skipIf(!hasProgram('zsh') || !hasProgram('tmux'))(
    'completes at the tab key, and runs no name of a folder',
    async () => {
      const { project, home, env } = place()
      writeFileSync(join(home, '.zshrc'), ZSHRC)
      const shell = ['zsh', '-d', '-i']
      const terminal = await openTerminal({ cwd: project, env, shell, columns: 200 })
      try {
        for (const [typed, word] of TYPED) {
          const whole = `$ ${typed.slice(0, typed.lastIndexOf(' '))} ${word}`
          expect(await terminal.press([typed, 'Tab'], (line) => line === whole)).toBe(whole)
          await terminal.press(['C-u'], (line) => line === '$')
        }
        await terminal.press(['crosshook trust ', 'Tab'], () => terminal.text().includes('--everywhere'))
        expect(existsSync(join(project, 'pwned'))).toBe(false)
      } finally {
        await terminal.close()
      }
    },
    240_000,
  )
})
