import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { times } from '../../test/times.ts'
import { workTime } from '../../test/work-time.ts'
import { findSecrets } from './find.ts'
import harmless from './fixtures/harmless.json' with { type: 'json' }
import secrets from './fixtures/secrets.json' with { type: 'json' }
import { MARKS } from './mark.ts'
import { redact, redactClipped, redactDeep } from './redact.ts'
import { shapes } from './shapes.ts'

/** Marks without kind and digest. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(MARKS, '[REDACTED]')) as T

const corpus = secrets.map(({ parts, text }) => {
  const secret = parts.join('')
  return { secret, text: text.replace('{secret}', () => secret) }
})

describe('no piece of a secret survives', () => {
  test('the corpus is large enough', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(100)
    expect(new Set(corpus.map(({ secret }) => secret)).size).toBeGreaterThanOrEqual(35)
    expect(harmless.length).toBeGreaterThanOrEqual(30)
  })

  test.each(secrets.map(({ text }, i) => [text, corpus[i]!] as const))('%s', (_, { secret, text }) => {
    expect(survivors(redact(text), secret)).toEqual([])
    expect(redact(redact(text))).toBe(redact(text))
  })

  test('also among other words', () => {
    const all = corpus.map(({ text }) => text).filter((text) => !text.includes('that was cut'))
    const out = redact(all.join('\n\n'))
    expect(corpus.filter(({ secret }) => out.includes(secret)).map(({ text }) => text)).toEqual([])
  })
})

test('text skipped as plain contains nothing that a full search finds', () => {
  const words = [
    ...[
      'git',
      'reset',
      'hard',
      'rm',
      'src',
      'a.b_c-d',
      'Many-letters',
      'twelveletter',
      'x',
      'README.md',
      'v2',
      'a1',
      '12345',
    ],
    ...[
      'mysql',
      'docker',
      'sshpass',
      'htpasswd',
      'rabbitmqctl',
      'add_user',
      'change_password',
      'vault',
      'put',
      'keytool',
      'zip',
      'az',
    ],
    ...[
      'echo',
      'sudo',
      'chpasswd',
      'login',
      'machine',
      'bearer',
      'Basic',
      'identified',
      'by',
      'lftp',
      'curl',
      'redis-cli',
      'useradd',
    ],
    ...[
      'eyJ',
      'eyJhbGci',
      'ZXlK',
      'Mab1cdEfghi-klM_noPqrs2xY.ab1-cD.efG1hijklm-noPqrs_tuVwxYz3bc',
      'hooks.slack.com/services/abcdefgh',
      'Nabcdefghij-klmnopqrst',
      'token',
      'secret',
      'AbCdEfGhIjK',
    ],
    ...shapes().map(([, prefix]) => prefix.replace(/\W+$/, '')),
  ]
  const flag = fc.string({
    unit: fc.constantFrom(...'pPawsAXuUhbnkScefgijlmoqrtvxyz'),
    minLength: 1,
    maxLength: 4,
  })
  const atom = fc.oneof(
    fc.constantFrom(...words),
    fc.stringMatching(/^[A-Za-z]{1,11}$/),
    fc.stringMatching(/^[A-Za-z0-9]{1,11}$/),
  )
  const word = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.array(atom, { minLength: 1, maxLength: 7 }).chain((parts) =>
        fc
          .array(fc.constantFrom('-', '_', '.', '/', ''), {
            minLength: parts.length,
            maxLength: parts.length,
          })
          .map((between) => parts.map((part, at) => (at === 0 ? part : between[at]! + part)).join('')),
      ),
    },
    flag.map((letters) => `-${letters}`),
    atom.map((name) => `--${name}`),
    atom.map((name) => `/${name}`),
  )
  let plain = 0
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 7 }).map((list) => list.join(' ')),
      (text) => {
        const found = findSecrets(text)
        if (found.length === 0) plain++
        if ((redact(text) === text) !== (found.length === 0)) expect.unreachable(text)
      },
    ),
    { numRuns: times(2_000, 30_000) },
  )
  expect(plain).toBeGreaterThan(600)
})

test('JSON skipped as plain contains nothing that a full search finds', () => {
  const leaf = fc.oneof(
    fc.constantFrom(
      'not here',
      'git reset --hard',
      'Deny',
      'src/a.ts',
      'hunter',
      'A1b2C3d4E5f6G7',
      '-p hunter',
      ...[
        'mysql',
        '-p',
        '-phunter2',
        '-u',
        'hunter2',
        'a1-b2',
        'curl',
        '--user',
        'sk-Ab1CdE-Fg2HiJ',
        '123456',
      ],
    ),
    fc.constantFrom(
      'docker login',
      'password is hunter22',
      '{"token":"abc"}',
      'DB_PASSWORD',
      'bob:x@tcp(db)',
      '',
    ),
    fc.constantFrom(...corpus.map(({ text }) => text)),
    fc.constantFrom(7, 12345678, true, null),
  )
  const key = fc.constantFrom(
    'reason',
    'hookEventName',
    'token',
    'pwd',
    'name',
    'value',
    'key',
    'pin',
    'a b',
    '10',
  )
  const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(key, leaf, { maxKeys: 3 }))
  let plain = 0
  fc.assert(
    fc.property(
      fc.dictionary(key, value, { maxKeys: 4 }),
      fc.constantFrom('', ' '),
      fc.constantFrom('', '\n'),
      (object, space, end) => {
        const text = JSON.stringify(object).replace('{"', `{"${space}`) + end
        const found = findSecrets(text)
        if (found.length === 0) plain++
        if ((redact(text) === text) !== (found.length === 0)) expect.unreachable(text)
      },
    ),
    { numRuns: times(2_000, 50_000), examples: [[{ 10: 'DB_PASSWORD', hookEventName: '' }, '', '']] },
  )
  expect(plain).toBeGreaterThan(200)
  expect(redact('{"a":"password=hunter22","a":"x"}')).not.toContain('hunter22')
})

test.each(harmless.map((text) => [text]))('harmless text stays as it is: %s', (text) => {
  expect(redact(text)).toBe(text)
})

test.each([
  ['token=abc next', 'token=[REDACTED] next'],
  ['token:abc next', 'token:[REDACTED] next'],
  ['password: abc, user: bob', 'password: [REDACTED], user: bob'],
  ['{"password":"abc","user":"bob"}', '{"password":"[REDACTED]","user":"bob"}'],
  ['{\\"password\\":\\"abc\\",\\"a\\":1}', '{\\"password\\":\\"[REDACTED]\\",\\"a\\":1}'],
  ['https://bob:abc@example.com/x', 'https://bob:[REDACTED]@example.com/x'],
  ['https://token:abc@example.com/x', 'https://token:[REDACTED]@example.com/x'],
  ['https://e.com/?token=abc&page=2', 'https://e.com/?token=[REDACTED]&page=2'],
  ['-H "Authorization: Bearer abc123" -v', '-H "Authorization: [REDACTED]" -v'],
  ['curl -u bob:abc https://e.com', 'curl -u bob:[REDACTED] https://e.com'],
])('the rest of the text can still be read: %s', (text, expected) => {
  expect(plain(redact(text))).toBe(expected)
})

test('lines inside a JSON text begin where they begin', () => {
  const lines = [
    'auth=hunter2',
    'Bearer abc123def456',
    'Cookie: sid=hunter2',
    'x\tauth: hunter2',
    'C:\\new\\table',
  ]
  const clean = redact(JSON.stringify({ command: lines.join('\n') }))
  expect(clean).not.toMatch(/hunter2|abc123/)
  expect(redact(JSON.stringify(['C:\\new\\table', 'a\tb\r\nc d']))).toBe(
    JSON.stringify(['C:\\new\\table', 'a\tb\r\nc d']),
  )
})

test('values below a secret key are gone, whatever they are', () => {
  const value = {
    password: 1234,
    nested: [{ clientSecret: { value: 'x', list: ['y'] } }, 'token=z'],
    argv: ['login', '--password', 'hunter2', '--verbose'],
    env: [
      { name: 'DB_PASSWORD', value: 'x' },
      { name: 'REGION', value: 'x' },
    ],
    max_tokens: 100,
    ok: true,
    at: new Date(0),
    none: null,
  }
  expect(plain(redactDeep(value))).toEqual({
    password: '[REDACTED]',
    nested: [{ clientSecret: { value: '[REDACTED]', list: ['[REDACTED]'] } }, 'token=[REDACTED]'],
    argv: ['login', '--password', '[REDACTED]', '--verbose'],
    env: [
      { name: 'DB_PASSWORD', value: '[REDACTED]' },
      { name: 'REGION', value: 'x' },
    ],
    max_tokens: 100,
    ok: true,
    at: '1970-01-01T00:00:00.000Z',
    none: null,
  })
  expect(value.password).toBe(1234)
})

test('a cyclic value is redacted without an endless loop', () => {
  const loop: Record<string, unknown> = {}
  loop.self = loop
  expect(JSON.stringify(redactDeep(loop))).toContain('[REDACTED]')
})

test('a cut never leaves a piece of a secret', () => {
  const secret = corpus[0]!.secret
  for (let padding = 900; padding < 3200; padding += 7) {
    const text = `${'x y '.repeat(padding / 4)}password=hunter2hunter2 ${secret} ${'tail '.repeat(600)}`
    const out = redactClipped(text, 2048)
    expect(out.length).toBeLessThanOrEqual(2048)
    expect(survivors(out, secret)).toEqual([])
  }
})

test('every text is read to its end without an error, and so is what came of it', () => {
  const pieces = fc.constantFrom(
    'password',
    'token',
    '=',
    ':',
    '"',
    "'",
    '\\',
    '\n',
    ' ',
    'sk-',
    'a1B2c3D4e5F6',
    '://',
    '@',
    '&',
    '?',
    '-',
    '--',
    'Authorization',
    'Bearer ',
    'Basic ',
    '[REDACTED]',
    '[REDACTED:token:ab12cd]',
    '</',
    '>',
    '<',
    '|',
    'eyJ',
    '.',
    ',',
    ';',
    '{',
    '}',
    'x',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (words) => {
      expect(typeof redact(redact(words.join('')))).toBe('string')
    }),
    { numRuns: times(700, 20_000) },
  )
})

const HOSTILE: Record<string, string> = {
  'one letter': 'a',
  keys: 'a=',
  'secret keys': 'password=',
  'secret keys with quotes': 'password="',
  'escaped quotes': 'token=\\"\\\\\'',
  'secret keys on lines': "password='\n",
  dashes: '-',
  flags: '--password ',
  'short flags': '-u a',
  'URL starts': 'a://b:',
  'URL logins': 'a://b:c@',
  'half a JWT': '_eyJ',
  'JWT dots': 'eyJaaaaaa.',
  'sk dashes': '-sk-',
  'key blocks': '-----BEGIN PRIVATE KEY-----\n',
  schemes: 'Basic Bearer ',
  'header lines': 'Authorization: Digest a ',
  cookies: '"Cookie: ',
  elements: '<password>',
  'open elements': '</',
  spoken: 'password is ',
  netrc: 'login ',
  backslashes: '\\',
  spaces: 'password   ',
  brackets: 'password=]',
  'sendgrid starts': 'SG.aaaaaaaaaaaaaaaa.',
  newlines: 'secret:\n',
  digits: '12345678:',
  words: 'a.b/c_',
  values: 'value=',
  named: 'name: a, value: ',
  databases: 'mysql ',
  pipes: 'echo a |',
  'data sources': 'a:b@',
  'percent signs': 'token%3',
}

test.each(Object.entries(HOSTILE))('a megabyte of hostile text takes little time: %s', (_, piece) => {
  const text = piece.repeat(Math.ceil(1024 ** 2 / piece.length))
  for (const hostile of [text, `"password": ${text}`])
    expect(workTime(500, () => redact(hostile))).toBeLessThan(500)
})

/** Pieces of eight characters (or the whole of a short secret) that are still there. */
function survivors(text: string, secret: string): string[] {
  const body = secret.replace(/-----[A-Z ]+-----|^https:\/\/[\w./]+(?:services|webhooks)\//g, '')
  const size = Math.min(8, body.length)
  const pieces = Array.from({ length: body.length - size + 1 }, (_, i) => body.slice(i, i + size))
  return pieces.filter((piece) => text.includes(piece))
}

test('text that the quick check takes for plain is plain by the full check', () => {
  const word = fc.constantFrom(
    ...[
      'sk',
      'xoxb',
      'glpat',
      'pypi',
      'PMAK',
      'AKIA',
      'SG',
      'hvs',
      'KEY',
      'token',
      'secret',
      'password',
      'api',
    ],
    ...['key', 'auth', 'Bearer', 'basic', 'login', 'bob', 'identified', 'by', 'is', 'user', 'mysql', 'echo'],
    ...['abc123', 'hunter2', 'Ab1Cd2Ef3', '12345678', 'zq8', 'a', 'not', 'here', 'Use', 'instead', ''],
  )
  const between = fc.constantFrom(' ', '-', '/', '.', '_', ', ', '--', ' -')
  fc.assert(
    fc.property(fc.array(fc.tuple(word, between), { minLength: 1, maxLength: 6 }), (parts) => {
      const text = parts.flat().slice(0, -1).join('')
      // With this before it every text is looked at closely.
      if (redact(text) === text) expect(redact(`~\n${text}`)).toBe(`~\n${text}`)
    }),
    { numRuns: times(5_000, 100_000) },
  )
})

test('a field of a record is kept whatever it holds, and a secret one beside it is not', () => {
  const record = {
    event: 'x',
    session_id: 'x',
    input_digest: 'x',
    duration_ms: 1,
    session_key: 'x',
    token: 'x',
  }
  expect(plain(redactDeep(record))).toEqual({ ...record, session_key: '[REDACTED]', token: '[REDACTED]' })
})
