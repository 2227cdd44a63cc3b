import { join } from 'node:path'
import type { Call } from '../stand-in/turn.ts'
import type { Agent } from './agent.ts'
import { agent as codex } from './codex.ts'
import { edited } from './files.ts'

const AGENTS = 'collaboration'

/** The newer models of Codex call no tools: they write JavaScript that does. */
export const agent: Agent = {
  ...codex,
  name: 'codex-code-mode',
  title: 'Codex, code mode',
  configure(place) {
    codex.configure(place)
    edited(join(place.home, '.codex/config.toml'), (text) => text.replace('"gpt-5.5"', '"gpt-6.1-sol"'))
  },
  tools: {
    shell: (cmd) => script('exec_command', { cmd, yield_time_ms: 20_000 }),
    read: (path) => script('exec_command', { cmd: `cat '${path}'` }),
    write: (path, content) => script('apply_patch', codex.tools.write(path, content).input),
    edit: (path, before, after) => script('apply_patch', codex.tools.edit(path, before, after).input),
  },
  subagent: (message) => [
    {
      call: {
        namespace: AGENTS,
        tool: 'spawn_agent',
        input: { task_name: 'part', message, fork_turns: 'none' },
      },
    },
    { call: { namespace: AGENTS, tool: 'wait_agent', input: { timeout_ms: 60_000 } } },
  ],
}

function script(tool: string, input: Call['input']): Call {
  const lines = [
    'try {',
    `  const result = await tools.${tool}(${JSON.stringify(input)})`,
    "  text(typeof result === 'string' ? result : result.output ?? JSON.stringify(result))",
    '} catch (error) {',
    '  text(String(error))',
    '}',
  ]
  return { tool: 'exec', input: lines.join('\n') }
}
