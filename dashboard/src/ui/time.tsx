import { signal } from '@preact/signals'

/** Ticks, so that "2 minutes ago" stays true. */
const now = signal(Date.now())
setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 5000)

const UNITS: readonly (readonly [seconds: number, word: string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** How long ago, with the moment itself on hover. */
export function Ago({ at }: { at: string | number | null | undefined }) {
  if (at === null || at === undefined) return <span class="soft">never</span>
  const date = new Date(at)
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {agoWords(now.value - date.getTime())}
    </time>
  )
}

export function agoWords(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 5) return 'just now'
  const [unit, word] = UNITS.find(([size]) => seconds >= size)!
  return `${Math.floor(seconds / unit)} ${word} ago`
}

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
})
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** The time of day; of other days, the day too. */
export function Moment({ at }: { at: string | number }) {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date(now.value).toDateString()
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {isToday ? '' : `${DAY.format(date)} `}
      {CLOCK.format(date)}
    </time>
  )
}

/** `4.2 ms`, `45 ms`, `1.2 s`, `10 min`. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–'
  if (ms >= 120_000) return `${Math.round(ms / 60_000)} min`
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}
