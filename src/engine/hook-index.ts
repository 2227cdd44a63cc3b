/** Hooks by event and tool name, so that hooks that cannot match cost nothing. Verdicts on tool names are cached. */

import type { HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import { toolNames } from './checks.ts'
import type { CompiledMatcher } from './match.ts'

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

interface Indexed<Item> {
  all: readonly Item[]
  byTool: Map<string, Selected<Item>>
}

interface Selected<Item> {
  items: readonly Item[]
  /** Hooks whose other conditions are checked whatever earlier hooks answer. */
  asks: readonly Item[]
}

/** `hooksOf` is asked once for each event. */
export function createIndex<Item extends { hook: Hook; matcher: CompiledMatcher }>(
  hooksOf: (eventType: string) => readonly Item[],
): Index<Item> {
  const byEvent = new Map<string, Indexed<Item>>()
  const none: Selected<Item> = { items: [], asks: [] }

  function indexed(eventType: string): Indexed<Item> {
    let found = byEvent.get(eventType)
    if (!found) byEvent.set(eventType, (found = { all: hooksOf(eventType), byTool: new Map() }))
    return found
  }

  function selected(event: HookEvent): Selected<Item> | Promise<Selected<Item>> {
    const { all, byTool } = indexed(event.event_type)
    if (all.length === 0) return none
    // Plain strings as keys, because this runs at every event.
    const { tool_name: name, native_tool_name: native } = event
    const key = native === undefined ? String(name) : `${name}\0${native}`
    const found = byTool.get(key)
    if (found) return found
    const select = () => {
      const names = toolNames(event)
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
    all: (eventType) => indexed(eventType).all,
    candidates(event) {
      const found = selected(event)
      return found instanceof Promise ? found.then((ready) => readyFor(event, ready)) : readyFor(event, found)
    },
  }
}
