import { lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ask, exchange, makeHome, readAnswer, reasonOf, requestFrame, serve, shellCall } from './testing.ts'
import { serveWarm } from './warm-server.ts'

const DENY = 'matcher:\n  tool: Shell\noutcome:\n  decision: deny\n  reason: not here'

test('an agent gets its own words back, and the socket is for its user alone', async () => {
  const home = makeHome()
  home.hook('guard', DENY)
  await serve(home)
  expect(await ask(home)).toMatchObject({ status: 0, exit_code: 0, stderr: '' })
  // Told to wait only where it takes long, as the first may on a busy machine.
  await expect.poll(async () => (await ask(home)).beats).toBe(0)
  expect(reasonOf(await ask(home))).toBe('not here')
  expect(reasonOf(await ask(home, { payload: { ...shellCall(home), tool_name: 'Read' } }))).toBeUndefined()
  expect(statSync(home.socket).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(home.socket)).mode & 0o777).toBe(0o700)
})

test('each event runs in its own environment and folder, also when many run at once', async () => {
  const home = makeHome()
  const script = '#!/bin/bash\nsleep 0.0$((RANDOM % 5))\necho "$MARK in $(pwd) and +$OTHER" >&2\nexit 2\n'
  home.hook('says', 'matcher:\n  tool: Shell', {
    'scripts/run.sh': script,
  })
  await serve(home)
  const answers = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const cwd = join(home.folder, `work-${i}`)
      mkdirSync(cwd)
      const env = { ...home.env, MARK: `mark-${i}`, ...(i % 2 === 0 ? { OTHER: `other-${i}` } : {}) }
      return reasonOf(await ask(home, { env, payload: { ...shellCall(home), cwd } }))
    }),
  )
  expect(answers).toEqual(
    answers.map((_, i) => `mark-${i} in ${home.folder}/work-${i} and +${i % 2 === 0 ? `other-${i}` : ''}`),
  )
})

test.for([
  ['another version', { version: '0.0.1' }, /version/],
  ['another home', { env: { HOME: '/elsewhere' } }, /another home/],
  ['debug lines', { debug: true }, /debug/],
] as const)('%s is declined: the cold path answers', async ([, given, why]) => {
  const home = makeHome()
  await serve(home)
  const more = 'debug' in given ? { env: { ...home.env, CROSSHOOK_DEBUG: '1' } } : given
  expect(await ask(home, more)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(why) })
})

test('a broken request is declined and told, and the next one is answered', async () => {
  const home = makeHome()
  home.hook('guard', DENY)
  const server = await serve(home)
  expect(readAnswer(await exchange(home.socket, Buffer.from('GET / HTTP/1.1\r\n\r\n')))).toMatchObject({
    status: 1,
  })
  expect(server.troubles).toEqual([expect.stringContaining('broken request')])
  expect(reasonOf(await ask(home))).toBe('not here')
})

test('a payload that is not JSON is refused, and an unknown agent is reported, as on the cold path', async () => {
  const home = makeHome()
  await serve(home)
  expect(await ask(home, { agent: 'nobody' })).toMatchObject({
    status: 0,
    exit_code: 1,
    stderr: expect.stringContaining('nobody'),
  })
  expect(reasonOf(await ask(home, { payload: 'not json' }))).toContain('8 characters that are not JSON')
})

test('a hook that refuses a call which cannot be read is heard beside that', async () => {
  const home = makeHome()
  home.hook('guard', DENY)
  await serve(home)
  const payload = { ...shellCall(home), tool_input: { command: 5 } }
  expect(reasonOf(await ask(home, { payload }))).toMatch(/^not here\n.*`command` of Shell is a number/)
})

test('a connection that ends half way harms nobody', async () => {
  const home = makeHome()
  home.hook('guard', DENY)
  const server = await serve(home)
  const frame = requestFrame(home)
  for (const size of [0, 1, 20, 40, frame.length - 1]) {
    await new Promise<void>((resolve) => {
      const connection = connect(home.socket, () => {
        connection.write(frame.subarray(0, size), () => connection.destroy())
      }).on('close', () => resolve())
    })
  }
  expect(reasonOf(await ask(home))).toBe('not here')
  await expect.poll(() => server.working).toBe(0)
})

test('while a hook works, the relay is told every second that the engine lives', async () => {
  const home = makeHome()
  home.hook('slow', 'matcher:\n  tool: Shell', { 'scripts/run.sh': '#!/bin/sh\nsleep 2.9\n' })
  await serve(home)
  const start = performance.now()
  const { beats } = await ask(home)
  expect(beats).toBeGreaterThanOrEqual(2)
  expect(beats).toBeLessThanOrEqual((performance.now() - start) / 1000)
})

test('an outdated engine answers nothing any more', async () => {
  const home = makeHome()
  home.hook('guard', DENY)
  let isOutdated = false
  const server = await serve(home, { isOutdated: () => isOutdated })
  expect((await ask(home)).status).toBe(0)
  isOutdated = true
  expect((await ask(home)).status).toBe(2)
  await server.outdated
})

test('the newest engine holds the socket; an older one notices and does not remove it', async () => {
  const home = makeHome()
  const first = await serve(home)
  const second = await serve(home)
  expect([first.holdsPlace(), second.holdsPlace()]).toEqual([false, true])
  await first.close()
  expect(lstatSync(home.socket).isSocket()).toBe(true)
  await second.close()
  expect(lstatSync(home.socket, { throwIfNoEntry: false })).toBeUndefined()
})

test('closing lets what runs finish', async () => {
  const home = makeHome()
  home.hook('slow', 'matcher:\n  tool: Shell', {
    'scripts/run.sh': '#!/bin/sh\nsleep 0.4\necho late >&2\nexit 2\n',
  })
  const server = await serve(home)
  const answer = ask(home)
  await expect.poll(() => server.working).toBe(1)
  await server.close()
  expect(reasonOf(await answer)).toBe('late')
})

test('a file where the socket should be is replaced', async () => {
  const home = makeHome()
  mkdirSync(dirname(home.socket), { recursive: true })
  writeFileSync(home.socket, 'stale')
  await serve(home)
  expect((await ask(home)).status).toBe(0)
})

test.each(['before', 'after'])(
  'a caller that leaves is known to have left, %s somebody asks',
  async (when) => {
    const home = makeHome()
    const asked = Promise.withResolvers<AbortSignal>()
    const left = Promise.withResolvers<void>()
    const server = await serveWarm({
      socket: home.socket,
      env: home.env,
      trouble: () => {},
      runtime: {
        async answer({ gone }) {
          if (when === 'before') await left.promise
          asked.resolve(gone!())
          await left.promise
          return { stdout: '', stderr: '', exit_code: 0 }
        },
      },
    })
    onTestFinished(() => server.close())
    const caller = connect(home.socket, () => caller.write(requestFrame(home)))
    await expect.poll(() => server.working).toBe(1)
    if (when === 'after') expect((await asked.promise).aborted).toBe(false)
    caller.destroy()
    await expect.poll(() => server.working).toBe(0)
    left.resolve()
    expect((await asked.promise).aborted).toBe(true)
  },
)
