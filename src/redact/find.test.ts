import { expect, test } from 'vitest'
import { findSecrets } from './find.ts'
import { useMarkKey } from './mark.ts'
import { learnSecrets, redact, redactDeep } from './redact.ts'
import { shapes } from './shapes.ts'

/** A text of this shape, by a generator that always gives the same. Repetitions take their least length. */
function sample(body: string, seed: number): string {
  let state = seed
  const random = (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * most)
  }
  const CLASSES: Record<string, string> = {
    '\\w': 'abcdefghjkmnpqrstuvwzABCDEFGHJKMNPQRSTUVWZ23456789_',
    '\\d': '0123456789',
  }
  let at = 0
  const alternatives = (): string => {
    const found = ['']
    while (at < body.length && body[at] !== ')') {
      if (body[at] === '|') {
        found.push('')
        at++
        continue
      }
      found[found.length - 1] += part()
    }
    return found[0]!
  }
  const part = (): string => {
    const start = at
    const once = (): string => {
      at = start
      if (body.startsWith('(?!', at)) {
        at = body.indexOf(')', at) + 1
        return ''
      }
      if (body.startsWith('(?:', at)) {
        at += 3
        const text = alternatives()
        at++
        return text
      }
      if (body[at] === '[') {
        const end = body.indexOf(']', at)
        const inside = body.slice(at + 1, end)
        at = end + 1
        const letters = inside
          .replaceAll(/\\w|\\d/g, (name) => CLASSES[name]!)
          .replaceAll(/(\w)-(\w)/g, (_, a: string, z: string) =>
            Array.from({ length: z.charCodeAt(0) - a.charCodeAt(0) + 1 }, (_, i) =>
              String.fromCharCode(a.charCodeAt(0) + i),
            ).join(''),
          )
          .replaceAll(/[-=.~+/%_]/g, '')
        return letters[random(letters.length)] ?? '_'
      }
      if (body[at] === '\\') {
        at += 2
        const letters = CLASSES[body.slice(at - 2, at)] ?? body[at - 1]!
        return letters[random(letters.length)]!
      }
      return body[at++]!
    }
    const first = once()
    const repeat = /^(?:\{(\d+)(?:,\d+)?\}|([?+]))/.exec(body.slice(at))
    if (!repeat) return first
    const end = at + repeat[0].length
    const times = repeat[1] === undefined ? (repeat[2] === '+' ? 1 : 0) : Number(repeat[1])
    let text = ''
    for (let i = 0; i < times; i++) text += once()
    at = end
    return text
  }
  return alternatives()
}

test('there are the shapes of many providers, each row its own', () => {
  expect(new Set(shapes().map(([kind]) => kind.split('-')[0])).size).toBeGreaterThan(140)
  expect(new Set(shapes().map(([, prefix, body]) => prefix + body)).size).toBe(shapes().length)
})

test.each(shapes().map(([kind, prefix, body]) => [`${kind} ${prefix}`, prefix, body] as const))(
  'a key of this shape is found whole, in code, in a command and in JSON: %s',
  (_, prefix, body) => {
    const key = prefix + sample(body, 20_261_116 + prefix.length)
    for (const text of [key, `x = "${key}"`, `run ${key} now`, JSON.stringify({ text: `\n${key}\n` })]) {
      const start = text.indexOf(key)
      expect(findSecrets(text, { certain: true })).toContainEqual(
        expect.objectContaining({ start, end: start + key.length, certain: true }),
      )
      expect(redact(text)).not.toContain(key)
    }
  },
)

test.each([
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'AKIAIOSFODNN7EXAMPLE',
  'sk-...',
  'token=$TOKEN',
  `password=\${DB_PASSWORD}`,
  'api_key: <your key>',
  'password=changeme',
  'Authorization: Bearer $TOKEN',
  'curl -u "$USER:$PASSWORD" https://example.com',
  'git clone https://$TOKEN@github.com/a/b',
  'docker login -u bob -p $PASS',
  'password: "{{ vault_password }}"',
  'docker run -p 8080:80 nginx',
  'ssh -p 2222 bob@example.com',
  'mkdir -p src/api2/v1',
  'primary_key = "id2name3value"',
  'cache_key: users42list7page1',
  'sort-key=created2024at',
  'token_url=https://example.com/oauth2/token',
  'secret_name: prod/db2/main',
  'http://localhost:8080/@scope/pkg',
  'test_user2_login3_works',
  'key-value-store-v2-backend',
  'token: process.env.TOKEN',
  'const password = getPassword()',
  'git config set user.name bob',
  'export MY_PATH=/usr/bin',
  'vault login -method=oidc',
  'glpat-is-the-prefix-of-gitlab',
])('a placeholder or a plain name is no secret: %s', (text) => {
  expect(findSecrets(text)).toEqual([])
  expect(redact(text)).toBe(text)
})

