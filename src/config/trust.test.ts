import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sha256Hex } from '../fast/digest.ts'
import { HOOK_DEFAULTS, type Hook, type Run } from '../spec/hook.ts'
import { isFailure } from '../spec/outcome.ts'
import { keyFile, mac, stateKey } from './state-key.ts'
import { openTrust } from './trust.ts'

let root: string
let project: string
let hook: Hook
const state = () => join(root, 'state')
const trust = () => openTrust(state(), false)
const put = (path: string, text: string, mode = 0o644) => {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

function hookIn(folder: string, run?: Run): Hook {
  const dir = join(folder, '.agents/hooks/h')
  return {
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'f',
    scope: 'project',
    events: [],
    run: run ?? { type: 'command', entry: dir },
    origin: { file: join(dir, 'HOOK.md'), dir, digest: sha256Hex(readFileSync(join(dir, 'HOOK.md'))) },
  }
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'trust-')))
  project = join(root, 'project')
  put('project/.agents/hooks/h/HOOK.md', 'one')
  put('project/.agents/hooks/h/scripts/run.sh', 'echo', 0o755)
  hook = hookIn(project)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const runnable = (of = hook, workDir = project) => trust().runnable(of, workDir)
const why = (of = hook, workDir = project) => {
  const found = runnable(of, workDir)
  return isFailure(found) ? found.message : 'it runs'
}

describe('trust', () => {
  it('is given to the bytes that a person saw, and to no others', () => {
    expect(trust().state(hook)).toBe('untrusted')
    trust().trust(hook)
    expect(trust().state(hook)).toBe('trusted')
    put('project/.agents/hooks/h/scripts/run.sh', 'evil')
    expect(trust().state(hook)).toBe('changed')
    expect(trust().pinned(hook)?.get('scripts/run.sh')?.toString()).toBe('echo')
    put('project/.agents/hooks/h/scripts/run.sh', 'echo')
    expect(trust().state(hook)).toBe('trusted')
  })

  it('is asked for again by one process that goes on, as soon as a byte changes', () => {
    const one = trust()
    one.trust(hook)
    for (let i = 0; i < 50; i++) {
      put('project/.agents/hooks/h/scripts/run.sh', i % 2 ? 'echo' : 'evil')
      expect(one.state(hook)).toBe(i % 2 ? 'trusted' : 'changed')
    }
  })

  it('ends with an added file, and with what a link leads to', () => {
    put('outside', 'a')
    symlinkSync(join(root, 'outside'), join(hook.origin.dir!, 'scripts/lib.sh'))
    trust().trust(hook)
    put('outside', 'b')
    expect(trust().state(hook)).toBe('changed')
    put('outside', 'a')
    put('project/.agents/hooks/h/scripts/more.sh', '')
    expect(trust().state(hook)).toBe('changed')
  })

  it('survives what interpreters and file managers leave behind', () => {
    trust().trust(hook)
    for (const litter of [
      'scripts/__pycache__/run.cpython-312.pyc',
      'x.pyc',
      '.DS_Store',
      'scripts/Thumbs.db',
    ])
      put(`project/.agents/hooks/h/${litter}`, 'anything')
    expect(trust().state(hook)).toBe('trusted')
    expect(readdirSync(join((runnable() as Hook).origin.dir!, 'scripts'))).toEqual(['run.sh'])
  })

  it('survives a change of the mode, not a broken link or a circle', () => {
    trust().trust(hook)
    chmodSync(join(hook.origin.dir!, 'scripts/run.sh'), 0o644)
    expect(trust().state(hook)).toBe('trusted')
    const copy = (runnable() as Hook).origin.dir!
    expect(statSync(join(copy, 'scripts/run.sh')).mode & 0o777).toBe(0o400)
    symlinkSync(hook.origin.dir!, join(hook.origin.dir!, 'again'))
    expect(trust().state(hook)).toBe('changed')
  })

  it('can be taken back, and a store that cannot be read says so', () => {
    trust().trust(hook)
    expect(trust().untrust(hook)).toBe(true)
    expect(trust().untrust(hook)).toBe(false)
    expect(readdirSync(join(state(), 'sealed'))).toEqual([])
    for (const text of ['{', '[]', '{"hooks": []}', '{"hooks": {"x": null}}']) {
      writeFileSync(join(state(), 'trust.json'), text)
      expect(() => trust().state(hook), text).toThrow('trust.json')
    }
  })

  it('is not asked for where everything is trusted', () => {
    expect(openTrust(state(), true).state(hook)).toBe('trusted')
    expect(openTrust(state(), true).runnable(hook, project)).toBe(hook)
  })
})

