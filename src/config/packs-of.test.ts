import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadHookSet } from './load.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'crosshook-settings-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const rows = {
  host: { type: 'string', default: 'prod.example' },
  limit: { type: 'integer', minimum: 1, maximum: 9 },
  level: { type: 'string', enum: ['low', 'high'] },
}
const lock = JSON.stringify({
  version: 1,
  hooks: { guard: { source: 's', digest: 'd', pack: 'acme/guards' } },
  packs: { 'acme/guards': { settings: rows } },
})
const hook = (name: string) =>
  `---\nname: ${name}\ndescription: d\ntrigger: before_tool\nrun:\n  command: 'true'\n---\n`

async function load(toml: string) {
  put('home/.config/crosshook/config.toml', toml)
  for (const base of ['home/.config/agents/hooks', 'project/.agents/hooks']) {
    put(`${base}/guard/HOOK.md`, hook('guard'))
    put(`${base}/own/HOOK.md`, hook('own'))
    put(`${base}/hooks.lock.json`, lock)
  }
  const set = await loadHookSet({
    env: { HOME: join(root, 'home'), CROSSHOOK_MANAGED_DIR: join(root, 'none') },
    workDir: join(root, 'project'),
    fresh: true,
  })
  const given = (name: string, scope: string) =>
    set.hooks.find((each) => each.name === name && each.scope === scope)?.env?.AGENT_HOOK_SETTINGS
  return { given, problems: set.problems.filter(({ file }) => file.endsWith('config.toml')) }
}

it('hooks of a pack find what is set, and the defaults; others find nothing', async () => {
  const { given, problems } = await load('[packs."acme/guards"]\nlimit = 3\n')
  expect(problems).toEqual([])
  expect(JSON.parse(given('guard', 'user')!)).toEqual({ host: 'prod.example', limit: 3 })
  expect(given('own', 'user')).toBeUndefined()
})

it('the lock file of a project says nothing to its hooks: only what the person has set counts', async () => {
  const { given } = await load('[packs."acme/guards"]\nlimit = 3\n')
  expect(JSON.parse(given('guard', 'project')!)).toEqual({ limit: 3 })
})

it.each([
  ['limit = 10', /at most 9/],
  ['limit = "3"', /must be a whole number/],
  ['level = "middle"', /one of: low, high/],
  ['hots = "x"', /no such setting\. Did you mean "host"/],
  ['host = 5', /must be a text/],
])('%s is a problem, and the default holds', async (line, why) => {
  const { given, problems } = await load(`[packs."acme/guards"]\n${line}\n`)
  expect(problems[0]).toMatchObject({ level: 'error', message: expect.stringMatching(why) })
  expect(JSON.parse(given('guard', 'user')!)).toEqual({ host: 'prod.example' })
})

it('settings of a pack that is not here are a warning', async () => {
  const { problems } = await load('[packs."acme/gards"]\nlimit = 3\n')
  expect(problems).toMatchObject([
    { level: 'warning', message: expect.stringContaining('Did you mean "acme/guards"') },
  ])
})