test('a key that public SDKs show as a sample is not reported; another of its shape is', () => {
  const [sample, own] = ['DNSXIbFmlXbIE6mCzDLQAqITYefhixbX4A', 'DNSXIbFmlXbIE6mCzDLQAqITYefhixbX4B']
  expect(findSecrets(`AIzay${sample}`, { certain: true })).toEqual([])
  expect(findSecrets(`AIzay${own}`, { certain: true })).toHaveLength(1)
})

test.each([
  `AKIA${'QWMZKXVBNRTPLHGD'}`,
  `glpat-${'kQzWvXtPbNrMhJgDsLcF'}`,
  `sk_live_${'hqzwvxtpbnrmhjgdslcfykwq'}`,
])('a key of letters only is one: %s', (key) => {
  expect(findSecrets(`use ${key} here`)).toMatchObject([{ certain: true }])
  expect(redact(key)).not.toContain(key.slice(8))
})

test.each([
  ['docker login reg.example.com -u bob -p "{}"'],
  ['podman login --username bob -p {} quay.io'],
  ['zip -r -P {} out.zip src'],
  ['7z a -p{} out.7z src'],
  ['unzip -P {} in.zip'],
  ["mysqldump -h db -u root -p'{}' shop"],
  ['redis-cli -h cache -a {} ping'],
  ['ldapsearch -x -D cn=admin -w {} -b dc=x'],
  ['sqlcmd -S db -U sa -P {} -Q "select 1"'],
  ['smbclient //nas/share -U bob%{}'],
  ['keytool -list -storepass {} -keystore k.jks'],
  ['htpasswd -nb bob {}'],
  ['openssl pkcs12 -in a.p12 -passin pass:{} -nodes'],
  ['echo {} | sudo -S apt update'],
  ['sudo -S true <<< {}'],
  ["echo 'bob:{}' | chpasswd"],
  ['curl -H "X-Auth-Key: {}" https://api.example.com'],
  ['curl -H "X-Vault-Token: {}" https://vault.example.com'],
  ['curl https://api.telegram.org/bot123456789:{}AbCdEfGhIjKl9/getMe'],
  ['MAPS_KEY={} node server.js'],
  ['SALT={} node server.js'],
  ['REDIS_PW={}'],
  ['db.example.com:5432:*:app:{}'],
  ['machine api.example.com login bob password {}'],
  ['{"auths":{"reg.io":{"password":"{}"}}}'],
  ['database:\n  user: app\n  password: {}\n'],
  ['[client]\nuser=root\npassword={}\n'],
  ['amqp://guest:{}@mq.example.com:5672/%2f'],
  ['mongodb+srv://app:{}/x@cluster0.example.net/db'],
  ['AKIAQ3EGRZ2D7K5LWX4M and 8Kf{}wPz0+Lm/3Tq9bYcR2nV5kD'],
  ['vault write auth/approle/login secret_id={}'],
  ['wget --http-password={} https://example.com/x'],
  ['set -gx GITHUB_TOKEN {}'],
  ['$env:API_TOKEN = "{}"'],
  ['--set db.password={}'],
  ['-Dspring.datasource.password={}'],
  ['openssl enc -aes-256-cbc -k {} -in a -out b'],
  ['vault login {}'],
  ['gh secret set DEPLOY --body "{}"'],
  ['doppler secrets set API_TOKEN {}'],
  ['npm config set //reg.example.com/:_authToken {}'],
  ['export GH_PAT={}'],
  ['user.set_password("{}")'],
  ['net use x: \\\\nas\\share {} /user:bob'],
])('structure gives a secret away: %s', (text) => {
  const secret = 'hV7qTz2Rw9LmNc4'
  const given = text.replace('{}', secret)
  expect(redact(given)).not.toContain(secret)
  expect(redact(JSON.stringify({ command: given }))).not.toContain(secret)
  expect(redact(redact(given))).toBe(redact(given))
})

