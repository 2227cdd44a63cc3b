import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandExecutor } from './command.ts'
import { commandCall, temporaryFolder, writeProgram } from './command-testing.ts'
import { findProgram, SYSTEM_FOLDERS, safeFolders } from './safe-path.ts'

const say = (word: string) => `#!/bin/sh\necho ${word}\n`

describe('a PATH', () => {
  test('keeps its order, and loses what a project or another user could have put there', () => {
    const root = temporaryFolder()
    const folder = (name: string, mode = 0o755) => {
      mkdirSync(join(root, name), { recursive: true })
      chmodSync(join(root, name), mode)
      return join(root, name)
    }
    const project = folder('project')
    const good = [folder('one'), folder('two')]
    const bad = [
      '',
      '.',
      'bin',
      join(project, 'bin'),
      project,
      folder('other/node_modules/.bin'),
      folder('open', 0o777),
      folder('sticky', 0o1777),
      join(root, 'gone'),
    ]
    mkdirSync(join(project, 'bin'))
    const below = folder('open-above/bin')
    folder('open-above', 0o777)
    const given = [bad[0]!, good[0]!, ...bad.slice(1), below, good[1]!].join(delimiter)
    expect(safeFolders(given, [project])).toEqual([...good, ...SYSTEM_FOLDERS])
    expect(safeFolders(undefined, [])).toEqual(SYSTEM_FOLDERS)
  })

  test('finds programs, not folders and not files that may not be executed', () => {
    const [first, second] = [temporaryFolder(), temporaryFolder()]
    mkdirSync(join(first, 'tool'))
    writeProgram(join(first, 'plain'), 'text', 0o644)
    writeProgram(join(second, 'tool'), say('x'))
    symlinkSync('nowhere', join(first, 'dead'))
    expect(findProgram('tool', [first, second])).toBe(join(second, 'tool'))
    expect(findProgram('plain', [first])).toBeUndefined()
    expect(findProgram('dead', [first])).toBeUndefined()
    expect(findProgram('/x/tool', [])).toBe('/x/tool')
  })
})

describe('an interpreter', () => {
  const hook = (name: string, text: string, mode = 0o755) => {
    const folder = temporaryFolder()
    writeProgram(join(folder, 'scripts', name), text, mode)
    return { type: 'command', entry: folder } as const
  }
  const fake = (where: string, ...names: string[]) => {
    for (const name of names) writeProgram(join(where, name), say('FAKE'))
    return where
  }

  test.each([
    ['run.py', "print('real')\n", 0o644],
    ['run.py', "#!/usr/bin/env python3\nprint('real')\n", 0o755],
    ['run.sh', 'echo real\n', 0o644],
    ['run', '#!/usr/bin/env bash\necho real\n', 0o755],
    ['run', '#!/usr/bin/env -S bash -e\necho real\n', 0o755],
    ['run', "#!/usr/bin/env node\nconsole.log('real')\n", 0o755],
  ] as const)('of %s (%j) is not the one that the PATH of the agent puts first', async (name, text, mode) => {
    const work_dir = temporaryFolder()
    const run = hook(name, text, mode)
    for (const place of ['node_modules/.bin', 'bin', '../elsewhere']) {
      const first = fake(join(work_dir, place), 'python3', 'bash', 'sh', 'node', 'env')
      const env = { PATH: [first, process.env.PATH].join(delimiter) }
      expect(await commandExecutor.run(commandCall(run, { env, event: { work_dir } })), place).toMatchObject({
        stdout: 'real\n',
      })
    }
  })

  test('that was pinned is the one that runs', async () => {
    const pinned = fake(temporaryFolder(), 'python3')
    const run = hook('run.py', "print('real')\n", 0o644)
    const programs = { python3: join(pinned, 'python3') }
    expect(await commandExecutor.run(commandCall(run, { hook: { programs } }))).toMatchObject({
      stdout: 'FAKE\n',
    })
  })

  test('and all that a script calls by name is not taken from the project', async () => {
    const work_dir = temporaryFolder()
    const env = {
      PATH: [
        fake(join(work_dir, 'bin'), 'git'),
        fake(join(work_dir, 'node_modules/.bin'), 'git'),
        '/usr/bin',
      ].join(delimiter),
    }
    const run = hook('run.sh', 'command -v git\n')
    expect(await commandExecutor.run(commandCall(run, { env, event: { work_dir } }))).toMatchObject({
      stdout: '/usr/bin/git\n',
    })
  })
})
