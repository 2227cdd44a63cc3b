/** Those who answer: a page in a real browser, a terminal of tmux, a webhook, a stand-in for ntfy. */

import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import type { Question } from '../../../src/ask/question.ts'
import { signedHeaders, verifySigned } from '../../../src/ask/standard-webhooks.ts'
import type { Place } from '../agents/agent.ts'
import { put } from '../agents/files.ts'
import { mainOf, nodeOf } from '../program.ts'

type Decision = 'allow' | 'deny'

export interface People {
  /** Opens page and terminal, once crosshook is set up. */
  open(): Promise<void>
  page(question: Question, decision: Decision, words?: string): Promise<void>
  terminal(question: Question, decision: Decision): Promise<void>
  webhook(question: Question, decision: Decision): Promise<void>
  ntfy(question: Question, label: 'Allow' | 'Deny'): Promise<void>
  close(): Promise<void>
}

const SETTINGS = (wait: number, webhook: string, ntfy: string) => `[approvals]
via = ["agent", "page", "terminal", "webhook", "ntfy"]
wait = ${wait}
webhook = { url = "${webhook}/questions" }
ntfy = { url = "${ntfy}/agents" }
`

export async function people(
  place: Place,
  env: NodeJS.ProcessEnv,
  { wait }: { wait: number },
): Promise<People> {
  const exec = promisify(execFile)
  const crosshook = async (...args: string[]) =>
    (await exec(nodeOf(place), [mainOf(place), ...args], { cwd: place.project, env })).stdout
  const arrived = arrivals<{ headers: IncomingMessage['headers']; body: string }>()
  const receiver = await serve(async (_path, request, body) => {
    const { data } = JSON.parse(body) as { data: { id: string } }
    if (body.includes('"approval.asked"')) arrived.add(data.id, { headers: request.headers, body })
    return ''
  })
  const messages = arrivals<{ label: string; url: string; body: string }[]>()
  const followers = new Set<(text: string) => void>()
  const ntfy = await serve(
    async (path, _request, body) => {
      if (path === '/') {
        const { actions, message } = JSON.parse(body) as { actions?: never[]; message: string }
        if (actions) messages.add(message.split('\n')[0]!, actions)
      } else
        for (const write of followers)
          write(`${JSON.stringify({ id: '1', event: 'message', message: body })}\n`)
      return '{}'
    },
    (write) => {
      followers.add(write)
      write('{"event":"open"}\n')
    },
  )
  put(join(place.home, '.config/crosshook/config.toml'), SETTINGS(wait, receiver.url, ntfy.url))
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  let opened: Page
  let http = ''
  let secret = ''
  const tmux = (...args: string[]) =>
    exec('tmux', ['-L', 'ask', ...args], { env: { ...env, TERM: 'screen' } })
  const screen = async () => (await tmux('capture-pane', '-p', '-t', 'people')).stdout

  return {
    async open() {
      secret = (await crosshook('approvals', 'key', 'webhook')).trim()
      const { url } = JSON.parse(await crosshook('ui', '--json')) as { url: string }
      http = new URL(url).origin
      opened = await browser.newPage()
      await opened.goto(url)
      await opened.locator('.connection[data-state=connected]').waitFor()
      await opened.goto(`${http}/approvals`)
      await opened.getByText('No agent waits for you').waitFor()
      const command = `${nodeOf(place)} ${mainOf(place)} approvals`
      await tmux('new-session', '-d', '-s', 'people', '-x', '120', '-y', '40', '-c', place.project, command)
      await until(async () => (await screen()).includes('Nothing waits'))
    },
    async page({ id }, decision, words = '') {
      const card = opened.locator(`.approval[data-id="${id}"]`)
      if (words !== '') await card.getByRole('textbox').fill(words)
      await card.getByRole('button', { name: decision === 'allow' ? 'Allow' : 'Deny' }).click()
    },
    async terminal({ id }, decision) {
      await until(async () => (await screen()).includes(`▸ ${id}`))
      await tmux('send-keys', '-t', 'people', decision === 'allow' ? 'y' : 'n')
    },
    async webhook({ id }, decision) {
      const { headers, body } = await arrived.of(id)
      verifySigned(secret, { headers: headers as Record<string, string>, body })
      const { data } = JSON.parse(body) as { data: Question }
      const answer = JSON.stringify({ type: 'approval.answer', data: { id, decision, digest: data.digest } })
      const response = await fetch(`${http}/v1/approvals/answers/webhook`, {
        method: 'POST',
        body: answer,
        headers: { 'content-type': 'application/json', ...signedHeaders(secret, `answer-${id}`, answer) },
      })
      if (!response.ok) throw new Error(`the webhook's answer was refused: ${await response.text()}`)
    },
    async ntfy({ summary }, label) {
      const buttons = await messages.of(summary)
      const { url, body } = buttons.find((button) => button.label === label)!
      await until(async () => followers.size > 0)
      await fetch(url, { method: 'POST', body })
    },
    async close() {
      await browser.close()
      await tmux('kill-server')
      for (const { server } of [receiver, ntfy]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

/** Things that arrive under a name, now or later. */
function arrivals<T>() {
  const here = new Map<string, T>()
  const waiting = new Map<string, (value: T) => void>()
  return {
    add(name: string, value: T) {
      here.set(name, value)
      waiting.get(name)?.(value)
    },
    of: (name: string) =>
      here.has(name)
        ? Promise.resolve(here.get(name)!)
        : new Promise<T>((resolve) => waiting.set(name, resolve)),
  }
}

async function serve(
  take: (path: string, request: IncomingMessage, body: string) => Promise<string>,
  follow?: (write: (text: string) => void) => void,
): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    if (request.method === 'GET' && follow) return follow((text) => void response.write(text))
    let body = ''
    for await (const chunk of request) body += chunk
    response.end(await take(request.url!, request, body))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 100))
}
