/** An index of 10,000 packs, and five packs at once. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PackRecord } from '../../src/packs/description.ts'
import { writeIndex } from '../../src/packs/index-file.ts'
import { openIndexes } from '../../src/packs/index-store.ts'
import { loadKey } from '../../src/sign/key-files.ts'
import { type Machine, makeMachine, program, start, writePack } from './place.ts'
import { type Static, staticServer } from './servers.ts'

const PACKS = 10_000
let machine: Machine
let server: Static
beforeAll(async () => {
  machine = makeMachine()
  await machine.json('key', 'new')
  const web = join(machine.root, 'web')
  mkdirSync(web)
  server = await staticServer(web)
  const key = loadKey(join(machine.home, '.local/state/crosshook'))!
  const words = [
    'git',
    'deploy',
    'secret',
    'database',
    'cloud',
    'lint',
    'format',
    'notify',
    'network',
    'review',
  ]
  const record = (at: number): PackRecord => ({
    name: `owner${at % 500}/pack-${at}`,
    description: `Keeps ${words[at % 10]} and ${words[(at * 7) % 10]} in order for teams that need it, number ${at}.`,
    license: 'MIT',
    keywords: [words[(at * 3) % 10]!],
    keys: [key.public],
    versions: Object.fromEntries(
      ['1.0.0', '1.1.0', '2.0.0'].map((version) => [
        version,
        {
          published: '2026-01-01T00:00:00.000Z',
          from: { type: 'archive', url: `pack-${at}-${version}.tar`, sha256: 'a'.repeat(64), size: 7000 },
          content: at.toString(16).padStart(64, '0'),
          signers: [key.public],
          hooks: ['one', 'two'],
          rights: { one: ['sees before_tool'], two: ['runs a program, confined', 'sees before_tool'] },
          acts: ['delete'],
          agents: [],
          cases: 12,
        },
      ]),
    ),
  })
  const packs = Object.fromEntries(Array.from({ length: PACKS }, (_, at) => [record(at).name, record(at)]))
  writeFileSync(
    join(web, 'index.json'),
    writeIndex({ name: 'large', serial: 1, issued: '2026-01-01T00:00:00.000Z', packs }, key),
  )
}, 120_000)
afterAll(() => {
  server.close()
  machine.remove()
})

it(`search among ${PACKS} packs takes less than 100 ms once the index is known, in bounded memory`, async () => {
  await machine.json('index', 'add', server.url)
  const indexes = openIndexes({
    env: machine.env,
    stateDir: join(machine.home, '.local/state/crosshook'),
    cacheDir: '',
  })
  const times: number[] = []
  for (let round = 0; round < 20; round++) {
    const started = performance.now()
    const found = indexes.search(['deploy', `number ${round * 37}`])
    times.push(performance.now() - started)
    expect(found.length).toBeGreaterThanOrEqual(0)
  }
  const middle = times.toSorted((a, b) => a - b)[10]!
  // The whole program, as a person waits for it, beside one that does nothing.
  const whole = await fastest(() => machine.run('search', 'deploy', 'number 37'))
  const nothing = await fastest(() => machine.run('--version'))
  const { memory, cpu } = await measure('search', 'deploy')
  console.log('search', { middle, whole, nothing, memory, cpu })
  expect(middle).toBeLessThan(100)
  expect(memory).toBeLessThan(200)
  expect(await machine.json('search', 'pack-4321')).toMatchObject({ found: [{ name: 'owner321/pack-4321' }] })
  expect(await machine.json('info', 'owner321/pack-4321')).toMatchObject({ name: 'owner321/pack-4321' })
})

it('five packs are added in less than 2 s', async () => {
  const urls: string[] = []
  const web = join(machine.root, 'web')
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const source = join(machine.root, 'source', name)
    writePack(source, {
      name: `five/${name}`,
      hooks: {
        [`hook-${name}`]: {
          'HOOK.md': `---\nname: hook-${name}\ndescription: d\ntrigger: before_tool\noutcome: {decision: deny}\n---\n`,
          'cases.yaml':
            '- name: x\n  event: before_tool\n  tool_name: Shell\n  tool_input: {command: ls}\n  expect: {decision: deny}\n',
        },
      },
    })
    await machine.json('publish', source, '--to', join(web, name))
    urls.push(`${server.url}${name}/`)
  }
  // Time of the processor: what a person waits on a machine that does nothing else.
  const { cpu, wall } = await measure('add', ...urls, '--yes', '--json')
  console.log('five packs', { cpu, wall })
  expect(cpu).toBeLessThan(2000)
  expect(Object.keys(machine.files())).toContain('hook-e/HOOK.md')
  machine.lockMatches()
})

async function fastest(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 7; round++) {
    const started = performance.now()
    await work()
    best = Math.min(best, performance.now() - started)
  }
  return best
}

const MEASURE = `import json, resource, subprocess, sys, time
started = time.time()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"memory": used.ru_maxrss / 1024, "cpu": (used.ru_utime + used.ru_stime) * 1000, "wall": (time.time() - started) * 1000}))`

/** Of the program: memory at its peak in MiB, times in milliseconds. */
async function measure(...args: string[]): Promise<{ memory: number; cpu: number; wall: number }> {
  const { stdout } = await start('python3', ['-c', MEASURE, program, ...args], {
    cwd: machine.project,
    env: machine.env,
  })
  return JSON.parse(stdout) as { memory: number; cpu: number; wall: number }
}
