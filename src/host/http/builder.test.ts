import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Asked, place, type Running, runningDaemon, userHook } from '../testing.ts'

const TEXT = '---\nname: mine\ndescription: d\ntrigger: before_tool\noutcome:\n  decision: deny\n---\n'

/** A person who has signed in on the page: what changes the guards needs one. */
async function person({ daemon }: Running) {
  const { people } = daemon.core
  const cookie = people.enter(people.invite().code)!.split(';')[0]!
  const session = await fetch(`${daemon.status.http}/v1/page/session`, { headers: { cookie } })
  const { csrf } = (await session.json()) as { csrf: string }
  return async (route: string, body: unknown): Promise<Pick<Asked, 'status' | 'body'>> => {
    const response = await fetch(`${daemon.status.http}${route}`, {
      method: 'POST',
      headers: { cookie, 'x-crosshook-csrf': csrf },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Asked['body'] }
  }
}

test('a hook is opened, edited, tried and saved, and what was opened is not overwritten when it has changed', async () => {
  const at = place()
  userHook(at, 'guard', 'exit 2', '# why\nmatcher:\n  tool: Shell # one\n')
  const daemon = await runningDaemon({ at })
  const { ask, fire } = daemon
  await fire({ event_type: 'before_tool', tool_name: 'Shell', tool_input: { command: 'ls' } })
  const opened = (await ask('GET', '/v1/builder/hook?name=guard&scope=user')).body as Record<string, string>
  expect(opened.files).toMatchObject([{ path: 'scripts/run.sh', executable: true }])
  const replaces = { name: 'guard', scope: 'user' }
  const files = [{ path: 'scripts/run.sh', text: '#!/bin/sh\nexit 0\n', executable: true }]
  const draft = {
    text: opened.text,
    files,
    replaces,
    edits: [{ path: ['matcher', 'tool'], value: 'ReadFile' }],
  }
  const { body: view } = await ask('POST', '/v1/builder/draft', draft)
  expect(view.text).toBe(opened.text!.replace('Shell # one', 'ReadFile # one'))
  expect(view).toMatchObject({
    problems: [],
    order: [{ name: 'guard', is_draft: true }],
    hook: { runs: 'command' },
  })
  const { body: tried } = await ask('POST', '/v1/builder/try', { text: TEXT })
  expect(tried).toMatchObject({ history: { events: 1, applies: 1, says: { deny: 1 }, changes: 0 } })
  const save = await person(daemon)
  const given = { text: view.text, files, scope: 'user', replaces, opened: opened.digest }
  expect(await save('/v1/builder/save', { ...given, opened: 'old' })).toMatchObject({ status: 409 })
  expect(await save('/v1/builder/save', given)).toMatchObject({
    status: 200,
    body: { name: 'guard', trust: null },
  })
  expect(readFileSync(opened.file!, 'utf8')).toBe(view.text)
})

test('a token alone saves and adds nothing; a project hook is written and waits for trust', async () => {
  const at = place()
  const daemon = await runningDaemon({ at })
  const project = join(at.env.HOME!, 'project')
  const given = { text: TEXT, scope: 'project', work_dir: project }
  expect(await daemon.ask('POST', '/v1/builder/save', given)).toMatchObject({
    status: 403,
    body: { code: 'for_people' },
  })
  expect(await daemon.ask('POST', '/v1/gallery/git-guard/add', {})).toMatchObject({ status: 403 })
  expect(existsSync(project)).toBe(false)
  const save = await person(daemon)
  expect(await save('/v1/builder/save', given)).toMatchObject({ status: 200, body: { trust: 'untrusted' } })
  expect(await save('/v1/builder/save', given)).toMatchObject({ status: 409, body: { code: 'exists' } })
  expect(await save('/v1/builder/save', { ...given, text: '---\nname: x\n---\n' })).toMatchObject({
    status: 400,
  })
})

test('files that a request names are never read: only hooks that were found', async () => {
  const { ask } = await runningDaemon()
  for (const query of ['name=../../etc', 'name=&work_dir=/etc', 'name=guard&scope=managed'])
    expect((await ask('GET', `/v1/builder/hook?${query}`)).status).toBe(404)
  expect((await ask('GET', '/v1/builder/hook?name=x&work_dir=relative')).status).toBe(400)
  expect((await ask('GET', '/v1/gallery/..%2Ftemplates%2Fbudget')).status).toBe(404)
  expect(
    (await ask('POST', '/v1/builder/draft', { text: TEXT, files: [{ path: '../x', text: '' }] })).status,
  ).toBe(400)
  expect((await ask('POST', '/v1/builder/draft', { text: TEXT, edits: [{ path: 'name' }] })).status).toBe(400)
})

test('the gallery and the templates say what each hook needs and what it would have done', async () => {
  const { ask, fire } = await runningDaemon()
  await fire({ event_type: 'before_tool', tool_name: 'Shell', tool_input: { command: 'git push --force' } })
  const list = (await ask('GET', '/v1/gallery')).body.hooks as { name: string; installed: string | null }[]
  expect(list.find(({ name }) => name === 'git-guard')).toMatchObject({ installed: null })
  expect((await ask('GET', '/v1/gallery/git-guard')).body).toMatchObject({
    needs: [{ risk: false }],
    history: { events: 1, applies: 1, changes: 1 },
  })
  const templates = (await ask('GET', '/v1/templates')).body.hooks as { name: string; hint: string }[]
  expect(templates.map(({ name }) => name)).toContain('approval')
  const words = (await ask('GET', '/v1/builder/words')).body as { conditions: { field: string }[] }
  expect(words.conditions.map(({ field }) => field)).toContain('matcher.does')
})

test('a hook that does not load is opened, mended and saved', async () => {
  const at = place()
  userHook(at, 'guard', 'exit 2', 'timeout: 5 # too short\n')
  const daemon = await runningDaemon({ at })
  const opened = (await daemon.ask('GET', '/v1/builder/hook?name=guard&scope=user')).body as Record<
    string,
    string
  >
  const replaces = { name: 'guard', scope: 'user' }
  const draft = { text: opened.text, replaces, edits: [{ path: ['timeout'], value: 5000 }] }
  const { body: view } = await daemon.ask('POST', '/v1/builder/draft', draft)
  expect(view).toMatchObject({ text: opened.text!.replace('timeout: 5 #', 'timeout: 5000 #') })
  const save = await person(daemon)
  const given = { text: view.text, scope: 'user', replaces, opened: opened.digest }
  expect(await save('/v1/builder/save', given)).toMatchObject({ status: 200 })
  expect(readFileSync(opened.file!, 'utf8')).toBe(view.text)
})
