/** Marks that several views of the hub use. */

import { Chip, type Tone } from '../ui/chip.tsx'
import { Text } from '../ui/text.tsx'
import type { AgentProof, Alarm } from './types.ts'

/** One agent of one machine: does it obey? */
export function Obeyed({ proof: { agent, agent_version, obeyed, cannot, broken } }: { proof: AgentProof }) {
  const [mark, tone, word]: [string, Tone, string] =
    broken > 0 ? ['✗', 'bad', 'broken'] : obeyed > 0 ? ['✓', 'good', 'obeys'] : ['?', 'warn', 'not shown']
  const title = `${agent} ${agent_version}: ${word}. Obeyed on ${obeyed} events, cannot be stopped on ${cannot}, broken on ${broken}.`
  return (
    <Chip tone={tone} title={title}>
      <Text of={agent} brief={30} /> <span aria-hidden="true">{mark}</span>
      <span class="unseen">{word}</span>
    </Chip>
  )
}

const WORDS: Readonly<Record<Alarm['kind'], (alarm: Alarm) => string>> = {
  heartbeat: ({ agent }) => `${agent ?? 'an agent'} asks no hook`,
  drift: ({ n }) => (n === 1 ? 'one hook was changed' : `${n} hooks were changed`),
  problem: ({ n }) => (n === 1 ? 'doctor finds a problem' : `doctor finds ${n} problems`),
}

export function AlarmChips({ alarms }: { alarms: readonly Alarm[] }) {
  return (
    <>
      {alarms.map((alarm) => (
        <Chip key={`${alarm.kind} ${alarm.agent}`} tone={alarm.kind === 'drift' ? 'warn' : 'bad'}>
          {WORDS[alarm.kind]?.(alarm) ?? alarm.kind}
        </Chip>
      ))}
    </>
  )
}
