/** An agent that tries to say yes to its own question: by shell, file, HTTP and browser. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openQuestions, type Questions } from '../../src/ask/questions.ts'
import { calledBefore } from '../compile-cache.ts'

const main = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url))
let root: string
let state: string
let env: NodeJS.ProcessEnv
let questions: Questions | undefined

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'approve-'))
  mkdirSync(join(root, 'project'))
  env = calledBefore({
    HOME: join(root, 'home'),
    PATH: process.env.PATH,
    CROSSHOOK_MANAGED_DIR: join(root, 'managed'),
  })
  state = join(root, 'home/.local/state/crosshook')
  put(
    'home/.config/agents/hooks/asks/HOOK.md',
    `---\n${JSON.stringify({ name: 'asks', description: 'x', trigger: 'before_tool', matcher: { command: '^deploy' }, outcome: { decision: 'ask', reason: 'a yes is needed' } })}\n---\n`,
  )
  put('home/.config/crosshook/config.toml', '[approvals]\nvia = ["page", "terminal"]\nwait = 60\n')
})
afterEach(() => {
  questions?.close()
  questions = undefined
  crosshook('daemon', 'stop')
  rmSync(root, { recursive: true, force: true, maxRetries: 5 })
})

function put(path: string, text: string): string {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, 0o755)
  return file
}

const crosshook = (...args: string[]) =>
  spawnSync(process.execPath, [main, ...args], { env, cwd: join(root, 'project'), encoding: 'utf8' })

/** Under a process that is called like an agent. */
async function asAgent(...words: string[]) {
  const agent = put('bin/codex', '#!/bin/sh\n"$@"\n')
  const child = spawn(agent, words, { env, cwd: join(root, 'project'), detached: true })
  child.stdin.on('error', () => {}).end('y\n')
  const [stdout, stderr, [status]] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ])
  return { status, stdout: stdout.join(''), stderr: stderr.join('') }
}

const payload = (command: string) =>
  JSON.stringify({
    session_id: 's1',
    cwd: join(root, 'project'),
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  })

/** A call that waits, its question, and what came of it. */
async function asking() {
  const child = spawn(process.execPath, [main, 'hook', 'codex', 'PreToolUse'], {
    env,
    cwd: join(root, 'project'),
  })
  child.stdin.end(payload('deploy now'))
  const answered = child.stdout.toArray().then((chunks) => chunks.join(''))
  mkdirSync(state, { recursive: true })
  questions = openQuestions(state)
  const id = await new Promise<string>((resolve) => {
    const look = () => {
      const [found] = questions!.open()
      if (found) resolve(found.id)
    }
    questions!.follow(look)
    look()
  })
  return { id, answered }
}

describe('by shell', () => {
  it('the command line refuses whoever an agent has started', async () => {
    const { id, answered } = await asking()
    for (const words of [
      ['approvals', 'allow', id],
      ['approvals', 'allow', id.slice(0, 5), '--scope', 'project'],
      ['approvals', 'key', 'webhook'],
      ['approvals', 'sign', id, 'allow', '--digest', 'x', '--as', 'y'],
      ['grants', 'give', id],
      ['ui', '--no-open'],
    ])
      expect(await asAgent(process.execPath, main, ...words)).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringContaining('for people alone'),
      })
    expect(questions!.answerOf(id)).toBeUndefined()
    expect(crosshook('approvals', 'deny', id).status).toBe(0)
    expect(await answered).toContain('deny')
  })

  it('the built-in guards refuse commands and files that lead to a yes', () => {
    const judged = (tool: string, input: object) =>
      spawnSync(process.execPath, [main, 'hook', 'codex', 'PreToolUse'], {
        env: { ...env, CROSSHOOK_NO_DAEMON: '1' },
        cwd: join(root, 'project'),
        encoding: 'utf8',
        input: JSON.stringify({ ...JSON.parse(payload('')), tool_name: tool, tool_input: input }),
      }).stdout
    for (const command of [
      'crosshook approvals allow abcdefgh',
      'npx crosshook grants give abcdefgh',
      'crosshook ui --json',
      `cat ${state}/state.key`,
      `base64 < ${state}/approvals-webhook.key`,
      `cat ${state}/daemon.token`,
      `echo '{"decision":"allow"}' > ${state}/asks/abcdefgh.answer`,
      `cp /tmp/x ${state}/grants/00000000.grant`,
      `rm -rf ${state}/asks`,
      `sed -i s/terminal/agent/ ${root}/home/.config/crosshook/config.toml`,
    ])
      expect([command, judged('Bash', { command })]).toEqual([
        command,
        expect.stringContaining('"permissionDecision":"deny"'),
      ])
  })
})

