import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PluginBench, pluginBench } from '../lib/plugin-testing.ts'
import { installer } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const [file] = installer.files({ home: '/h', project: '/p', env: {}, level: 'user' })
const hint = (event: string) => ({ event, env: {}, cwd: '/' })

type Handler = (input: unknown, output?: unknown) => Promise<void>

describe('the plugin in OpenCode', () => {
  let bench: PluginBench
  beforeEach(() => {
    bench = pluginBench(file!, 'opencode')
  })
  afterEach(() => bench.close())

  async function hooks(
    sessions: Record<string, string | undefined> = {},
    prompt: Handler = async () => {},
  ): Promise<Record<string, Handler>> {
    const { Crosshook } = (await bench.load()) as {
      Crosshook(context: unknown): Promise<Record<string, Handler>>
    }
    const get = async ({ path }: { path: { id: string } }) => ({ data: { parentID: sessions[path.id] } })
    return Crosshook({ directory: '/p', client: { session: { get, prompt } } })
  }
  const call = { tool: 'bash', sessionID: 's', callID: 'c' }
  const idle = { type: 'session.idle', properties: { sessionID: 's' } }
  const prompt = () => ({ message: {}, parts: [{ type: 'text', text: 'do it' }] })

  it('lies where OpenCode looks for plugins', () => {
    expect(file!.path).toBe('/h/.config/opencode/plugin/crosshook.js')
  })

  it('throws the reason of a deny', async () => {
    bench.answers('tool.execute.before', { deny: 'NO', context: 'C' })
    const { 'tool.execute.before': before } = await hooks()
    await expect(before!(call, { args: { command: 'ls' } })).rejects.toThrow('NO\n\nC')
    expect(bench.heard()).toEqual([
      {
        event: 'tool.execute.before',
        payload: {
          event: 'tool.execute.before',
          cwd: '/p',
          sessionID: 's',
          input: call,
          output: { args: { command: 'ls' } },
        },
      },
    ])
  })

  it('rewrites the input in place', async () => {
    bench.answers('tool.execute.before', { input: { command: 'pwd' } })
    const args = { command: 'ls', timeout: 1 }
    await (await hooks())['tool.execute.before']!(call, { args })
    expect(args).toEqual({ command: 'pwd' })
  })

  it('adds the context of a call to its result', async () => {
    bench.answers('tool.execute.before', { context: 'BEFORE' })
    bench.answers('tool.execute.after', { output: 'NEW', context: 'AFTER', deny: 'BAD' })
    const plugin = await hooks()
    await plugin['tool.execute.before']!(call, { args: {} })
    const output = { title: '', output: 'old', metadata: {} }
    await plugin['tool.execute.after']!({ ...call, args: {} }, output)
    expect(output.output).toBe('NEW\n\nBEFORE\n\nBAD\n\nAFTER')
  })

  it('gives the first prompt the context of the session, once', async () => {
    bench.answers('session.created', { context: 'SESSION' })
    bench.answers('chat.message', { prompt: 'P', context: 'C' })
    const plugin = await hooks()
    const created = { type: 'session.created', properties: { info: { id: 's' } } }
    await plugin.event!({ event: created })
    const [first, second] = [prompt(), prompt()]
    await plugin['chat.message']!({ sessionID: 's' }, first)
    await plugin['chat.message']!({ sessionID: 's' }, second)
    expect(first.parts[0]!.text).toBe('P\n\nSESSION\n\nC')
    expect(second.parts[0]!.text).toBe('P\n\nC')
    expect(bench.heard().map(({ event }) => event)).toEqual([
      'session.created',
      'chat.message',
      'chat.message',
    ])
  })

  it('asks nobody about the prompt of a subagent', async () => {
    const plugin = await hooks({ child: 's' })
    await plugin['chat.message']!({ sessionID: 'child' }, prompt())
    expect(bench.heard()).toMatchObject([{ event: 'session.created', payload: { parentID: 's' } }])
  })

  it('refuses the call when crosshook fails or talks nonsense', async () => {
    const { 'tool.execute.before': before } = await hooks()
    bench.answers('tool.execute.before', 'echo broken >&2; exit 1')
    await expect(before!(call, { args: {} })).rejects.toThrow('crosshook failed: broken')
    bench.answers('tool.execute.before', 'echo nonsense')
    await expect(before!(call, { args: {} })).rejects.toThrow('cannot be read: nonsense')
  })

  it('refuses the call when crosshook is gone, or says nothing at all', async () => {
    const plugin = await hooks()
    bench.answers('tool.execute.before', 'exit 0')
    await expect(plugin['tool.execute.before']!(call, { args: {} })).rejects.toThrow('cannot be read')
    bench.uninstall()
    await expect(plugin['tool.execute.before']!(call, { args: {} })).rejects.toThrow('cannot be started')
  })

  it('sends the reason as a prompt when the agent stops too early', async () => {
    bench.answers('session.idle', { deny: 'TESTS' })
    const prompts: unknown[] = []
    const plugin = await hooks({}, async (sent) => void prompts.push(sent))
    await plugin.event!({ event: idle })
    expect(prompts).toEqual([{ path: { id: 's' }, body: { parts: [{ type: 'text', text: 'TESTS' }] } }])
  })

  it('sends it once `opencode run` has let go of the project, and does not let it end before the answer', async () => {
    bench.answers('session.idle', { deny: 'TESTS' })
    const [second] = process.argv.splice(2, 1, 'run')
    const order: string[] = []
    const plugin = await hooks({}, async () => {
      order.push('asked')
      await setImmediate()
      order.push('answered')
    })
    process.argv.splice(2, 1, ...(second === undefined ? [] : [second]))
    const event = plugin.event!({ event: idle })
    // Of another session, and heard later: what the first leads to at once has happened by then.
    await expect.poll(() => bench.heard().map(({ event }) => event)).toContain('session.idle')
    await plugin.event!({ event: { type: 'session.created', properties: { info: { id: 'later' } } } })
    await plugin['tool.execute.before']!({ ...call, sessionID: 'later' }, { args: {} })
    order.push('let go')
    await plugin.dispose!(undefined)
    order.push('ended')
    await event
    expect(order).toEqual(['let go', 'asked', 'answered', 'ended'])
  })

  it('waits for the end of the session', async () => {
    const plugin = await hooks()
    await plugin.event!({ event: { type: 'session.created', properties: { info: { id: 's' } } } })
    await plugin.dispose!(undefined)
    expect(bench.heard().at(-1)).toMatchObject({ event: 'dispose', payload: { sessionID: 's' } })
  })
})

