/** What a form needs to know: events, conditions and answers with their meaning, from the tables of the specification. */

import { hookEditor } from '../config/edit-hook.ts'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import { EFFECTS } from '../spec/effects.ts'
import { EVENTS } from '../spec/event.ts'
import { MATCHER_FIELDS } from '../spec/matcher.ts'
import { TOOLS } from '../spec/tool.ts'

export async function builderWords() {
  const agents = await Promise.all(Object.keys(DIALECTS).map(loadDialect))
  return {
    events: Object.entries(EVENTS).map(([name, { tool, effects, block }]) => ({
      name,
      tool,
      effects,
      block,
    })),
    tools: Object.keys(TOOLS),
    agents: agents.flatMap(({ id, title, agent }) => (agent ? [{ id, title }] : [])),
    conditions: Object.values(MATCHER_FIELDS).flatMap(({ written, schema, of, about }) =>
      written === null ? [] : [{ field: written, of, about, schema }],
    ),
    answers: Object.entries(EFFECTS).map(([field, { schema, about }]) => ({ field, about, schema })),
    schema: await (await hookEditor()).schema(),
  }
}
