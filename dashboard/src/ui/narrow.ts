import { useEffect, useState } from 'preact/hooks'

const NARROW = matchMedia('(max-width: 50rem)')

/** A phone, or a window as narrow as one. The style sheet uses the same width. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(NARROW.matches)
  useEffect(() => {
    const change = () => setNarrow(NARROW.matches)
    NARROW.addEventListener('change', change)
    return () => NARROW.removeEventListener('change', change)
  }, [])
  return isNarrow
}