describe('events of OpenCode', () => {
  it('have canonical tools and fields', () => {
    const edit = agent.decode(
      {
        event: 'tool.execute.before',
        cwd: '/p',
        sessionID: 'child',
        parentID: 's',
        input: { tool: 'edit', callID: 'c' },
        output: { args: { filePath: '/a', oldString: 'x', newString: 'y' } },
      },
      hint('tool.execute.before'),
    )
    expect(edit).toMatchObject({
      event_type: 'before_tool',
      session_id: 's',
      work_dir: '/p',
      context: { subagent_id: 'child' },
      tool_name: 'EditFile',
      native_tool_name: 'edit',
      tool_input: { path: '/a', old_string: 'x', new_string: 'y' },
      tool_use_id: 'c',
    })
    expect(JSON.parse(agent.encode({ updated_input: { path: '/b' } }, edit).stdout)).toEqual({
      input: { filePath: '/b', oldString: 'x', newString: 'y' },
    })
  })

  it('tell a subagent from the session that began it', () => {
    const created = {
      event: 'session.created',
      cwd: '/p',
      sessionID: 'child',
      parentID: 's',
      input: { properties: { info: { id: 'child', parentID: 's', title: 'look (@explore subagent)' } } },
    }
    expect(agent.decode(created, hint('session.created'))).toMatchObject({
      event_type: 'subagent_start',
      session_id: 's',
      subagent_type: 'explore',
    })
    const idle = { event: 'session.idle', sessionID: 'child', parentID: 's' }
    expect(agent.decode(idle, hint('session.idle')).event_type).toBe('subagent_stop')
    expect(agent.decode({ sessionID: 's' }, hint('session.idle')).event_type).toBe('before_stop')
  })
})

describe('a file in the way', () => {
  it('is neither overwritten nor deleted', () => {
    const command = { line: String, argv: (event: string) => ['crosshook', event] }
    expect(() => file!.add('export const Mine = 1\n', command)).toThrow('not made by crosshook')
    expect(file!.remove('export const Mine = 1\n')).toBe('export const Mine = 1\n')
    expect(file!.find('export const Mine = 1\n')).toEqual([])
  })
})
