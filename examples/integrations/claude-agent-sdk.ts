/** Claude Agent SDK: its `hooks` option, answered by crosshook. */

import {
  HOOK_EVENTS,
  type HookCallback,
  type HookJSONOutput,
  type Options,
} from '@anthropic-ai/claude-agent-sdk'
import type { loadHooks } from 'crosshook'

type LoadedHooks = Awaited<ReturnType<typeof loadHooks>>

/** Left out: a hook on these replaces git, or fires for every piece of text. */
const LEFT_ALONE = ['WorktreeCreate', 'WorktreeRemove', 'MessageDisplay']

/**
 * For `query({ options: { hooks: claudeHooks(hooks) } })`. Events and tools get crosshook's names (`Bash` is `Shell`), and
 * answers Claude's; so every HOOK.md and every function that was registered works here as it does in Claude Code.
 */
export function claudeHooks(hooks: LoadedHooks): NonNullable<Options['hooks']> {
  const answer: HookCallback = async (input) => {
    const { hook_event_name: event, cwd } = input
    const { stdout, stderr, exit_code } = await hooks.runtime.handle({
      agent: 'claude-code',
      event,
      cwd,
      read: () => JSON.stringify(input),
    })
    if (exit_code !== 0) return { decision: 'block', reason: stderr.trim() }
    return replyOf(stdout)
  }
  const events = HOOK_EVENTS.filter((event) => !LEFT_ALONE.includes(event))
  return Object.fromEntries(events.map((event) => [event, [{ hooks: [answer], onFailure: 'block' }]]))
}

function replyOf(stdout: string): HookJSONOutput {
  if (stdout.trim() === '') return {}
  // A command's plain text has no place in a callback's answer, but the person can read it.
  return stdout.trimStart().startsWith('{') ? JSON.parse(stdout) : { systemMessage: stdout.trim() }
}
