/** A tool call that a person wrote with any agent's own name of the tool, in canonical words. */

import { TOOL_WORDS } from '../../dialects/lib/gen/words.ts'
import { DIALECTS, loadDialect } from '../../dialects/list.ts'
import { eventRow } from '../../spec/event.ts'
import { nearest } from '../../spec/nearest.ts'
import { isObject, TOOLS, type ToolTable, toCanonicalTool } from '../../spec/tool.ts'

export interface NamedTool {
  fields: Record<string, unknown>
  /** A sentence about a name that no agent has. */
  unknown?: string
}

/** Fields of the event that are not about a tool, and those of canonical tools and MCP servers, stay as they are. */
export async function inCanonicalWords(event: string, fields: Record<string, unknown>): Promise<NamedTool> {
  const { tool_name: name, tool_input: input = {} } = fields
  if (!eventRow(event).tool || typeof name !== 'string' || name === '' || !isObject(input)) return { fields }
  if (Object.hasOwn(TOOLS, name) || /^(?:mcp_|@)/.test(name)) return { fields }
  if (!Object.hasOwn(TOOL_WORDS, name)) return { fields, unknown: unknownWords(name) }
  const call = toCanonicalTool(await tableFor(name, input), name, input)
  return {
    fields: {
      ...fields,
      tool_name: call.name,
      tool_input: call.input,
      native_tool_name: fields.native_tool_name ?? name,
    },
  }
}

/** Several agents may share a name: the table that knows most of the input's fields counts. */
async function tableFor(name: string, input: Record<string, unknown>): Promise<ToolTable> {
  const dialects = await Promise.all(Object.keys(DIALECTS).map(loadDialect))
  const known = (table: ToolTable) => {
    const { fields = {}, name: canonical } = table[name]!
    const names = [
      ...Object.keys(fields),
      ...(Object.hasOwn(TOOLS, canonical) ? TOOLS[canonical as 'Shell'].fields : []),
    ]
    return Object.keys(input).filter((field) => names.includes(field)).length
  }
  const tables = dialects.map(({ tools }) => tools).filter((table) => Object.hasOwn(table, name))
  return tables.sort((a, b) => known(b) - known(a))[0] ?? {}
}

function unknownWords(name: string): string {
  const close = nearest(name, [...Object.keys(TOOLS), ...Object.keys(TOOL_WORDS)])
  const canonical = close === undefined ? undefined : (TOOL_WORDS[close]?.join(' or ') ?? close)
  const hint =
    close === undefined
      ? ''
      : ` Did you mean ${close === canonical ? close : `${close}, which is ${canonical}`}?`
  return `no agent has a tool called "${name.slice(0, 80)}".${hint} \`crosshook help tools\` has the names.`
}
