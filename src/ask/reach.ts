/** Which channels can reach a person for this question: the agent's own dialog, ours, or none. */

import type { ApprovalSettings, ChannelName } from '../config/settings.ts'

/** Default: the agent first, then whatever somebody is looking at, and the people of the fleet. */
const DEFAULT_VIA: readonly ChannelName[] = ['agent', 'page', 'terminal', 'hub']

/** Channels served by the daemon. */
const NEEDS_HOST: readonly ChannelName[] = ['page', 'webhook', 'ntfy', 'slack']
/** Channels that notify: not used in quiet hours. */
const RINGS: readonly ChannelName[] = ['webhook', 'ntfy', 'slack']

export interface Situation {
  settings: ApprovalSettings
  /** The agent can show the question, and somebody is there to see it. */
  agentShowsIt: () => boolean
  /** Channels that somebody looks at. */
  present: () => readonly string[]
  /** The daemon runs or may be started. */
  mayUseHost: boolean
  /** This machine is in a fleet, whose people can be asked. */
  isEnrolled: boolean
  now?: Date
}

export type Reach = { to: 'agent' } | { to: 'channels'; channels: ChannelName[] } | { to: 'nobody' }

export function reach(situation: Situation): Reach {
  const { settings } = situation
  const via = settings.via ?? DEFAULT_VIA
  const usable = via.filter((channel) => isUsable(channel, situation))
  if (usable[0] === 'agent') return { to: 'agent' }
  const channels = usable.filter((channel) => channel !== 'agent')
  return channels.length > 0 ? { to: 'channels', channels } : { to: 'nobody' }
}

export function needsHost(channels: readonly ChannelName[]): boolean {
  return channels.some((channel) => NEEDS_HOST.includes(channel))
}

function isUsable(
  channel: ChannelName,
  { settings, agentShowsIt, present, mayUseHost, isEnrolled, now }: Situation,
): boolean {
  if (channel === 'agent') return agentShowsIt()
  if (channel === 'hub') return isEnrolled
  if (NEEDS_HOST.includes(channel) && !mayUseHost) return false
  if (RINGS.includes(channel))
    return settings[channel as 'webhook' | 'ntfy' | 'slack'] !== undefined && !isQuiet(settings.quiet, now)
  // Listed in the settings: the person will look there. Otherwise only when somebody is looking.
  return settings.via !== undefined || present().includes(channel)
}

/** `22:00-07:00`, local time. */
export function isQuiet(quiet: string | undefined, now = new Date()): boolean {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(quiet ?? '') ?? []
  if (from === undefined || to === undefined) return false
  const time = `${String(now.getHours()).padStart(2, '0')}:${String(now.getMinutes()).padStart(2, '0')}`
  return from <= to ? from <= time && time < to : from <= time || time < to
}
