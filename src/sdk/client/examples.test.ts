/** The examples of the A3S design, as they are written there, against a running daemon and in process. */

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { place, runningDaemon } from '../../host/testing.ts'
import { createHooks } from '../hooks.ts'
import { CrosshookClient } from './client.ts'
import type { ExecuteTool, HookResponse, PreToolUseEvent } from './types.ts'

type Fire = (event: Record<string, unknown>) => Promise<Record<string, unknown> & { decision: string }>

interface Setting {
  client: CrosshookClient
  fire: Fire
  /** Commands that `executeTool` ran. */
  ran(): string[]
  folder: string
}

/** Behind a daemon that runs tools. */
async function remote(): Promise<Setting> {
  const at = place()
  at.configure('crosshook/config.toml', '[daemon]\nexecute_tool = true\n')
  const log = join(at.root, 'ran')
  const bin = join(at.root, 'bin')
  mkdirSync(bin)
  for (const name of ['rustfmt', 'prettier']) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  at.env.PATH = `${bin}:${at.env.PATH}`
  const { daemon, token, fire } = await runningDaemon({ at })
  const client = new CrosshookClient({ address: daemon.status.grpc, token })
  onTestFinished(() => client.close())
  const ran = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
  return { client, fire: (event) => fire({ work_dir: at.root, ...event }), ran, folder: at.root }
}

/** In this process, with the embedder's tools. */
async function local(): Promise<Setting> {
  const hooks = createHooks()
  const commands: string[] = []
  const fire: Fire = async (event) => ({
    ...(await hooks.fire(String(event.event_type) as 'before_tool', event)),
  })
  const executeTool: ExecuteTool = async (sessionId, tool, args) => {
    const before = await fire({
      event_type: 'before_tool',
      session_id: sessionId,
      tool_name: 'Shell',
      tool_input: args,
    })
    if (before.decision !== 'allow') throw new Error(String(before.reason))
    commands.push(String(args.command))
    await fire({
      event_type: 'after_tool',
      session_id: sessionId,
      tool_name: tool,
      tool_input: args,
      tool_output: '',
    })
    return { success: true, output: '', duration: 0 }
  }
  return { client: new CrosshookClient({ hooks, executeTool }), fire, ran: () => commands, folder: '/' }
}

const shell = (command: string) => ({
  event_type: 'before_tool',
  session_id: 's1',
  tool_name: 'Shell',
  tool_input: { command },
})
const write = (path: string, content: string) => ({
  event_type: 'before_tool',
  session_id: 's1',
  tool_name: 'WriteFile',
  tool_input: { path, content },
})
const written = (path: string) => ({
  event_type: 'after_tool',
  session_id: 's1',
  tool_name: 'WriteFile',
  tool_input: { path, content: '' },
  tool_output: 'ok',
})

