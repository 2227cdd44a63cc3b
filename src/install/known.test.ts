import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

/** In a process of its own, because a dialect is loaded once. */
const PROGRAM = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
const { knownAgents } = await import(${JSON.stringify(new URL('known.ts', import.meta.url).href)})
const [agent] = await knownAgents((id) => id === 'codex')
const folders = loaded.flatMap((url) => /dialects\\/([^/]+)\\/index\\.ts$/.exec(url)?.[1] ?? [])
console.log(JSON.stringify([agent.id, folders]))
`

it('loads only the agents that are wanted', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual(['codex', ['codex']])
})
