/** Hooks by registration, here or behind the daemon: `import { CrosshookClient } from 'crosshook/client'`. */

export { type ClientOptions, CrosshookClient } from './sdk/client/client.ts'
export type {
  EventOf,
  ExecuteTool,
  GenerateEndEvent,
  GenerateStartEvent,
  HookAnswer,
  HookAuditLevel,
  HookConfig,
  HookEvent,
  HookEvents,
  HookEventType,
  HookHandler,
  HookMatcher,
  HookOptions,
  HookResponse,
  ModelConfig,
  ModifiedData,
  OtherEvent,
  PermissionEvent,
  PermissionRequestEvent,
  PostToolUseEvent,
  PreToolUseEvent,
  RegisteredHook,
  TokenUsage,
  ToolArgs,
  ToolCall,
  ToolContext,
  ToolErrorEvent,
  ToolResult,
} from './sdk/client/types.ts'
export { CrosshookError } from './spec/errors.ts'
