import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { daemonOptions } from './options.ts'
import { type Place, place } from './testing.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

function refusal(at: Place, settings: string): Promise<{ code: string; message: string; fix: string }> {
  at.configure('crosshook/config.toml', settings)
  return daemonOptions(at.env).then(
    () => Promise.reject(new Error('it was accepted')),
    (error) => error,
  )
}

test.for([
  ['[daemon]\nexecute_tol = true\n', /unknown setting execute_tol/, /of \[daemon\] are: .*execute_tool/],
  ['[daemon]\nmax_concurrent = "lots"\n', /daemon\.max_concurrent/, /value of daemon\.max_concurrent/],
  ['[daemon\n', /config\.toml/, /Correct the file/],
  ['[daemon]\ntls_cert = "c.pem"\n', /tls_key is missing/, /both/],
  ['[daemon]\ntls_cert = "c.pem"\ntls_key = "k.pem"\n', /config\/crosshook\/c\.pem/, /tls_cert/],
  ['[daemon]\notlp_endpoint = "nonsense"\n', /"nonsense"/, /http:\/\/127\.0\.0\.1:4318/],
  ['[daemon]\notlp_endpoint = "file:///x"\n', /not a URL/, /http:/],
  ['[daemon]\nhttp = "127.0.0.1:99999"\n', /not HOST:PORT/, /127\.0\.0\.1:8787/],
  ['[daemon]\ngrpc = "0.0.0.0:0"\n', /no certificate/, /tls_cert/],
] as const)('%j is refused, and says what to do', async ([settings, message, fix]) => {
  const error = await refusal(place(), settings)
  expect(error.message).toMatch(message)
  expect(error.fix).toMatch(fix)
  expect(error.code).not.toBe('internal')
})

test('an error elsewhere in the settings does not keep the daemon from starting', async () => {
  const at = place()
  at.configure('crosshook/config.toml', 'disabled = 3\n[daemon]\nexecute_tool = true\n')
  expect(await daemonOptions(at.env)).toMatchObject({ executeTool: true })
})

test.skipIf(!hasOpenssl)('a certificate that cannot be used is refused before anything listens', async () => {
  const at = place()
  const path = (name: string) => join(at.root, name)
  const openssl = (line: string) => spawnSync('openssl', line.split(' '), { cwd: at.root })
  for (const name of ['a', 'b'])
    openssl(
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=x -keyout ${name}.key -out ${name}.pem`,
    )
  openssl('ec -in a.key -aes256 -passout pass:abcd -out locked.key')
  writeFileSync(path('text'), 'text')
  const settings = (cert: string, key: string) =>
    `[daemon]\ntls_cert = "${path(cert)}"\ntls_key = "${path(key)}"\n`
  for (const [cert, key] of [
    ['a.pem', 'b.key'],
    ['a.key', 'a.pem'],
    ['a.pem', 'locked.key'],
    ['text', 'text'],
  ] as const) {
    const error = await refusal(at, settings(cert, key))
    expect(error).toMatchObject({ code: 'bad_settings', fix: expect.stringContaining('PEM') })
    expect(error.message).toContain(path(cert))
  }
  at.configure('crosshook/config.toml', settings('a.pem', 'a.key'))
  expect((await daemonOptions(at.env)).tls).toBeDefined()
})
