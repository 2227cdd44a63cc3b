import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCommandExecutor } from '../../executors/command.ts'
import { buildRelay, processIds, textOf } from '../../executors/command-testing.ts'
import { createSpawner } from '../../executors/spawner.ts'
import { openJournal } from '../../journal/sqlite/open.ts'
import { ask, makeHome, reasonOf, serve } from './testing.ts'

const relay = buildRelay()

async function setUp(frontmatter: string, script: string) {
  const home = makeHome()
  home.hook('guard', frontmatter, { 'scripts/run.sh': `#!/bin/bash\n${script}\n` })
  const spawner = createSpawner(relay!)
  onTestFinished(() => spawner.close())
  await serve(home, {}, { executors: { command: createCommandExecutor(spawner) } })
  const killSpawner = () => {
    const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
      encoding: 'utf8',
    })
    // That of the test before may still be ending.
    const lines = stdout.split('\n').filter((each) => each.includes(`${relay} spawner`))
    expect(lines.length).toBeGreaterThan(0)
    spawnSync('kill', ['-KILL', ...lines.map((line) => String(Number.parseInt(line, 10)))])
  }
  return { home, killSpawner }
}

test.skipIf(relay === undefined)('a script decides, run by the spawner', async () => {
  const { home } = await setUp('', 'cat > seen; echo "not $AGENT_HOOK_EVENT" >&2; exit 2')
  expect(reasonOf(await ask(home))).toContain('not before_tool')
  expect(JSON.parse(textOf(join(home.project, 'seen')))).toMatchObject({ event_type: 'before_tool' })
})

test.skipIf(relay === undefined).for([
  ['closed', 'ended while this hook ran'],
  ['open', undefined],
] as const)(
  'a hook whose spawner is killed has failed, and counts by its policy: %s',
  async ([policy, reason]) => {
    const { home, killSpawner } = await setUp(`on_failure: ${policy}`, 'echo $$ > "$HOME/pid"; sleep 30')
    const asked = ask(home)
    await processIds(join(home.folder, 'pid'), 1)
    killSpawner()
    const answer = reasonOf(await asked)
    if (reason === undefined) expect(answer).toBeUndefined()
    else expect(answer).toContain(reason)
    const store = openJournal(join(home.folder, '.local/state/crosshook'))
    onTestFinished(() => store.close())
    expect(store.list({ limit: -1 })[0]?.hooks).toMatchObject([{ name: 'guard', status: 'failed' }])
  },
)
