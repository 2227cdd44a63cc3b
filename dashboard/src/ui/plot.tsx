/** A plot over time that zooms by dragging, with the figures behind it in a table below. The library loads when one is shown. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { useSheet } from './sheet.ts'

export interface Series {
  label: string
  values: readonly (number | null)[]
  /** A name of a colour in the style sheet. */
  tone: 'accent' | 'bad' | 'warn' | 'soft' | 'good'
  isBars?: boolean
}

export interface PlotProps {
  title: string
  /** Seconds since 1970, growing. */
  times: readonly number[]
  series: readonly Series[]
  /** A value in words. */
  words: (value: number) => string
  onZoom?: (range: { from: number; to: number } | undefined) => void
}

type Library = { uPlot: typeof import('uplot'); css: string }

export function Plot(props: PlotProps) {
  const [library, setLibrary] = useState<Library | Error>()
  useEffect(() => {
    Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]).then(
      ([{ default: uPlot }, { default: css }]) => setLibrary({ uPlot, css }),
      (error: Error) => setLibrary(error),
    )
  }, [])
  if (library instanceof Error) return <p class="soft">The plot could not be loaded: {library.message}</p>
  return library ? <Drawn {...props} library={library} /> : <div class="plot loading">Loading…</div>
}

const HEIGHT_PX = 190

function Drawn({ title, times, series, words, onZoom, library }: PlotProps & { library: Library }) {
  useSheet(library.css)
  const place = useRef<HTMLDivElement>(null)
  const [isZoomed, setZoomed] = useState(false)
  const isDark = useDark()
  const plot = useRef<InstanceType<Library['uPlot']> | undefined>(undefined)
  useEffect(() => {
    const at = place.current!
    // A canvas cannot use CSS variables or colour schemes: ask the browser for the computed colour.
    const colour = (name: string) => {
      at.style.color = `var(--${name})`
      return getComputedStyle(at).color
    }
    const axis = {
      stroke: colour('soft'),
      grid: { stroke: colour('line'), width: 1 },
      ticks: { stroke: colour('line') },
    }
    const made = new library.uPlot(
      {
        width: at.clientWidth,
        height: HEIGHT_PX,
        cursor: { drag: { x: true, y: false } },
        legend: { live: true },
        scales: { y: { range: (_plot, _low, high) => [0, Math.max(high * 1.05, 1)] } },
        axes: [axis, { ...axis, size: 60, values: (_plot, values) => values.map((value) => words(value)) }],
        series: [
          { value: (_plot, value) => (value === null ? '–' : new Date(value * 1000).toLocaleString()) },
          ...series.map(({ label, tone, isBars }) => ({
            label,
            stroke: colour(tone),
            width: isBars ? 0 : 2,
            ...(isBars ? { fill: colour(tone), paths: library.uPlot.paths.bars!({ size: [0.7, 24] }) } : {}),
            points: { show: times.length < 40 && !isBars, size: 4 },
            value: (_plot: unknown, value: number | null) => (value === null ? '–' : words(value)),
          })),
        ],
        hooks: {
          setScale: [
            (self, key) => {
              if (key !== 'x') return
              const { min, max } = self.scales.x!
              const whole = min! <= times[0]! && max! >= times.at(-1)!
              setZoomed(!whole)
              onZoom?.(whole ? undefined : { from: min!, to: max! })
            },
          ],
        },
      },
      [times, ...series.map(({ values }) => values)] as never,
      at,
    )
    plot.current = made
    const watcher = new ResizeObserver(() => made.setSize({ width: at.clientWidth, height: HEIGHT_PX }))
    watcher.observe(at)
    return () => {
      watcher.disconnect()
      made.destroy()
    }
  }, [times, series, library, isDark])
  const all = () => plot.current?.setScale('x', { min: times[0]!, max: times.at(-1)! })
  return (
    <figure class="plot panel">
      <figcaption class="head">
        <h2>{title}</h2>
        <span class="soft end">{isZoomed ? '' : 'drag to zoom'}</span>
        {isZoomed && (
          <button type="button" class="end" onClick={all}>
            Show all
          </button>
        )}
      </figcaption>
      <div ref={place} class="canvas" aria-hidden="true" />
    </figure>
  )
}

/** The colour scheme may change while the page is open. */
function useDark(): boolean {
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches)
  useEffect(() => {
    const media = matchMedia(DARK)
    const change = () => setDark(media.matches)
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [])
  return isDark
}

const DARK = '(prefers-color-scheme: dark)'
