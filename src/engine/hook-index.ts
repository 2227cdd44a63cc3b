/** Hooks by event and tool name, so that hooks that cannot match cost nothing. Verdicts on tool names are cached. */

import type { HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { Matcher } from '../spec/matcher.ts'
import { toolNames } from './checks.ts'
import type { CompiledMatcher } from './match.ts'
import { isPlainWord } from './pattern.ts'

export interface Index<Item> {
  /**
   * Hooks for this event and tool, in the given order, with `rest` loaded unless they are `unless_refused`.
   * Returns a promise only when a library has to be loaded: awaiting each time makes `fire` 1.3 × slower
   * (bench/in-process.ts).
   */
  candidates(event: HookEvent): readonly Item[] | Promise<readonly Item[]>
  /** Every hook of the event, whether it can match or not. */
  all(eventType: string): readonly Item[]
}

/** Most tool names per event for which the matching hooks are cached. */
const MAX_REMEMBERED = 500

interface Indexed<Ranked, Item> {
  ranked: readonly Ranked[]
  byTool: Map<string, Selected<Item>>
}

interface Selected<Item> {
  items: readonly Item[]
  /** Hooks whose other conditions are checked whatever earlier hooks answer. */
  asks: readonly Item[]
}

/** `hooksOf` is asked once for each event, `itemOf` for each hook whose tool may be the event's, again for each tool. */
export function createIndex<
  Item extends { hook: Hook; matcher: CompiledMatcher },
  Ranked extends { hook: Hook } = Item,
>(hooksOf: (eventType: string) => readonly Ranked[], itemOf: (ranked: Ranked) => Item): Index<Item> {
  const byEvent = new Map<string, Indexed<Ranked, Item>>()
  const none: Selected<Item> = { items: [], asks: [] }

  function indexed(eventType: string): Indexed<Ranked, Item> {
    let found = byEvent.get(eventType)
    if (!found) byEvent.set(eventType, (found = { ranked: hooksOf(eventType), byTool: new Map() }))
    return found
  }

  function selected(event: HookEvent): Selected<Item> | Promise<Selected<Item>> {
    const { ranked, byTool } = indexed(event.event_type)
    if (ranked.length === 0) return none
    // Plain strings as keys, because this runs at every event.
    const { tool_name: name, native_tool_name: native } = event
    const key = native === undefined ? String(name) : `${name}\0${native}`
    const found = byTool.get(key)
    if (found) return found
    const names = toolNames(event)
    const all = ranked.filter(({ hook }) => !isForOtherTool(hook.matcher, names)).map(itemOf)
    const select = () => {
      const items = all.filter(({ matcher }) => matcher.tool(names))
      const asks = items.filter(({ hook, matcher }) => matcher.rest !== null && !hook.unless_refused)
      const selected = { items, asks }
      if (all.some(({ matcher }) => matcher.names?.failed)) return selected
      if (byTool.size >= MAX_REMEMBERED) byTool.clear()
      byTool.set(key, selected)
      return selected
    }
    const waits = all.map(({ matcher }) => matcher.load()).filter((wait) => wait !== null)
    return waits.length === 0 ? select() : Promise.all(waits).then(select)
  }

  /** One after another: once the first has loaded a library, the others that need it have nothing to wait for. */
  function readyFor(
    event: HookEvent,
    selected: Selected<Item>,
    from = 0,
  ): readonly Item[] | Promise<readonly Item[]> {
    const { items, asks } = selected
    for (let i = from; i < asks.length; i++) {
      const wait = asks[i]!.matcher.load(event)
      if (wait) return wait.then(() => readyFor(event, selected, i + 1))
    }
    return items
  }

  return {
    all: (eventType) => indexed(eventType).ranked.map(itemOf),
    candidates(event) {
      const found = selected(event)
      return found instanceof Promise ? found.then((ready) => readyFor(event, ready)) : readyFor(event, found)
    },
  }
}

/** Most hooks are for another tool, which a plain word tells without a compiled matcher. */
function isForOtherTool({ tool, tool_names, tool_globs }: Matcher, names: readonly string[] | null): boolean {
  if (names === null || tool === undefined || tool_names !== undefined || tool_globs !== undefined)
    return false
  for (let i = 0; i < names.length; i++) if (names[i]!.includes(tool)) return false
  return isPlainWord(tool)
}