describe('by HTTP', () => {
  const send = (options: object, body: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = request({ method: 'POST', ...options }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode!, text }))
      })
      sent.on('error', reject)
      sent.end(body)
    })

  it('neither the socket nor a token nor a link that it asks for gives a yes', async () => {
    expect(crosshook('daemon', 'start').status).toBe(0)
    const { id, answered } = await asking()
    const { socket, http, token_file } = JSON.parse(readFileSync(join(state, 'daemon.json'), 'utf8'))
    const { digest } = questions!.get(id)!
    const yes = JSON.stringify({ decision: 'allow', digest })
    const path = `/v1/approvals/${id}/answer`
    expect((await send({ socketPath: socket, path }, yes)).status).toBe(403)
    const { hostname, port } = new URL(http)
    const authorization = `Bearer ${readFileSync(token_file, 'utf8').trim()}`
    expect((await send({ host: hostname, port, path, headers: { authorization } }, yes)).status).toBe(403)
    expect((await send({ host: hostname, port, path }, yes)).status).toBe(401)
    const passkeys = '/v1/approvals/passkeys'
    expect((await send({ socketPath: socket, path: passkeys }, '{}')).status).toBe(403)
    expect(
      (await send({ host: hostname, port, path: passkeys, headers: { authorization } }, '{}')).status,
    ).toBe(403)
    expect((await send({ socketPath: socket, path: '/v1/page/links' }, '{}')).status).toBe(403)
    expect(
      (await send({ host: hostname, port, path: '/v1/page/links', headers: { authorization } }, '{}')).status,
    ).toBe(403)
    expect(questions!.answerOf(id)).toBeUndefined()
    expect(crosshook('approvals', 'deny', id, '--words', 'no').status).toBe(0)
    expect(await answered).toContain('deny')
  })

  it.runIf(process.platform === 'linux')(
    'a browser that the agent has started is refused although it has the session of the page',
    async () => {
      const { url } = JSON.parse(crosshook('ui', '--json').stdout) as { url: string }
      const signedIn = await fetch(url, { redirect: 'manual' })
      const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
      const { origin } = new URL(url)
      const session = await fetch(`${origin}/v1/page/session`, { headers: { cookie } })
      const { csrf } = (await session.json()) as { csrf: string }
      const { id, answered } = await asking()
      const { digest } = questions!.get(id)!
      const script = put(
        'post.mjs',
        `const [url, cookie, csrf, body] = process.argv.slice(2)
const response = await fetch(url, { method: 'POST', body, headers: { cookie, 'x-crosshook-csrf': csrf } })
console.log(response.status)`,
      )
      const words = [
        script,
        `${origin}/v1/approvals/${id}/answer`,
        cookie,
        csrf,
        JSON.stringify({ decision: 'allow', digest }),
      ]
      expect((await asAgent(process.execPath, ...words)).stdout.trim()).toBe('403')
      expect(questions!.answerOf(id)).toBeUndefined()
      // The same request from a person's own program counts.
      const own = spawn(process.execPath, words, { env })
      expect((await own.stdout.toArray()).join('').trim()).toBe('200')
      expect(await answered).not.toContain('deny')
    },
  )
})
