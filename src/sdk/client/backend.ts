/** A client's operations on hooks, in this process or behind the daemon. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { CrosshookError } from '../../spec/errors.ts'
import type {
  HookAuditLevel,
  HookConfig,
  HookMatcher,
  RegisteredHook,
  ToolArgs,
  ToolResult,
} from './types.ts'

export interface Registration {
  event: string
  name: string | undefined
  matcher: HookMatcher | undefined
  config: HookConfig | undefined
  handler: (event: never) => unknown
}

export interface Backend {
  register(registration: Registration): Promise<string>
  unregister(id: string): Promise<boolean>
  list(): Promise<RegisteredHook[]>
  setAuditLevel(level: HookAuditLevel): Promise<void>
  executeTool(sessionId: string, tool: string, args: ToolArgs): Promise<ToolResult>
  close(): Promise<void>
}

/** The event that the running code answers, and the number of nested tool calls that led to it. */
export interface Handling {
  eventId: string
  depth: number
}

export const handling = new AsyncLocalStorage<Handling>()

/** A hook may call a tool; a hook triggered by that call may not call another. */
export function nextDepth(): number {
  const depth = (handling.getStore()?.depth ?? 0) + 1
  if (depth <= 1) return depth
  throw new CrosshookError('refused', 'A hook that was run by executeTool may not call executeTool again.', {
    fix: 'Match fewer tools in the hook, or do the work in the first call.',
  })
}
