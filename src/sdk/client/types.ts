/** Types of `crosshook/client`: events as handlers get them, and their answers. */

export type HookEventType =
  | 'SessionStart'
  | 'SessionEnd'
  | 'GenerateStart'
  | 'GenerateEnd'
  | 'PreToolUse'
  | 'PostToolUse'
  | 'ToolError'
  | 'PermissionRequest'
  | 'PermissionGranted'
  | 'PermissionDenied'
  | 'PreCompact'
  | 'PostCompact'
  | 'ContextWarning'
  | 'SkillLoad'
  | 'SkillUnload'

export interface HookEvent {
  eventType: string
  sessionId: string
  /** Milliseconds since 1970. */
  timestamp: number
  metadata: Record<string, unknown>
}

export type ToolArgs = Record<string, unknown>

export interface TokenUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  [more: string]: unknown
}

export interface ModelConfig {
  name?: string
  [more: string]: unknown
}

export interface ToolCall {
  name?: string
  args?: ToolArgs
  [more: string]: unknown
}

export interface ToolContext {
  workingDirectory: string
  recentTools: string[]
  tokenUsage: TokenUsage
}

export interface ToolResult {
  success: boolean
  output: string
  exitCode?: number
  /** Milliseconds. */
  duration: number
}

export interface PreToolUseEvent extends HookEvent {
  /** `Bash`, `Write`, `Edit`… */
  tool: string
  args: ToolArgs
  context: ToolContext
}

export interface PostToolUseEvent extends HookEvent {
  tool: string
  args: ToolArgs
  result: ToolResult
}

export interface ToolErrorEvent extends PostToolUseEvent {
  error: string
}

export interface GenerateStartEvent extends HookEvent {
  prompt: string
  systemPrompt?: string
  model: ModelConfig
  tools: string[]
}

export interface GenerateEndEvent extends HookEvent {
  prompt: string
  model: ModelConfig
  response: { text: string; toolCalls: ToolCall[]; usage: TokenUsage; duration: number }
}

export interface PermissionRequestEvent extends PreToolUseEvent {
  permissionSuggestions?: unknown
}

export interface PermissionEvent extends HookEvent {
  tool: string
  args: ToolArgs
  reason?: string
}

/** Other events carry their own fields, in camelCase. */
export interface OtherEvent extends HookEvent {
  [field: string]: unknown
}

export interface HookEvents {
  SessionStart: OtherEvent
  SessionEnd: OtherEvent
  GenerateStart: GenerateStartEvent
  GenerateEnd: GenerateEndEvent
  PreToolUse: PreToolUseEvent
  PostToolUse: PostToolUseEvent
  ToolError: ToolErrorEvent
  PermissionRequest: PermissionRequestEvent
  PermissionGranted: PermissionEvent
  PermissionDenied: PermissionEvent
  PreCompact: OtherEvent
  PostCompact: OtherEvent
  ContextWarning: OtherEvent
  SkillLoad: OtherEvent
  SkillUnload: OtherEvent
}

export interface ModifiedData {
  args?: ToolArgs
  prompt?: string
  systemPrompt?: string
  model?: unknown
  tools?: string[]
  response?: unknown
}

export type HookResponse =
  | { action: 'continue'; modified?: ModifiedData }
  | { action: 'block'; reason?: string }
  | { action: 'retry'; delay?: number; reason?: string }
  /** The remaining hooks; with `scope: 'hook'`, this one. */
  | { action: 'skip'; scope?: 'hook' }

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement goes on
export type HookAnswer = HookResponse | null | undefined | void
export type HookHandler<E extends string> = (event: EventOf<E>) => HookAnswer | Promise<HookAnswer>
export type EventOf<E extends string> = E extends HookEventType ? HookEvents[E] : OtherEvent

export interface HookMatcher {
  tool?: string
  /** A glob; without a slash it matches in any folder. */
  pathPattern?: string
  commandPattern?: string
}

export interface HookConfig {
  /** Lower runs first; 100 unless said otherwise. */
  priority?: number
  /** Milliseconds. */
  timeout?: number
  /** The answer is not awaited. */
  async?: boolean
  /** What a failing handler means. */
  failBehavior?: 'continue' | 'block'
}

export interface HookOptions<E extends string> {
  /** What `crosshook list` and the journal call it. */
  name?: string
  matcher?: HookMatcher
  handler: HookHandler<E>
  config?: HookConfig
}

export interface RegisteredHook {
  id: string
  event: string
  matcher: HookMatcher
  config: HookConfig
}

export type HookAuditLevel = 'off' | 'info' | 'verbose'

export type ExecuteTool = (
  sessionId: string,
  tool: string,
  args: ToolArgs,
) => ToolResult | Promise<ToolResult>
