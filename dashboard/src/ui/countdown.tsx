import { useEffect, useState } from 'preact/hooks'
import { Chip } from './chip.tsx'

/** How long a question can still be answered in time. */
export function Countdown({ deadline }: { deadline: string }) {
  const left = () => Math.ceil((Date.parse(deadline) - Date.now()) / 1000)
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 1000)
    return () => clearInterval(timer)
  }, [deadline])
  const words =
    seconds <= 0 ? 'too late' : seconds >= 120 ? `${Math.floor(seconds / 60)} min left` : `${seconds} s left`
  return <Chip tone={seconds < 30 ? 'bad' : 'warn'}>{words}</Chip>
}
