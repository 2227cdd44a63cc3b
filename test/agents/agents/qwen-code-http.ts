import type { Agent } from './agent.ts'
import { agent as qwen } from './qwen-code.ts'

/** The same program, whose hooks are URLs of the daemon where nothing is lost by it. */
export const agent: Agent = {
  ...qwen,
  name: 'qwen-code-http',
  title: 'Qwen Code over HTTP',
  install: ['--http'],
  cannot: { 'daemon-killed': 'it goes on when nobody answers; the daemon is back before the next request' },
}
