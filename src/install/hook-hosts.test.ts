import { expect, test } from 'vitest'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import { hookHostProblems } from './hook-hosts.ts'

const ADDRESSES: Record<string, string[]> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'metadata.example': ['93.184.215.14', '169.254.169.254'],
  'own.example': ['127.0.0.1'],
  'empty.example': [],
}

async function lookup(host: string): Promise<string[]> {
  const found = ADDRESSES[host]
  if (!found) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
  return found
}

function calling(name: string, url: string, more: Partial<Hook> = {}): Hook {
  return {
    ...HOOK_DEFAULTS,
    name,
    format: 'agenthooks',
    scope: 'user',
    events: ['before_tool'],
    run: { type: 'http', url },
    origin: { file: 'f' },
    ...more,
  }
}

const problems = (hooks: Hook[], allowedHosts: string[] = []) =>
  hookHostProblems(hooks, { allowedHosts, lookup })

test('names hosts that do not resolve or are local, and no others', async () => {
  const found = await problems([
    calling('good', 'https://public.example/hook?token=secret'),
    calling('gone', 'https://gone.example/hook?token=secret'),
    calling('also gone', 'https://gone.example/other'),
    calling('empty', 'https://empty.example/'),
    calling('metadata', 'http://metadata.example:8080/latest'),
    calling('literal', 'https://93.184.215.14/'),
    calling('off', 'https://off.example/', { disabled: true }),
    calling('no server', '', { run: { type: 'command', argv: ['true'] } }),
  ])
  expect(found.map(({ level, message }) => [level, message])).toEqual([
    [
      'warning',
      'https://gone.example, which HTTP hooks call ("gone", "also gone"), does not resolve (ENOTFOUND)',
    ],
    [
      'warning',
      'https://empty.example, which HTTP hooks call ("empty"), does not resolve (it has no address)',
    ],
    [
      'error',
      'http://metadata.example:8080, which HTTP hooks call ("metadata"), is a private or local address, so that the call is refused',
    ],
  ])
})

test('a host that the settings open may be local', async () => {
  const hook = calling('own', 'http://own.example:9000/')
  expect(await problems([hook])).toHaveLength(1)
  expect(await problems([hook], ['own.example:9000'])).toEqual([])
  expect(await problems([hook], ['own.example:9001'])).toHaveLength(1)
})
