/** What the journal must hold of the calls that hooks have answered. */

import type { Asked } from './doors.ts'

interface Expected {
  asked: Asked
  hook?: string
  as?: 'failed'
}

interface Entry {
  session_id: string
  tool_name?: string
  decision: string
  hooks: { name: string; status: string; error: string | null; reason: string | null }[]
}

const expected: Expected[] = []

/** `as: 'failed'`: this hook neither allowed nor was left out. */
export function mustBeRecorded(asked: Asked, more: Omit<Expected, 'asked'> = {}): void {
  expected.push({ asked, ...more })
}

export function expectRecords(log: string): string[] {
  const bySession = Map.groupBy(
    log
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Entry),
    (entry) => entry.session_id,
  )
  return expected.flatMap(({ asked, hook, as }) => {
    const found = bySession.get(asked.session) ?? []
    const what = `${asked.session} ${asked.tool}: `
    // An engine whose answer the relay rejected has recorded it as well.
    if (found.length === 0) return [`${what}not in the journal`]
    const [entry] = found
    if (entry!.decision !== asked.decision) return [`${what}recorded as ${entry!.decision}`]
    if (!as) return []
    const report = entry!.hooks.find(({ name }) => name === hook)
    const isFailed =
      report && ['failed', 'timed_out'].includes(report.status) && (report.error ?? report.reason)
    return isFailed ? [] : [`${what}the journal does not say that it failed: ${JSON.stringify(report)}`]
  })
}
