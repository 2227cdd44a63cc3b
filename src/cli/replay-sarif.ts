/** What would be stopped, as SARIF 2.1.0 for viewers and code scanning. */

import { pathToFileURL } from 'node:url'
import type { Change, Replay } from '../history/replay.ts'
import { VERSION } from '../version.ts'

const LEVELS = { deny: 'error', ask: 'warning', allow: 'note' } as const

export function sarif({ changed, coverage }: Replay): unknown {
  const rules = [...new Set(changed.map(ruleOf))].sort()
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'crosshook',
            version: VERSION,
            rules: rules.map((id) => ({ id, shortDescription: { text: `Decisions of ${id}` } })),
          },
        },
        properties: { coverage },
        results: changed.map((change) => ({
          ruleId: ruleOf(change),
          level: LEVELS[change.after],
          message: {
            text: `${change.before} → ${change.after}: ${change.tool} ${change.summary}${change.reason ? ` (${change.reason})` : ''}`,
          },
          ...(change.file === undefined
            ? {}
            : {
                locations: [
                  { physicalLocation: { artifactLocation: { uri: pathToFileURL(change.file).href } } },
                ],
              }),
          properties: { agent: change.agent, session: change.session, at: change.at },
        })),
      },
    ],
  }
}

function ruleOf({ hook }: Change): string {
  return hook ?? 'no hook'
}