describe('a trust file that crosshook did not write', () => {
  const file = () => join(state(), 'trust.json')
  const stored = () => JSON.parse(readFileSync(file(), 'utf8'))
  const other = () => {
    put('other/.agents/hooks/h/HOOK.md', 'two')
    return hookIn(join(root, 'other'))
  }

  it.each<[string, (table: Record<string, Record<string, unknown>>, place: string, next: string) => void]>([
    ['a record for another hook', (table, place, next) => (table[next] = { ...table[place], digest: 'x' })],
    ['the record of one hook at the place of another', (table, place, next) => (table[next] = table[place]!)],
    ['another digest', (table, place) => (table[place]!.digest = 'f'.repeat(64))],
    ['another name', (table, place) => (table[place]!.name = 'x')],
    ['programs of somebody else', (table, place) => (table[place]!.programs = { bash: '/tmp/evil' })],
    ['no MAC', (table, place) => delete table[place]!.mac],
    ['a MAC that is no text', (table, place) => (table[place]!.mac = 5)],
  ])('with %s is named, and nothing in it counts', (_, forge) => {
    trust().trust(hook)
    const table = stored()
    forge(table.hooks, hook.origin.dir!, other().origin.dir!)
    writeFileSync(file(), JSON.stringify(table))
    expect(trust().state(hook)).toBe('unproven')
    expect(trust().state(other())).not.toBe('trusted')
    expect(trust().wrong()).toMatch(
      /trust\.json was changed by something other than crosshook.*nothing in it counts/,
    )
    expect(why()).toMatch(/did not run: .*nothing in it counts/)
  })

  it('with a record signed by another key counts for nothing', () => {
    const record = { name: 'h', digest: 'x', at: 'now' }
    const place = hook.origin.dir!
    const forged = mac(Buffer.alloc(32), 'trust', JSON.stringify([place, record]))
    stateKey(state())
    writeFileSync(file(), JSON.stringify({ version: 2, hooks: { [place]: { ...record, mac: forged } } }))
    expect(trust().state(hook)).toBe('unproven')
  })

  it('of an older version asks again, and says why', () => {
    mkdirSync(state())
    const digest = '0'.repeat(64)
    writeFileSync(
      file(),
      JSON.stringify({ version: 1, hooks: { [hook.origin.dir!]: { name: 'h', digest } } }),
    )
    expect(trust().state(hook)).toBe('unproven')
    expect(trust().wrong()).toContain('older crosshook')
    trust().trust(hook)
    expect(trust().state(hook)).toBe('trusted')
  })

  it('asks again when the key is lost, and says so', () => {
    trust().trust(hook)
    rmSync(keyFile(state()))
    expect(trust().state(hook)).toBe('unproven')
    expect(trust().wrong()).toMatch(/state\.key is gone/)
    trust().trust(hook)
    expect(trust().state(hook)).toBe('trusted')
    chmodSync(keyFile(state()), 0o644)
    expect(trust().state(hook)).toBe('unproven')
    expect(trust().wrong()).toMatch(/other users may read/)
  })
})

