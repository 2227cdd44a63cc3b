/** Views for people: what needs attention, agents, hooks. The page shows them; programs may use them too. */

import { switchHook } from '../../config/switch-hook.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import type { Core } from '../core.ts'
import { agentsJson } from '../views/agents.ts'
import { type Attention, attention } from '../views/attention.ts'
import { lastReport, runDoctor } from '../views/checkups.ts'
import { hookOf, hooksJson } from '../views/hooks.ts'
import { trustSeen, trustView, untrust } from '../views/trust.ts'
import { parseObject, readBody } from './body.ts'
import type { RouteContext } from './routes.ts'
import { readStatus } from './status.ts'

/** How often doctor runs again while somebody looks. */
const CHECK_AFTER_MS = 30 * 60_000

/** In the background, in a process of its own: its result is there at the next look. */
function checkSoon({ runtime, env, log }: Core): void {
  const { state, home } = runtime.paths
  const at = lastReport(state)?.at
  if (at !== undefined && Date.now() - Date.parse(at) < CHECK_AFTER_MS) return
  runDoctor(env, state, home).catch((error: unknown) => log.warn(messageOf(error)))
}

export async function getAttention(core: Core, c: RouteContext): Promise<Response> {
  if (core.people.sessionOf(c.env.incoming)) checkSoon(core)
  const more = [...(await ownTroubles(core)), ...(await waiting(core))]
  return c.json({ items: await attention(core.runtime, { more }) })
}

/** Questions of agents that wait for an answer. */
async function waiting({ frontDesk }: Core): Promise<Attention[]> {
  const { desk } = await frontDesk.get()
  return desk.questions.open().map(({ id, agent_title, summary, at, deadline }) => ({
    id: `approval-${id}`,
    kind: 'approval',
    level: 'error',
    title: `${agent_title} waits for your answer: ${summary}`,
    detail: `Without one it is refused at ${deadline}.`,
    fix: `crosshook approvals show ${id}`,
    link: '/approvals',
    at,
  }))
}

/** Problems that the host itself has noticed. */
async function ownTroubles(core: Core): Promise<Attention[]> {
  const { health } = await readStatus(core)
  return health.warnings
    .filter(({ code }) => code !== 'unresolved_hook_dead_letters')
    .map(({ severity, code, message, action }) => ({
      id: `host-${code}-${message}`,
      kind: 'storage',
      level: severity === 'error' ? 'error' : 'warning',
      title: message,
      detail: '',
      fix: action,
      link: null,
      at: null,
    }))
}

export function getAgents({ runtime }: Core, c: RouteContext): Response {
  return c.json(agentsJson(runtime))
}

/** Takes seconds: one call for each event of each agent. */
export async function postCheck({ runtime, env }: Core, c: RouteContext): Promise<Response> {
  await runDoctor(env, runtime.paths.state, runtime.paths.home)
  return c.json(agentsJson(runtime))
}

export async function getHooks({ runtime }: Core, c: RouteContext): Promise<Response> {
  return c.json(await hooksJson(runtime))
}

export async function getTrust({ runtime }: Core, c: RouteContext): Promise<Response> {
  return c.json(await trustView(runtime, c.req.param('id')!))
}

export async function postTrust(core: Core, c: RouteContext): Promise<Response> {
  const { seen, everywhere } = await body(core, c)
  await trustSeen(core.runtime, c.req.param('id')!, { seen, everywhere: everywhere === true, env: core.env })
  return c.json({ trusted: true })
}

export async function postUntrust({ runtime }: Core, c: RouteContext): Promise<Response> {
  return c.json({ untrusted: await untrust(runtime, c.req.param('id')!) })
}

export async function postSwitch(core: Core, c: RouteContext): Promise<Response> {
  const { to } = await body(core, c)
  if (to !== 'on' && to !== 'off')
    throw new CrosshookError('bad_input', 'to must be "on" or "off".', { fix: '{"to": "off"}' })
  const { runtime } = core
  const { row } = await hookOf(runtime, c.req.param('id')!)
  const { hook } = row
  if (hook.scope === 'managed')
    throw new CrosshookError('refused', `${hook.name} is managed: only an administrator switches it off.`, {
      fix: `It stands in ${hook.origin.file}.`,
    })
  if (hook.disabled && to === 'on')
    throw new CrosshookError('refused', `${hook.name} is switched off in its own file.`, {
      fix: `Take \`enabled: false\` out of ${hook.origin.file}.`,
    })
  const changed = switchHook(runtime.paths.settings, hook.name, to)
  return c.json({ name: hook.name, to, changed })
}

async function body(core: Core, c: RouteContext): Promise<Record<string, unknown>> {
  const { adminBytes: bytes, bodyTimeout: timeout } = core.options.limits
  const text = await readBody(c.env.incoming, { bytes, timeout })
  return text.trim() === '' ? {} : parseObject(text, 'GET /v1/openapi.json says what it takes.')
}