test('values of secret variables are found under any name, those of others are not', () => {
  const env = {
    DEPLOY_TOKEN: 'blue-horse-staple',
    HOME: '/home/bob-the-builder',
    API_KEY_FILE: '/run/secrets/api-key',
    SECRET_DEBUG: 'true',
    PASSWORD: 'short',
  }
  expect(findSecrets('say blue-horse-staple in /home/bob-the-builder, true, short', { env })).toEqual([
    { kind: 'environment', start: 4, end: 21, certain: true },
  ])
  learnSecrets(env)
  expect(redact('say blue-horse-staple')).toMatch(/^say \[REDACTED:environment:[0-9a-f]{6}\]$/)
  expect(redactDeep({ a: ['blue-horse-staple'] })).toEqual({ a: [expect.stringContaining('REDACTED')] })
})

test('equal secrets have equal marks, others do not, and another key gives other marks', () => {
  useMarkKey(() => 'one')
  const first = redact('password=hunter2')
  expect(redact('x password=hunter2')).toBe(`x ${first}`)
  expect(redact('password=hunter3')).not.toBe(first)
  useMarkKey(() => 'two')
  expect(redact('password=hunter2')).not.toBe(first)
  expect(first).toMatch(/^password=\[REDACTED:password:[0-9a-f]{6}\]$/)
})

test('overlapping matches are one secret, certain if any part is', () => {
  const key = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
  expect(findSecrets(`Authorization: Bearer ${key}`)).toEqual([
    { kind: 'github-pat', start: 15, end: 22 + key.length, certain: true },
  ])
})

const DRAWN = [
  'kX7vQ2mZ9tR4wB8nL3pF6s',
  'wJb7rXUt9FEMI/K7MDq2G/bPx4RfiCYzR8Kk1Ea5',
  'f3a91c07be52d684f3a9e1c70b5d2846f19c3e70',
]

test.each(
  DRAWN.flatMap((value) => [
    `AWS_SECRET_ACCESS_KEY=${value}`,
    `const apiKey = '${value}';`,
    `{"client_secret": "${value}"}`,
    `db.password: ${value}`,
    `<authToken>${value}</authToken>`,
    `curl -H "Authorization: Bearer ${value}" https://a.test`,
    `deploy --token ${value}`,
    `const apiKey: string = '${value}'`,
    `var apiToken string = "${value}"`,
    `const API_TOKEN: &str = "${value}";`,
    `ENV['API_TOKEN'] ||= '${value}'`,
    `System.setProperty("API_TOKEN", "${value}")`,
    `<authToken>\n  ${value}\n</authToken>`,
    `- name: API_TOKEN\n  value: ${value}`,
  ]),
)('a word drawn at random under a name that says secret is certain: %s', (text) => {
  expect(findSecrets(text, { certain: true })).toHaveLength(1)
})

test('a variable of the environment needs fewer digits to be a key than a field, where they may be a digest', () => {
  const value = '9f86d081884c7d659a2feaa0c55ad015'
  expect(findSecrets(`ADOBE_API_KEY=${value}`, { certain: true })).toHaveLength(1)
  expect(findSecrets(`token: "${value}"`, { certain: true })).toEqual([])
  expect(findSecrets(`token: "${value}"`)).toHaveLength(1)
})

test.each([
  'const token = createAccessTokenForUser2(user)',
  'password: correct-horse-battery-staple',
  'token: 123e4567-e89b-12d3-a456-426614174000',
  'secret_path=/etc/ssl/private/2026/server_v2/tls',
  'cache_key: 5f4dcc3b5aa765d61d8327deb882cf99aa765d61',
  'integrity: "sha512-kX7vQ2mZ9tR4wB8nL3pF6skX7vQ2mZ9tR4wB8nL3pF6s=="',
  'API_KEY=your-api-key-goes-here-1234',
  'commit f3a91c07be52d684f3a9e1c70b5d2846f19c3e70',
  'interface Login { token: string; password: string }',
  'const token: string = await fetchTokenOfUser2Today(user)',
  'type Login struct { Token string `json:"token"` }',
  "getenv('API_TOKEN', 'the-default-of-2-tests')",
  '- name: API_URL\n  value: kX7vQ2mZ9tR4wB8nL3pF6s',
])('what a person may write is not certain: %s', (text) => {
  expect(findSecrets(text, { certain: true })).toEqual([])
})
