/** Hooks by registration: `client.registerHook('PreToolUse', async (event) => …)`. */

import type { KnownEvent } from '../handled-event.ts'
import type { Hooks } from '../hooks.ts'
import type { Backend } from './backend.ts'
import { localBackend } from './local.ts'
import type {
  EventOf,
  ExecuteTool,
  HookAnswer,
  HookAuditLevel,
  HookEventType,
  HookHandler,
  HookOptions,
  RegisteredHook,
  ToolArgs,
  ToolResult,
} from './types.ts'

export interface ClientOptions {
  /** Address of the daemon's gRPC API; default: this user's running daemon. */
  address?: string
  /** Content of the daemon's token file; default: this user's. */
  token?: string
  /** The certificate to trust, as PEM, for an https address with a private certificate. */
  ca?: string
  /** Hooks of this process instead of a daemon. */
  hooks?: Hooks
  /** Implements `executeTool` in this process. */
  executeTool?: ExecuteTool
  /** Lines of the audit trail in this process; the daemon writes its own. */
  onAudit?: (line: string) => void
  /** Called when a handler fails or the daemon is lost. */
  onTrouble?: (sentence: string) => void
}

export class CrosshookClient {
  readonly #backend: () => Backend | Promise<Backend>
  readonly #pending = new Set<Promise<void>>()

  constructor(options: ClientOptions = {}) {
    const { hooks, executeTool, onAudit } = options
    if (hooks) {
      const local = localBackend({ hooks, executeTool, onAudit })
      this.#backend = () => local
    } else {
      let remote: Promise<Backend> | undefined
      this.#backend = () =>
        (remote ??= import('./dial.ts').then(({ dial }) => dial(options))).catch((error: unknown) => {
          remote = undefined
          throw error
        })
    }
  }

  /** Resolves to the hook's id; rejects when it is refused. */
  registerHook<E extends HookEventType | KnownEvent>(
    event: E,
    hook: HookOptions<E> | ((event: EventOf<E>) => HookAnswer | Promise<HookAnswer>),
  ): Promise<string> {
    const options: HookOptions<E> = typeof hook === 'function' ? { handler: hook as HookHandler<E> } : hook
    const { name, matcher, config, handler } = options
    const registered = this.#with((backend) => backend.register({ event, name, matcher, config, handler }))
    // The caller gets the error; here only its end matters.
    const ended: Promise<void> = registered
      .then(
        () => {},
        () => {},
      )
      .then(() => void this.#pending.delete(ended))
    this.#pending.add(ended)
    return registered
  }

  /** Takes the id or a promise of it. Resolves to whether such a hook existed. */
  unregisterHook(id: string | Promise<string>): Promise<boolean> {
    return this.#with(async (backend) => backend.unregister(await id))
  }

  /** Includes hooks that are still being registered. */
  async listHooks(): Promise<RegisteredHook[]> {
    await Promise.all(this.#pending)
    return this.#with((backend) => backend.list())
  }

  setHookAuditLevel(level: HookAuditLevel): Promise<void> {
    return this.#with((backend) => backend.setAuditLevel(level))
  }

  /** Runs a tool, after the same hooks as any tool call. */
  executeTool(sessionId: string, tool: string, args: ToolArgs): Promise<ToolResult> {
    return this.#with((backend) => backend.executeTool(sessionId, tool, args))
  }

  /** Unregisters this client's hooks and disconnects. */
  close(): Promise<void> {
    return this.#with((backend) => backend.close())
  }

  // In this process a hook counts from the very call that registers it.
  #with<T>(work: (backend: Backend) => Promise<T>): Promise<T> {
    const backend = this.#backend()
    return backend instanceof Promise ? backend.then(work) : work(backend)
  }
}
