import { describe, expect, it } from 'vitest'
import type { ChannelName } from '../config/settings.ts'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import { isQuiet, reach, type Situation } from './reach.ts'

const situation = (more: Partial<Situation> & { seen?: boolean; here?: string[] }): Situation => ({
  settings: {},
  agentShowsIt: () => more.seen ?? false,
  present: () => more.here ?? [],
  mayUseHost: true,
  isEnrolled: false,
  ...more,
})
const via = (...names: ChannelName[]) => ({ via: names })
const channels = (...names: ChannelName[]) => ({ to: 'channels', channels: names })

describe('a question goes', () => {
  it('to the agent where somebody sees it, unless another channel comes first', () => {
    expect(reach(situation({ seen: true }))).toEqual({ to: 'agent' })
    expect(reach(situation({ seen: true, here: ['page'] }))).toEqual({ to: 'agent' })
    expect(reach(situation({ seen: true, settings: via('terminal', 'agent') }))).toEqual(channels('terminal'))
  })

  it('to all other channels at once where nobody sees the agent', () => {
    const settings = { ...via('agent', 'page', 'terminal', 'webhook'), webhook: { url: 'https://a.example' } }
    expect(reach(situation({ settings }))).toEqual(channels('page', 'terminal', 'webhook'))
  })

  it('without settings only to what somebody looks at, else to nobody', () => {
    expect(reach(situation({ here: ['terminal'] }))).toEqual(channels('terminal'))
    expect(reach(situation({}))).toEqual({ to: 'nobody' })
  })

  it('not to channels that are not set up, that need a daemon which may not run, or that sleep', () => {
    expect(reach(situation({ settings: via('ntfy', 'slack', 'webhook') }))).toEqual({ to: 'nobody' })
    expect(reach(situation({ settings: via('page', 'terminal'), mayUseHost: false }))).toEqual(
      channels('terminal'),
    )
    const ntfy = { ...via('ntfy', 'terminal'), ntfy: { url: 'https://a.example/b' }, quiet: '22:00-07:00' }
    const at = (time: string) => reach(situation({ settings: ntfy, now: new Date(`2026-01-01T${time}`) }))
    expect(at('23:30:00')).toEqual(channels('terminal'))
    expect(at('06:59:00')).toEqual(channels('terminal'))
    expect(at('07:00:00')).toEqual(channels('ntfy', 'terminal'))
    expect(isQuiet('08:00-09:00', new Date('2026-01-01T08:30:00'))).toBe(true)
  })
})

describe('an agent that can ask', () => {
  const run = (argv: string[], env = {}) => ({ argv, env, native: {} })

  it('is unattended when it prints and ends, by its own options', async () => {
    const all = await Promise.all(Object.keys(DIALECTS).map(loadDialect))
    const told = all.flatMap(({ agent }) => (agent?.unattended ? [agent.unattended] : []))
    expect(told.length).toBeGreaterThan(3)
    for (const unattended of told) {
      expect(unattended(run(['agent', '-p', 'do it']))).toBe(true)
      expect(unattended(run(['agent', 'do it -p']))).toBe(false)
      expect(unattended(run(['agent']))).toBe(false)
      expect(unattended({ argv: undefined, env: {}, native: {} })).toBe(false)
    }
  })
})
