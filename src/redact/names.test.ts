import { expect, test } from 'vitest'
import { isSecretKey } from './names.ts'

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
