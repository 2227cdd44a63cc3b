/** The README and the gallery's are true: their commands are run, its program is run, its links lead somewhere. */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calledBefore } from './compile-cache.ts'
import { blocksIn } from './documents.ts'

const root = resolve(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((found) => found[1]!)

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'readme-'))
  mkdirSync(join(home, 'bin'))
  mkdirSync(join(home, 'project'))
  symlinkSync(join(root, 'bin/crosshook'), join(home, 'bin/crosshook'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('the README', () => {
  it('has commands that do what they say', () => {
    const env = calledBefore({
      PATH: `${join(home, 'bin')}:${process.env.PATH}`,
      HOME: home,
      CROSSHOOK_NO_DAEMON: '1',
    })
    const gallery = blocksIn('gallery/README.md').filter(({ language }) => language === 'sh')
    for (const block of [...blocks('sh'), ...gallery.map(({ text }) => text)])
      for (const command of commands(block)) {
        const wanted = Number(/# exit (\d+)\s*$/.exec(command)?.[1] ?? 0)
        const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
          cwd: join(home, 'project'),
          env,
          encoding: 'utf8',
        })
        expect({ command, status, output: status === wanted ? '' : stdout + stderr }).toEqual({
          command,
          status: wanted,
          output: '',
        })
      }
  })

  // The tests of the documents run that page.
  it('shows sessions that docs/replay.md has, too', () => {
    const page = readFileSync(join(root, 'docs/replay.md'), 'utf8')
    expect(blocks('console').length).toBeGreaterThan(0)
    for (const block of blocks('console')) expect(page).toContain(block)
  })

  it('has a program that runs', () => {
    for (const [i, code] of blocks('ts').entries()) {
      const file = join(root, `readme-${process.pid}-${i}.mts`)
      writeFileSync(file, code.replace("'crosshook'", "'./src/index.ts'"))
      try {
        expect(execFileSync(process.execPath, [file], { encoding: 'utf8' })).toBe('deny not on prod\n')
      } finally {
        rmSync(file)
      }
    }
  })

  it('links to files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((found) => found[1]!)
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([])
  })
})

/** One command a line; a here-document belongs to the command that begins it. */
function commands(block: string): string[] {
  const found: string[] = []
  let end: string | undefined
  for (const line of block.split('\n')) {
    if (end !== undefined) {
      found[found.length - 1] += `\n${line}`
      if (line === end) end = undefined
    } else if (line.trim() !== '') {
      found.push(line)
      end = /<<'?(\w+)'?/.exec(line)?.[1]
    }
  }
  return found
}