describe('what runs', () => {
  it('is the sealed copy, for its owner alone and not to be written', () => {
    trust().trust(hook)
    const found = runnable() as Hook
    expect(found.origin.dir).toMatch(/\/state\/sealed\/[0-9a-f]{64}$/)
    expect(found.run).toEqual({ type: 'command', entry: found.origin.dir })
    expect(statSync(join(found.origin.dir!, 'scripts/run.sh')).mode & 0o777).toBe(0o500)
    expect(statSync(join(found.origin.dir!, 'HOOK.md')).mode & 0o777).toBe(0o400)
  })

  it('is a module of the copy, too', () => {
    const run = { type: 'module', file: join(hook.origin.dir!, 'scripts/run.ts') } as const
    put('project/.agents/hooks/h/scripts/run.ts', 'export default () => {}')
    hook = hookIn(project, run)
    trust().trust(hook)
    const { run: sealed, origin } = runnable() as Hook
    expect(sealed).toEqual({ type: 'module', file: join(origin.dir!, 'scripts/run.ts') })
  })

  it('is nothing when the folder has changed, and the words say so', () => {
    trust().trust(hook)
    put('project/.agents/hooks/h/scripts/run.sh', 'evil')
    expect(why()).toMatch(/did not run: its files have changed since you trusted it/)
    rmSync(hook.origin.dir!, { recursive: true })
    expect(why()).toMatch(/its files have changed/)
  })

  it('is nothing when the definition was read from other bytes than those that are trusted', () => {
    trust().trust(hook)
    hook.origin.digest = sha256Hex('evil')
    expect(why()).toMatch(/replaced while it was being read/)
    delete hook.origin.digest
    expect(why()).toMatch(/replaced while it was being read/)
  })

  it('is nothing when the copy was changed, removed or added to', () => {
    const copy = () => (runnable() as Hook).origin.dir!
    for (const spoil of [
      (folder: string) => {
        chmodSync(join(folder, 'scripts/run.sh'), 0o700)
        writeFileSync(join(folder, 'scripts/run.sh'), 'evil')
      },
      (folder: string) => writeFileSync(join(folder, 'scripts/run'), 'evil'),
      (folder: string) => rmSync(folder, { recursive: true }),
    ]) {
      trust().trust(hook)
      spoil(copy())
      expect(why()).toMatch(/copy of what you trusted is gone or damaged/)
      // Trusting it again mends the copy.
      trust().trust(hook)
      expect(why()).toBe('it runs')
    }
  })

  it('has the interpreter that was found when it was trusted', () => {
    rmSync(join(hook.origin.dir!, 'scripts/run.sh'))
    put('project/.agents/hooks/h/scripts/run.py', 'print(1)')
    const bin = dirname(put('bin/python3', '#!/bin/sh\n', 0o755))
    trust().trust(hook, { env: { PATH: `${project}/bin:${bin}` } })
    expect((runnable() as Hook).programs).toEqual({ python3: join(bin, 'python3') })
  })
})

