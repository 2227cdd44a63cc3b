import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hints, isPerhapsSecretKey, isSecretKey, mayBeSecret, SECRET_NAME } from './names.ts'

test.each([
  ...['GITHUB_TOKEN', 'clientSecret', 'X-Api-Key', 'DB_PASSWD', 'passphrase', 'pass_code', 'Authorization'],
  ...['private_key', 'service_role_key', 'ConnectionString', 'auth', 'MY_PASS', 'pw', 'x-psw', 'aws.creds'],
  ...[
    'credentials',
    'Set-Cookie',
    'BEARER',
    'id.jwt',
    'hmac',
    'SENTRY_DSN',
    'my-pwd',
    'userpw',
    'ftp_pwd',
    'rootpass',
  ],
])('%s announces a secret', (name) => {
  expect(isSecretKey(name)).toBe(true)
})

test.each([
  'PWD',
  'OLDPWD',
  'SSH_AUTH_SOCK',
  'XAUTHORITY',
  'PATH',
  'HOME',
  'LANG',
  'csrf_token',
  'tokenizer',
])('%s announces none', (name) => {
  expect(isSecretKey(name)).toBe(false)
})

test('every name that the pattern of secrets matches passes the quick check, most others do not', () => {
  const source = new RegExp(SECRET_NAME.source.replace('(?!iz)', ''))
  let matched = 0
  fc.assert(
    fc.property(fc.stringMatching(source, { maxLength: 60 }), fc.boolean(), (text, isUpper) => {
      const name = isUpper ? text.toUpperCase() : text
      if (!SECRET_NAME.test(name)) return
      matched++
      expect([name, mayBeSecret(name)]).toEqual([name, true])
    }),
    { numRuns: 1000 },
  )
  expect(matched).toBeGreaterThan(100)
  for (const name of ['PATH', 'HOME', 'LANG', 'TERM', 'CLAUDE_PROJECT_DIR', 'XDG_DATA_DIRS'])
    expect([name, mayBeSecret(name)]).toEqual([name, false])
})

const HINT =
  /token|secret|key|pass|pwd|pw|auth|cookie|credential|sig|code|jwt|hmac|connection|value|bearer|session|pin|salt|_pat(?![a-z])/i
const PERHAPS = /key$|^(?:SALT|PIN|SIGNATURE)$/i

test('the quick checks say what their patterns say', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'key',
      'Key',
      'SALT',
      'pin',
      'Signature',
      'to',
      'ken',
      'code',
      '_pat',
      '_PATH',
      'h',
      's',
      'pw',
      '_',
    ),
    fc.string({ maxLength: 3 }),
  )
  let hinted = 0
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const text = parts.join('')
      if (HINT.test(text)) hinted++
      expect([text, hints(text)]).toEqual([text, HINT.test(text)])
      if (!PERHAPS.test(text)) expect([text, isPerhapsSecretKey(text)]).toEqual([text, false])
    }),
    { numRuns: 2000 },
  )
  expect(hinted).toBeGreaterThan(100)
  expect(['MY_KEY', 'pin', 'PIN', 'Salt'].map(isPerhapsSecretKey)).toEqual([true, false, true, false])
})
