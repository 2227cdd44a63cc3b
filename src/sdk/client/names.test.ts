import { expect, it } from 'vitest'
import { createHooks } from '../hooks.ts'
import { CrosshookClient } from './client.ts'

it('a hook is known by its name, and listed as soon as it is being registered', async () => {
  const client = new CrosshookClient({ hooks: createHooks() })
  const id = client.registerHook('PreToolUse', { name: 'No pushes / main', handler: () => undefined })
  const listed = await client.listHooks()
  expect(listed.map((hook) => hook.id)).toEqual([await id])
  expect(await id).toMatch(/^No-pushes-main-[0-9a-f]{8}$/)
  await client.close()
})

it('a refused registration does not keep the others from being listed', async () => {
  const client = new CrosshookClient({ hooks: createHooks() })
  const refused = client.registerHook('PreToolUse', { handler: () => undefined, config: { timeout: -1 } })
  const taken = client.registerHook('PreToolUse', () => undefined)
  expect(await client.listHooks()).toHaveLength(1)
  await expect(refused).rejects.toThrow('timeout')
  expect(await taken).toMatch(/^hook-/)
})
