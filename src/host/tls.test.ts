import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CrosshookClient } from '../sdk/client/client.ts'
import { place, runningDaemon } from './testing.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test.skipIf(!hasOpenssl)('with a certificate both APIs speak TLS', async () => {
  const at = place()
  const [cert, key] = [join(at.root, 'cert.pem'), join(at.root, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  spawnSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject])
  at.configure('crosshook/config.toml', `[daemon]\ntls_cert = "${cert}"\ntls_key = "${key}"\n`)
  const { daemon, token } = await runningDaemon({ at })
  expect(daemon.status.http).toMatch(/^https:/)
  const ca = readFileSync(cert)
  const fire = () =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      const sent = request(`${daemon.status.http}/v1/events`, { method: 'POST', ca, headers }, (response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk))
        response.once('end', () => resolve(JSON.parse(text)))
      })
      sent.once('error', reject)
      sent.end('{"event_type":"before_tool","tool_name":"Shell"}')
    })
  expect(await fire()).toMatchObject({ decision: 'allow' })
  const client = new CrosshookClient({ address: `https://${daemon.status.grpc}`, token, ca: ca.toString() })
  onTestFinished(() => client.close())
  await client.registerHook('PreToolUse', () => ({ action: 'block', reason: 'over TLS' }))
  expect(await fire()).toMatchObject({ decision: 'deny', reason: 'over TLS' })
  // A client that is told nothing but the certificate finds the daemon, and speaks TLS as well.
  vi.stubEnv('XDG_STATE_HOME', at.env.XDG_STATE_HOME)
  const finder = new CrosshookClient({ ca: ca.toString() })
  onTestFinished(async () => {
    await finder.close()
    vi.unstubAllEnvs()
  })
  expect(await finder.listHooks()).toHaveLength(1)
  const stranger = new CrosshookClient()
  onTestFinished(() => stranger.close())
  await expect(stranger.listHooks()).rejects.toThrow(/certificate/)
})
