import type { ComponentChildren } from 'preact'

export type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'soft'

/** One word about a state. Its colour says nothing that the word does not. */
export function Chip({
  tone = 'plain',
  children,
  title,
}: {
  tone?: Tone
  children: ComponentChildren
  title?: string
}) {
  return (
    <span class="chip" data-tone={tone} title={title}>
      {children}
    </span>
  )
}

const DECISIONS: Readonly<Record<string, Tone>> = { allow: 'soft', ask: 'warn', deny: 'bad' }

export function DecisionChip({ decision }: { decision: string }) {
  return <Chip tone={DECISIONS[decision] ?? 'plain'}>{decision}</Chip>
}

const STATUSES: Readonly<Record<string, Tone>> = {
  allowed: 'good',
  blocked: 'bad',
  failed: 'warn',
  timed_out: 'warn',
  skipped: 'soft',
  background: 'soft',
}

export function StatusChip({ status, why }: { status: string; why?: string | null }) {
  return (
    <Chip tone={STATUSES[status] ?? 'plain'}>
      {status.replace('_', ' ')}
      {why ? `: ${why.replaceAll('_', ' ')}` : ''}
    </Chip>
  )
}
