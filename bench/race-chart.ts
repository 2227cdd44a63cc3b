/** Draws the race as bars: one for each runner, its median in milliseconds beside it. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const BARS: readonly [runner: string, label: string, ours: boolean][] = [
  ['/bin/true', 'nothing at all (/bin/true)', false],
  ['relay, 50 hooks', 'crosshook, 50 hooks, a rule denies', true],
  ['relay, module hook', 'crosshook, 50 hooks, a JavaScript hook denies', true],
  ['relay, bash hook', 'crosshook, 50 hooks, a bash hook denies', true],
  ['bash script', 'that bash script alone', false],
  ['python3', 'an empty python3 script', false],
  ['empty node', 'an empty node script', false],
  ['relay, no engine', 'crosshook without its warm engine', true],
  ['cc-safety-net', 'cc-safety-net 2.4.5', false],
]

const WIDTH = 760
const LEFT = 330
const ROW = 30
const TOP = 46

export function drawChart(
  file: string,
  results: Readonly<Record<string, { median: number }>>,
  rounds: number,
): void {
  const most = Math.max(...BARS.map(([runner]) => results[runner]!.median))
  const scale = (WIDTH - LEFT - 80) / most
  const bars = BARS.map(([runner, label, ours], i) => {
    const { median } = results[runner]!
    const y = TOP + i * ROW
    const length = Math.max(2, median * scale)
    return [
      `<text x="${LEFT - 10}" y="${y + 15}" text-anchor="end"${ours ? ' font-weight="600"' : ''}>${label}</text>`,
      `<rect x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="20" rx="3" fill="${ours ? '#2f6fdb' : '#9aa4b2'}"/>`,
      `<text x="${(LEFT + length + 8).toFixed(1)}" y="${y + 15}">${median.toFixed(1)} ms</text>`,
    ].join('\n')
  })
  const height = TOP + BARS.length * ROW + 30
  const title = 'What one hook call costs an agent'
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}" font-family="system-ui, sans-serif" font-size="14">
<rect width="100%" height="100%" rx="8" fill="#ffffff"/>
<g fill="#1f2933">
<text x="20" y="28" font-size="16" font-weight="600">${title}</text>
${bars.join('\n')}
<text x="20" y="${height - 12}" font-size="12" fill="#5f6b7a">Medians of ${rounds} interleaved runs on one machine: process started, answer read, process ended. Shorter is better.</text>
</g>
</svg>
`,
  )
}
