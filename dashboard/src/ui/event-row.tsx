import type { JournalRecord } from '../types.ts'
import { DecisionChip } from './chip.tsx'
import { Text } from './text.tsx'
import { duration, Moment } from './time.tsx'

/** The rest is in the event's own view. */
const MAX_LINE_CHARS = 240

/** One event in one line: when, who, what was decided about what, by which hook. */
export function EventCells({ record, since }: { record: JournalRecord; since?: string | undefined }) {
  const { at, agent, tool_name, event, detail, decision, reason, stop } = record
  const failed = record.hooks.filter(({ status }) => status === 'failed' || status === 'timed_out')
  return (
    <>
      <span class="when">
        <Moment at={at} />
        {since !== undefined && <span class="gap">{gapWords(since, at)}</span>}
      </span>
      <span class="who">
        <Text of={agent ?? record.source} brief={24} />
      </span>
      <span class="verdict">
        <DecisionChip decision={decision} />
        {failed.length > 0 && (
          <span class="chip" data-tone="warn">
            failed
          </span>
        )}
      </span>
      <span class="what">
        <b>
          <Text of={tool_name ?? event} brief={40} />
        </b>{' '}
        <span class="mono">
          <Text of={detail ?? (tool_name ? '' : (record.subject ?? ''))} brief={MAX_LINE_CHARS} />
        </span>
      </span>
      <span class="why">
        <Text
          of={
            whyOf(
              record,
              failed.map(({ name }) => name),
            ) ??
            reason ??
            stop ??
            ''
          }
          brief={MAX_LINE_CHARS}
        />
      </span>
      <span class="long">{duration(record.duration_ms)}</span>
    </>
  )
}

/** Which hook decided, and its words. */
function whyOf({ hooks, reason }: JournalRecord, failed: readonly string[]): string | undefined {
  const decided = hooks.find(({ status, asked }) => status === 'blocked' || asked)
  if (decided) return `${decided.name}: ${decided.reason ?? reason ?? ''}`
  if (failed.length > 0) return `${failed.join(', ')} failed`
  return undefined
}

/** How long after the event before it, where that is long enough to matter. */
function gapWords(before: string, at: string): string {
  const seconds = Math.round((Date.parse(at) - Date.parse(before)) / 1000)
  if (seconds < 5) return ''
  return seconds < 90
    ? `+${seconds} s`
    : seconds < 5400
      ? `+${Math.round(seconds / 60)} min`
      : `+${Math.round(seconds / 3600)} h`
}
