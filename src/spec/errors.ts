/** One error class with a closed table of codes. Each has the fix for people and the exit status of the program. */

export const ERROR_CODES = {
  usage: { exit: 1, fix: 'Run `crosshook help` to see the commands and their options.' },
  unknown_event: { exit: 1, fix: 'Run `crosshook help events` for the names.' },
  unknown_agent: { exit: 1, fix: 'Run `crosshook agents` for the names.' },
  unknown_hook: { exit: 1, fix: 'Run `crosshook list` to see the hooks that were found.' },
  bad_input: { exit: 1, fix: 'Give one JSON object on stdin, such as {"tool_name": "Shell"}.' },
  bad_source: { exit: 1, fix: 'Check the path, or say what it is with --format.' },
  bad_settings: { exit: 1, fix: 'Correct the file; `crosshook validate` shows each problem.' },
  invalid_hooks: { exit: 1, fix: 'Fix the problems listed above; the other hooks still work.' },
  not_trusted: { exit: 1, fix: 'Look at what would run, then `crosshook trust`.' },
  exists: { exit: 1, fix: 'Choose another name, or remove the old one first.' },
  not_found: { exit: 1, fix: 'Check the name or id.' },
  store: {
    exit: 1,
    fix: 'Check that the state folder can be written: $XDG_STATE_HOME/crosshook, by default ~/.local/state/crosshook.',
  },
  no_daemon: { exit: 1, fix: 'Start it with `crosshook daemon start`.' },
  daemon_running: { exit: 1, fix: 'Stop it with `crosshook daemon stop`.' },
  refused: { exit: 1, fix: 'See the reason above.' },
  limit: { exit: 1, fix: 'Remove a hook, or raise the limit in the settings.' },
  old_node: { exit: 1, fix: 'Install Node 22.18 or later.' },
  cases_failed: { exit: 1, fix: 'Compare what was expected with what came, above.' },
  internal: { exit: 70, fix: 'Please report this with the text above.' },
} as const satisfies Record<string, { exit: number; fix: string }>

export type ErrorCode = keyof typeof ERROR_CODES

export class CrosshookError extends Error {
  readonly code: ErrorCode
  readonly fix: string

  constructor(code: ErrorCode, message: string, options: { fix?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'CrosshookError'
    this.code = code
    this.fix = options.fix ?? ERROR_CODES[code].fix
  }

  /** Checks a mark instead of the class, since a program may contain two copies of this module. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'CrosshookError' && 'code' in value && 'fix' in value
  }

  get exitCode(): number {
    return ERROR_CODES[this.code].exit
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** An error reported by a system call, such as ENOENT or EIO. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
