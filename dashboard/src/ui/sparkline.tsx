/** Counts over time in the height of a line of text. */
export function Sparkline({ counts, label }: { counts: readonly number[]; label: string }) {
  const most = Math.max(...counts, 1)
  const width = 4
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${counts.length * width} 16`}
      width={counts.length * width}
      height="16"
    >
      {counts.map((count, i) => {
        const height = count === 0 ? 0.5 : Math.max(1, (count / most) * 16)
        return <rect key={i} x={i * width} y={16 - height} width={width - 1} height={height} />
      })}
    </svg>
  )
}