for (const [name, setting] of Object.entries({ 'behind the daemon': remote, 'in process': local })) {
  test(`a handler blocks dangerous commands, ${name}`, async () => {
    const { client, fire } = await setting()
    await client.registerHook('PreToolUse', async (event: PreToolUseEvent): Promise<HookResponse> => {
      // Block dangerous bash commands
      if (event.tool === 'Bash') {
        const command = event.args.command as string
        if (command.includes('rm -rf /') || command.includes(':(){ :|:& };:')) {
          return {
            action: 'block',
            reason: 'Dangerous command blocked by security policy',
          }
        }
      }
      return { action: 'continue' }
    })
    expect(await fire(shell('rm -rf /'))).toMatchObject({
      decision: 'deny',
      reason: 'Dangerous command blocked by security policy',
    })
    expect(await fire(shell('ls'))).toMatchObject({ decision: 'allow' })
  })

  test(`matchers choose, handlers validate and modify, ${name}`, async () => {
    const { client, fire } = await setting()
    await client.registerHook('PreToolUse', {
      matcher: { tool: 'Write', pathPattern: '*.env' },
      handler: async (event) => {
        // Validate .env file changes
        const content = event.args.content as string
        if (content.includes('API_KEY=')) {
          return { action: 'block', reason: 'Cannot write API keys to .env files' }
        }
        return { action: 'continue' }
      },
    })
    await client.registerHook('PreToolUse', {
      matcher: { tool: 'Bash' },
      handler: async (event) => {
        // Add timeout to all bash commands
        return {
          action: 'continue',
          modified: {
            args: { ...event.args, timeout: 30000 },
          },
        }
      },
    })
    expect(await fire(write('config/.env', 'API_KEY=1'))).toMatchObject({
      decision: 'deny',
      reason: 'Cannot write API keys to .env files',
    })
    expect(await fire(write('notes.md', 'API_KEY=1'))).toMatchObject({ decision: 'allow', hooks: [] })
    expect(await fire(shell('ls'))).toMatchObject({
      decision: 'allow',
      updated_input: { command: 'ls', timeout: 30000 },
    })
  })

  test(`a hook runs a tool after a tool, once, ${name}`, async () => {
    const { client, fire, ran, folder } = await setting()
    await client.registerHook('PostToolUse', {
      matcher: { tool: 'Write', pathPattern: '*.rs' },
      handler: async (event) => {
        if (event.result.success) {
          // Run rustfmt after writing Rust files
          await client.executeTool(event.sessionId, 'Bash', {
            command: `rustfmt ${event.args.file_path}`,
          })
        }
        return { action: 'continue' }
      },
    })
    expect(await fire(written(`${folder}/main.rs`))).toMatchObject({ hooks: [{ status: 'allowed' }] })
    expect(ran()).toEqual([`rustfmt ${folder}/main.rs`])
    await fire(written('main.py'))
    expect(ran()).toHaveLength(1)
  })

  test(`tools of hooks pass the same hooks, and do not go in circles, ${name}`, async () => {
    const { client, fire, ran } = await setting()
    let depth = 0
    const errors: string[] = []
    await client.registerHook('PostToolUse', async (event) => {
      depth++
      await client
        .executeTool(event.sessionId, 'Bash', { command: 'rustfmt again' })
        .catch((error: Error) => {
          errors.push(error.message)
        })
      return { action: 'continue' }
    })
    await fire(written('main.rs'))
    expect(depth).toBe(2)
    expect(ran()).toEqual(['rustfmt again'])
    expect(errors).toEqual([expect.stringContaining('may not call executeTool again')])
    await client.registerHook('PreToolUse', {
      matcher: { tool: 'Bash' },
      handler: () => ({ action: 'block', reason: 'no shell' }),
    })
    await fire(written('main.rs'))
    expect(errors.at(-1)).toContain('no shell')
    expect(ran()).toHaveLength(1)
  })

  test(`several hooks of one event run together, ${name}`, async () => {
    const { client, fire } = await setting()
    const sent: unknown[] = []
    const original = globalThis.fetch
    vi.stubGlobal('fetch', async (url: string | URL, init?: RequestInit) => {
      if (String(url) !== 'https://metrics.example.com/log') return original(url, init)
      sent.push(JSON.parse(String(init?.body)))
      return new Response()
    })
    onTestFinished(() => void vi.unstubAllGlobals())
    const usage = { totalTokens: 0, totalCost: 0 }
    const calculateCost = (_model: unknown, tokens: number) => tokens / 1000
    await client.registerHook('GenerateEnd', async (event) => {
      // Log to external system
      await fetch('https://metrics.example.com/log', {
        method: 'POST',
        body: JSON.stringify({ session: event.sessionId, usage: event.response.usage }),
      })
      return { action: 'continue' }
    })
    await client.registerHook('GenerateEnd', async (event) => {
      const tokens = event.response.usage.total_tokens
      const cost = calculateCost(event.model, tokens)
      usage.totalTokens += tokens
      usage.totalCost += cost
      return { action: 'continue' }
    })
    await fire({
      event_type: 'after_model',
      session_id: 's1',
      model: 'large',
      response: 'Hello',
      usage: { prompt_tokens: 1, completion_tokens: 6, total_tokens: 7 },
    })
    expect(usage).toEqual({ totalTokens: 7, totalCost: 0.007 })
    expect(sent).toMatchObject([{ session: 's1', usage: { total_tokens: 7 } }])
  })

  test(`hooks are unregistered by the promise of their id, and listed, ${name}`, async () => {
    const { client, fire } = await setting()
    const handler = () => ({ action: 'block' as const, reason: 'no' })
    const hookId = client.registerHook('PreToolUse', handler)
    client.unregisterHook(hookId)
    const kept = await client.registerHook('PreToolUse', {
      matcher: { tool: 'Write' },
      handler,
      config: { priority: 10, timeout: 3000, async: false, failBehavior: 'block' },
    })
    await hookId
    const hooks = await client.listHooks()
    expect(hooks).toMatchObject([
      {
        id: kept,
        event: 'PreToolUse',
        matcher: { tool: 'Write' },
        config: { priority: 10, timeout: 3000, failBehavior: 'block' },
      },
    ])
    expect(await fire(shell('ls'))).toMatchObject({ decision: 'allow' })
    expect(await client.unregisterHook('no such hook')).toBe(false)
  })

  test(`a handler that fails lets go on, or blocks where it says so, ${name}`, async () => {
    const { client, fire } = await setting()
    const open = await client.registerHook('PreToolUse', () => {
      throw new Error('broken')
    })
    expect(await fire(shell('ls'))).toMatchObject({
      decision: 'allow',
      hooks: [{ name: open, status: 'failed', error: expect.stringContaining('broken') }],
    })
    await client.registerHook('PreToolUse', {
      handler: async () => {
        throw new Error('broken')
      },
      config: { failBehavior: 'block' }, // Block on error
    })
    expect(await fire(shell('ls'))).toMatchObject({ decision: 'deny' })
  })

  test(`the security policy and the permission dialog of the design, ${name}`, async () => {
    const { client, fire } = await setting()
    await client.registerHook('PreToolUse', {
      matcher: { tool: 'Bash' },
      handler: async (event) => {
        const command = event.args.command as string

        const dangerous = [/rm\s+-rf\s+\//, /mkfs\./, /dd\s+if=.*of=\/dev/, />\s*\/dev\/sd/]

        for (const pattern of dangerous) {
          if (pattern.test(command)) {
            return {
              action: 'block',
              reason: `Blocked dangerous command matching ${pattern}`,
            }
          }
        }

        return { action: 'continue' }
      },
    })
    for (const command of ['rm -rf /', 'mkfs.ext4 x', 'dd if=a of=/dev/sda', 'cat a > /dev/sda'])
      expect(await fire(shell(command)), command).toMatchObject({ decision: 'deny' })
    expect(await fire(shell('ls'))).toMatchObject({ decision: 'allow' })

    const showConfirmationDialog = async (_: { title: string; message: string; timeout: number }) => false
    await client.registerHook('PermissionRequest', async (event) => {
      const sensitiveTools = ['Bash', 'Write', 'Edit']

      if (sensitiveTools.includes(event.tool)) {
        // Show custom confirmation UI
        const confirmed = await showConfirmationDialog({
          title: `Allow ${event.tool}?`,
          message: `The agent wants to execute: ${JSON.stringify(event.args)}`,
          timeout: 30000,
        })

        if (!confirmed) {
          return { action: 'block', reason: 'User denied permission' }
        }
      }

      return { action: 'continue' }
    })
    expect(await fire({ ...shell('ls'), event_type: 'permission_request' })).toMatchObject({
      decision: 'deny',
      reason: 'User denied permission',
    })
    await client.setHookAuditLevel('verbose')
  })
}
