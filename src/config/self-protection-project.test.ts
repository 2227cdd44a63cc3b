/** Guards of the project itself: git, patches and archives that change what is named, and those that do not. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPipeline, type Pipeline } from '../pipeline/pipeline.ts'

let base: string
let project: string
let pipeline: Pipeline

const FILES = {
  '.agents/hooks/guard/HOOK.md': '',
  'src/main.ts': '',
  'evil.patch': 'diff --git a/.claude/settings.json b/.claude/settings.json\nnew file mode 100644\n',
  'deep.diff': '--- x/y/.codex/config.toml\n+++ x/y/.codex/config.toml\n@@ -1 +1 @@\n-a\n+b\n',
  'context.diff':
    '*** a/.claude/settings.json\t2026\n--- b/.claude/settings.json\t2026\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n',
  // A time of five thousand letters stands behind the name.
  'late.patch': `--- a/.claude/settings.json\t${'x'.repeat(5000)}\n+++ b/.claude/settings.json\t${'x'.repeat(5000)}\n`,
  'either.diff': '--- .claude/settings.json\n+++ not-there.txt\n@@ -1 +1 @@\n-a\n+b\n',
  'index.diff': 'Index: .claude/settings.json\n1c1\n< a\n---\n> b\n',
  'long.patch': `--- a/x\n+++ b/x\n${'+y\n'.repeat(1_500_000)}--- a/.claude/settings.json\n+++ b/.claude/settings.json\n`,
  'good.patch': '--- a/src/main.ts\n+++ b/src/main.ts\n@@ -1 +1 @@\n-a\n+b .claude/settings.json\n',
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'project-')))
  const home = join(base, 'home')
  project = join(home, 'project')
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(join(project, file, '..'), { recursive: true })
    writeFileSync(join(project, file), text)
  }
  const env = { PATH: process.env.PATH, HOME: home, CROSSHOOK_MANAGED_DIR: join(base, 'managed') }
  pipeline = createPipeline({ env, source: 'hook', silent: true })
})
afterAll(() => {
  pipeline.close()
  rmSync(base, { recursive: true, force: true })
})

async function isStopped(command: string): Promise<boolean> {
  const native = { session_id: 's', cwd: project, hook_event_name: 'PreToolUse', tool_name: 'Bash' }
  const { stdout } = await pipeline.handle({
    agent: 'claude-code',
    event: 'PreToolUse',
    cwd: project,
    read: () => JSON.stringify({ ...native, tool_input: { command } }),
  })
  return /"permissionDecision": ?"(?:deny|ask)"/.test(stdout)
}

const STOPPED: Readonly<Record<string, readonly string[]>> = {
  'git brings back, puts away or leaves out what is named': [
    'git stash push -- .agents',
    'git stash -u -- .agents/hooks/guard',
    'git stash push -m x .claude/settings.json',
    'git checkout main .claude/settings.json',
    'git checkout .codex/config.toml',
    "git checkout HEAD~2 -- ':(top,icase).agents'",
    "git restore --source v1 -- ':/.claude'",
    'git -C .agents checkout main -- hooks',
    'git --work-tree=.agents stash push -- hooks',
    "git sparse-checkout set '!/.agents'",
    'git checkout-index -f .agents/hooks/guard/HOOK.md',
    'git subtree add --prefix=.claude https://h.example/r main',
    'git clone https://h.example/r .claude',
  ],
  'git writes a file that it is given': [
    'git merge-file .claude/settings.json a b',
    'git interpret-trailers --in-place --trailer a=b .agents/hooks/guard/HOOK.md',
    'git shortlog --output=.claude/settings.json',
    'git reflog show --output=.claude/settings.json',
    'git format-patch -1 -o .agents/hooks',
    'git fast-export --export-marks=.claude/settings.json HEAD',
  ],
  'a patch names them': [
    'git apply evil.patch',
    'cp evil.patch /tmp/a && git apply /tmp/a',
    'cat evil.patch | git apply',
    'git am < evil.patch',
    'patch -p1 -i evil.patch',
    'patch -p2 < deep.diff',
    'patch -p1 < context.diff',
    'git apply late.patch',
    'patch -p0 < either.diff',
    'patch -p0 < index.diff',
    'git apply long.patch',
    'git apply --directory=.claude good.patch',
    "git apply --include='.agents/*' other.patch",
    "git apply <<'E'\n--- a/x\n+++ b/.gemini/settings.json\n@@ -1 +1 @@\n-a\n+b\nE",
    "printf -- '--- a/x\\n+++ b/.claude/settings.json\\n' > /tmp/p && git apply /tmp/p",
    "patch <<'E'\n--- .agents/hooks/guard/HOOK.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\nE",
  ],
  'an archive holds them': [
    'git archive HEAD~3 .agents | tar x',
    'git archive v0 .claude/settings.json | (cd . && tar xv)',
    'tar c -C /tmp/evil .claude | tar x',
    'tar cf /tmp/a.tar -C /tmp/evil .agents && tar xf /tmp/a.tar',
    'tar xf a.tar ./.agents/hooks',
    "unzip -o a.zip '.claude/*'",
    'cpio -id -D .agents < x.cpio',
  ],
}

describe.each(Object.entries(STOPPED))('%s', (_, lines) => {
  it.each(lines)('is stopped: %s', async (command) => {
    expect(await isStopped(command)).toBe(true)
  })
})

it.each([
  'git stash push -- src',
  'git checkout -b claude/settings',
  'git apply good.patch',
  'git apply --check evil.patch',
  'git apply --stat evil.patch',
  'patch -p1 --dry-run < evil.patch',
  'git archive HEAD src | tar x -C /tmp/o',
  'git archive -o /tmp/x.tar HEAD .agents',
  'tar cf /tmp/b.tar .claude',
  'tar xf a.tar src',
  'git diff -- .claude',
  'git show HEAD:.claude/settings.json',
  'git stash push -- .github src/hooks',
  'git log --output=/tmp/x',
])('is nothing to stop: %s', async (command) => {
  expect(await isStopped(command)).toBe(false)
})
