import type { Agent } from './agent.ts'
import { agent as claude } from './claude-code.ts'

/** The same program, whose hooks are URLs of the daemon. */
export const agent: Agent = {
  ...claude,
  name: 'claude-code-http',
  title: 'Claude Code over HTTP',
  install: ['--http'],
}
