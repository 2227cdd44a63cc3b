/** Searches and patterns of file names: what they find on the disk counts, and what they could mean elsewhere. */

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadActs } from './acts.ts'
import { thisWorld } from './world.ts'

const acts = loadActs()
const home = realpathSync(mkdtempSync(join(tmpdir(), 'searches-')))
const work = join(home, 'shop')
for (const path of ['src/index.js', '.git/HEAD', 'package.json']) {
  mkdirSync(join(work, path, '..'), { recursive: true })
  writeFileSync(join(work, path), '\n')
}
// Not among temporary files, where all may be deleted.
const world = { ...thisWorld(work, { HOME: home, USER: 'ann', PATH: '/usr/bin' }), variables: { HOME: home } }

function kinds(command: string): string[] {
  const found = acts({ tool_name: 'Shell', tool_input: { command }, work_dir: work }, world)
  return found.flatMap(({ does, places = [] }) => [does, ...places.map((place) => `${does} ${place}`)])
}

test.each([
  ['delete root', 'find . -name x -o -delete', 'find . -name x -o -name y -delete'],
  ['delete root', 'find . ! -name x -delete', "find . ! -path './a/*' -name x -delete"],
  [
    'delete root',
    'find . \\( ! -name a -o -name b \\) -delete',
    'find . -not \\( -type d -o -newer a \\) -name b -delete',
  ],
  ['delete root', 'find . -path ./a -prune -o -delete', "find . -path ./a -prune -o -name '*.o' -delete"],
  ['delete root', "find . -path './*' -delete", "find . -path '*/__pycache__/*' -delete"],
  ['delete root', 'rm -rf /home/*/*', 'rm -rf /home/*/build/*'],
  ['delete root', 'rm -f /Users/*/**/*', 'rm -f /Users/*/**/*.pyc'],
  ['delete root', 'rm -rf /home/*/Documents', 'rm -rf /home/*/Documents/draft'],
  ['delete root', 'rm -rf /home/bob/Desktop', 'rm -rf /home/bob/desktop-app'],
  ['delete secret', 'rm -rf /home/*/.ssh', 'rm -rf /home/*/.cache'],
  ['delete root', "find . -regex '.*' -delete", "find . -regex '.*\\.pyc' -delete"],
  ['delete vcs', "find . -path '*/.git/*' -delete", "find . -path '*/out/*' -delete"],
  ['write root', 'find . -type f -exec chmod 000 {} +', 'find . -type f -exec chmod 644 {} +'],
  ['write root', 'find . -exec chmod 600 {} +', 'find . -type f -exec chmod 600 {} +'],
  [
    'change_guards',
    'find . -name settings.json -path "*/.claude/*" -delete',
    "find . -name '*.json' -delete",
  ],
  ['read secret', "find . -name '*.pem' -exec cat {} +", "find . -name '*.yml' -exec cat {} +"],
  ['read secret', 'cat cred*.json', 'cat src/*.json'],
  ['delete secret', 'rm secr*.yml', 'rm .github/workflows/*.yml'],
])('%s: %s, and not: %s', (kind, line, other) => {
  expect(kinds(line)).toContain(kind)
  expect(kinds(other)).not.toContain(kind)
})