describe('what a hook runs outside its folder', () => {
  const line = (command: string) => hookIn(project, { type: 'command', command, shell: 'bash', args: ['-c'] })

  it.each([
    './scripts/lint.sh',
    'bash scripts/lint.sh --all',
    'FOO=1 env -i timeout 5 sh "scripts/lint.sh"',
    'cd . && ./scripts/lint.sh | cat',
    'if true; then $PROJECT_DIR/scripts/lint.sh; fi',
    '"${SOME_DIR}"/scripts/lint.sh',
    'echo $(./scripts/lint.sh)',
    'source scripts/lint.sh',
    'find . -exec scripts/lint.sh {} +',
  ])('is found in `%s`, pinned, and its change is a failure', (command) => {
    const script = put('project/scripts/lint.sh', 'exit 0', 0o755)
    hook = line(command)
    expect(trust().reach([hook]).files).toMatchObject([{ path: script }])
    trust().trust(hook)
    expect(why()).toBe('it runs')
    put('project/scripts/lint.sh', 'evil', 0o755)
    expect(why()).toMatch(/lint\.sh, which it runs, has changed/)
    rmSync(script)
    expect(why()).toMatch(/lint\.sh, which it runs, has changed/)
  })

  it('is pinned as absent where it is not there yet', () => {
    hook = line('./scripts/later.sh')
    trust().trust(hook)
    expect(why()).toBe('it runs')
    put('project/scripts/later.sh', 'evil')
    expect(why()).toMatch(/later\.sh, which it runs, has changed/)
  })

  it('is not another file of that name in the folder where the agent works', () => {
    put('project/scripts/lint.sh', 'exit 0')
    put('project/sub/scripts/lint.sh', 'evil')
    hook = line('./scripts/lint.sh')
    trust().trust(hook)
    expect(why(hook, join(project, 'sub'))).toMatch(/would run .*sub\/scripts\/lint\.sh, and you trusted/)
  })

  it('is not what a project finds there that links to the trusted folder', () => {
    put('project/scripts/lint.sh', 'exit 0')
    hook = line('./scripts/lint.sh')
    trust().trust(hook)
    put('hostile/scripts/lint.sh', 'evil')
    mkdirSync(join(root, 'hostile/.agents/hooks'), { recursive: true })
    symlinkSync(hook.origin.dir!, join(root, 'hostile/.agents/hooks/h'))
    const linked = { ...hookIn(join(root, 'hostile')), run: hook.run }
    expect(why(linked, join(root, 'hostile'))).toMatch(/would run .*hostile\/scripts\/lint\.sh/)
  })

  it('is said where it cannot be pinned', () => {
    expect(trust().reach([line('npx prettier --check .')]).unpinned).toEqual([
      expect.stringContaining('`npx` runs code from files of the project'),
    ])
    expect(trust().reach([line('$TOOL --fast')]).unpinned).toEqual([expect.stringContaining('`$TOOL`')])
    expect(trust().reach([line('/usr/bin/jq . < package.json')])).toEqual({ files: [], unpinned: [] })
  })

  it('is the script that the settings file of another format names', () => {
    const script = put('project/.tool/check.py', 'print(1)')
    const file = put('project/.tool/settings.json', '{}')
    const of = (command: string): Hook => ({
      ...line(command),
      origin: { file, digest: sha256Hex('{}') },
    })
    const both = [of('python3 "$TOOL_DIR"/.tool/check.py'), of('true')]
    trust().trust(both)
    expect(both.map((each) => why(each))).toEqual(['it runs', 'it runs'])
    writeFileSync(script, 'evil')
    expect(why(both[0])).toMatch(/check\.py, which it runs, has changed/)
  })

  it.each([
    ['run.sh', '#!/bin/sh\n. ./tools/x.sh\n'],
    ['run.sh', '#!/bin/bash\nset -e\n# it calls\nif ! bash tools/x.sh --all; then exit 2; fi\n'],
    ['run.sh', '#!/bin/sh\nexec "$AGENT_WORK_DIR/tools/x.sh" \\\n  --fast\n'],
    ['run', '#!/usr/bin/env bash\nout=$(./tools/x.sh)\n'],
  ])('is what its own script starts: %s %j', (name, text) => {
    const script = put('project/tools/x.sh', 'exit 0', 0o755)
    rmSync(join(hook.origin.dir!, 'scripts/run.sh'))
    put(`project/.agents/hooks/h/scripts/${name}`, text, 0o755)
    hook = hookIn(project)
    expect(trust().reach([hook])).toMatchObject({ files: [{ path: script }], unpinned: [] })
    trust().trust(hook)
    expect(why()).toBe('it runs')
    put('project/tools/x.sh', 'evil', 0o755)
    expect(why()).toMatch(/x\.sh, which it runs, has changed/)
  })

  it.each([
    ['run.sh', '#!/bin/sh\nnpx prettier --check .\n', '`npx` in scripts/run.sh'],
    ['run.sh', '#!/bin/sh\n"$TOOL" --fast\n', '`$TOOL` in scripts/run.sh'],
    [
      'run.py',
      'import subprocess\nsubprocess.run(["./tools/x.sh"])\n',
      '`./tools/x.sh`, which scripts/run.py',
    ],
    ['run.py', 'import sys\nsys.path.insert(0, "tools")\nimport y\n', 'by sys.path'],
    ['run.py', 'import subprocess\nsubprocess.run(["npx", "eslint"])\n', '`npx` in scripts/run.py'],
    ['run', '#!/usr/bin/env node\nrequire(process.cwd() + "/x.js")\n', 'by require(…)'],
    ['run', '#!/usr/bin/env node\nimport(name).then((m) => m.run())\n', 'by import(…)'],
  ])('is said where a script runs what cannot be pinned: %s %j', (name, text, words) => {
    put('project/tools/x.sh', 'exit 0', 0o755)
    rmSync(join(hook.origin.dir!, 'scripts/run.sh'))
    put(`project/.agents/hooks/h/scripts/${name}`, text, 0o755)
    expect(trust().reach([hookIn(project)])).toMatchObject({
      files: [],
      unpinned: expect.arrayContaining([expect.stringContaining(words)]),
    })
  })

  it('is not what a script finds in its own folder, of the system, or names as data', () => {
    put('project/src/app.txt', 'data')
    put('project/.agents/hooks/h/scripts/lib.sh', 'true\n')
    put('project/.agents/hooks/h/lib/words.py', 'print(1)\n')
    put(
      'project/.agents/hooks/h/scripts/run.sh',
      [
        '#!/bin/bash',
        "# don't run ./evil.sh",
        'HERE=$(cd "$(dirname "$0")" && pwd)',
        '. "$HERE/lib.sh"',
        'source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"',
        'python3 "$AGENT_HOOK_DIR/lib/words.py" < src/app.txt',
        'grep -q secret src/app.txt && /usr/bin/env true',
      ].join('\n'),
    )
    put('project/.agents/hooks/h/lib/more.py', 'import json, sys\nopen("src/app.txt")\n')
    expect(trust().reach([hookIn(project)])).toEqual({ files: [], unpinned: [] })
  })

  it.each([
    ["import x from '../../../lib/x.ts'", 'lib/x'],
    ["import 'lodash'", 'lodash'],
    ["export { a } from '@scope/package'", '@scope/package'],
    ["const x = await import('../../../x.mjs')", 'x.mjs'],
    ["const x = require('left-pad')", 'left-pad'],
  ])('is refused when a module imports it: %s', (text, named) => {
    put('project/.agents/hooks/h/scripts/run.ts', `${text}\nexport default () => {}\n`)
    const run = { type: 'module', file: join(hook.origin.dir!, 'scripts/run.ts') } as const
    expect(() => trust().trust(hookIn(project, run))).toThrow(named)
  })

  it('is not what a module imports from Node, from its own folder, or for its types', () => {
    put('project/.agents/hooks/h/lib/x.ts', "import { y } from './y.ts'\n")
    put(
      'project/.agents/hooks/h/scripts/run.ts',
      "import fs from 'node:fs'\nimport { join } from 'path'\nimport type { A } from 'other'\nimport { x } from '../lib/x.ts'\n",
    )
    const run = { type: 'module', file: join(hook.origin.dir!, 'scripts/run.ts') } as const
    expect(() => trust().trust(hookIn(project, run))).not.toThrow()
  })
})

