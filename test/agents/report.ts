/** What was seen, as a table for people. */

import { SCENARIOS } from './scenarios.ts'
import type { Result } from './visit.ts'

const SIGNS = { pass: '✓', fail: '✗', cannot: '–' } as const

export function report(results: readonly Result[]): string {
  const agents = [...new Set(results.map(({ agent }) => agent))].sort()
  const rows = [...SCENARIOS.map(({ id, title }) => ({ id, title })), REPLAYED, UNINSTALLED, STARTED].filter(
    ({ id }) => results.some(({ scenario }) => scenario === id),
  )
  const width = Math.max(...rows.map(({ title }) => title.length))
  const head = `${' '.repeat(width)}  ${agents.join('  ')}`
  const lines = rows.map(({ id, title }) => {
    const cells = agents.map((agent) => {
      const found = results.find((result) => result.agent === agent && result.scenario === id)
      return (found ? SIGNS[found.status] : '').padEnd(agent.length)
    })
    return `${title.padEnd(width)}  ${cells.join('  ')}`
  })
  return [
    '',
    head,
    ...lines,
    ...section('What an agent cannot do, and does safely instead:', results, 'cannot'),
    ...section('Failed:', results, 'fail'),
    '',
    `${count(results, 'pass')} passed, ${count(results, 'fail')} failed`,
  ].join('\n')
}

const REPLAYED = { id: 'replayed', title: 'its transcripts have every call that hooks saw' }
const UNINSTALLED = { id: 'uninstalled', title: 'uninstalled means untouched' }
const STARTED = { id: 'run', title: 'the test of this agent runs' }

function section(title: string, results: readonly Result[], status: Result['status']): string[] {
  const found = results.filter((result) => result.status === status)
  if (found.length === 0) return []
  const lines = found.map(
    ({ agent, scenario, seen }) => `  ${agent}, ${scenario}: ${seen.replaceAll(/\s+/g, ' ')}`,
  )
  return ['', title, ...lines]
}

function count(results: readonly Result[], status: Result['status']): number {
  return results.filter((result) => result.status === status).length
}
