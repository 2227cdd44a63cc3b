import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PluginBench, pluginBench } from '../lib/plugin-testing.ts'
import { installer } from './config.ts'

const files = installer.files({ home: '/h', project: '/p', env: {}, level: 'user' })
const command = { line: String, argv: (event: string) => ['crosshook', 'hook', 'kilo', event] }

describe('the plugin in Kilo', () => {
  let bench: PluginBench
  beforeEach(() => {
    bench = pluginBench(files[0]!, 'kilo')
  })
  afterEach(() => bench.close())

  it('sends the reason as a prompt when the agent stops too early', async () => {
    bench.answers('session.idle', { deny: 'TESTS' })
    const { Crosshook } = (await bench.load()) as {
      Crosshook(context: unknown): Promise<{ event(input: unknown): Promise<void> }>
    }
    const prompts: unknown[] = []
    const client = { session: { prompt: async (sent: unknown) => prompts.push(sent) } }
    const plugin = await Crosshook({ directory: '/p', client })
    await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 's' } } })
    expect(prompts).toEqual([{ path: { id: 's' }, body: { parts: [{ type: 'text', text: 'TESTS' }] } }])
  })

  it('asks nobody about a prompt that is such a reason, once', async () => {
    bench.answers('session.idle', { deny: 'TESTS' })
    bench.answers('chat.message', { context: 'C' })
    const { Crosshook } = (await bench.load()) as {
      Crosshook(context: unknown): Promise<Record<string, (...args: unknown[]) => Promise<void>>>
    }
    const client = { session: { prompt: async () => {}, get: async () => ({}) } }
    const plugin = await Crosshook({ directory: '/p', client })
    await plugin.event!({ event: { type: 'session.idle', properties: { sessionID: 's' } } })
    const [ours, theirs] = [prompt('TESTS'), prompt('TESTS')]
    await plugin['chat.message']!({ sessionID: 's' }, ours)
    await plugin['chat.message']!({ sessionID: 's' }, theirs)
    expect([ours, theirs].map(({ parts }) => parts[0]!.text)).toEqual(['TESTS', 'TESTS\n\nC'])
    expect(bench.heard().filter(({ event }) => event === 'chat.message')).toHaveLength(1)
  })
})

const prompt = (text: string) => ({ parts: [{ type: 'text', text }] })

describe('the settings of Kilo', () => {
  const settings = files[1]!
  const url = 'file:///h/.config/kilo/crosshook.js'

  it('name the plugin, beside those of the person', () => {
    expect(files.map(({ path }) => path)).toEqual([
      '/h/.config/kilo/crosshook.js',
      '/h/.config/kilo/kilo.json',
    ])
    expect(JSON.parse(settings.add(undefined, command))).toEqual({ plugin: [url] })
    const text = '{\n  // mine\n  "plugin": ["file:///mine.js"]\n}\n'
    const added = settings.add(text, command)
    expect(settings.find(added).map(({ command: name, ours }) => [name, ours])).toEqual([
      ['file:///mine.js', false],
      [url, true],
    ])
    expect(settings.remove(added)).toBe(text)
  })
})