describe('trust everywhere', () => {
  const config = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/a/b.git\n'
  const clone = (name: string, text = config) => {
    cpSync(join(project, '.agents'), join(root, name, '.agents'), { recursive: true })
    put(`${name}/.git/config`, text)
    return hookIn(join(root, name))
  }
  beforeEach(() => void put('project/.git/config', config))

  it('holds in a second clone of the same origin, for the same bytes at the same place', () => {
    trust().trust(hook)
    expect(trust().state(clone('before'))).toBe('untrusted')
    trust().trust(hook, { everywhere: true })
    const second = clone('second', config.replace('b.git', 'b'))
    expect(trust().state(second)).toBe('trusted')
    expect(isFailure(runnable(second, join(root, 'second')))).toBe(false)
    expect(trust().state(clone('third', config.replace('/a/', '/evil/')))).toBe('untrusted')
    put('second/.agents/hooks/h/scripts/run.sh', 'evil')
    expect(trust().state(second)).toBe('untrusted')
  })

  it('holds in a worktree', () => {
    put('project/.git/config', '[core]\n')
    trust().trust(hook, { everywhere: true })
    cpSync(join(project, '.agents'), join(root, 'tree/.agents'), { recursive: true })
    put('project/.git/worktrees/tree/commondir', '../..\n')
    put('tree/.git', `gitdir: ${join(project, '.git/worktrees/tree')}\n`)
    expect(trust().state(hookIn(join(root, 'tree')))).toBe('trusted')
    expect(trust().state(clone('other', '[core]\n'))).toBe('untrusted')
  })

  it('covers scripts outside the folder only with the same bytes', () => {
    const run: Run = { type: 'command', command: './lint.sh', shell: 'bash', args: ['-c'] }
    put('project/lint.sh', 'exit 0')
    trust().trust(hookIn(project, run), { everywhere: true })
    const second = { ...clone('second'), run }
    put('second/lint.sh', 'exit 0')
    expect(why(second, join(root, 'second'))).toBe('it runs')
    put('second/lint.sh', 'evil')
    expect(why(second, join(root, 'second'))).not.toBe('it runs')
  })

  it('does not cover what runs code of the project, which any clone can have, whatever origin it claims', () => {
    const run: Run = { type: 'command', command: 'make lint', shell: 'bash', args: ['-c'] }
    trust().trust(hookIn(project, run), { everywhere: true })
    expect(why(hookIn(project, run))).toBe('it runs')
    expect(trust().state({ ...clone('second'), run })).toBe('untrusted')
    put('project/.agents/hooks/h/scripts/run.sh', '#!/bin/sh\nmake lint\n', 0o755)
    trust().trust(hookIn(project), { everywhere: true })
    expect(trust().state(clone('third'))).toBe('untrusted')
  })
})
