import { join } from 'node:path'
import { responses } from '../stand-in/responses.ts'
import type { Agent } from './agent.ts'
import { installed, put } from './files.ts'

const AGENTS = 'multi_agent_v1'

export const agent: Agent = {
  id: 'codex',
  title: 'Codex',
  package: '@openai/codex',
  api: responses,
  configure({ home, project, url }) {
    // The newer default models are offered one tool that takes JavaScript; this one calls tools directly.
    put(
      join(home, '.codex/config.toml'),
      `# settings of a person
model = "gpt-5.5"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[otel]
exporter = "none"

[projects."${project}"]
trust_level = "trusted"
`,
    )
  },
  environment: () => ({ FAKE_KEY: 'sk-fake', RUST_LOG: 'error' }),
  start: (_place, prompt) => [
    installed('@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex'),
    'exec',
    '--skip-git-repo-check',
    prompt,
  ],
  tools: {
    shell: (cmd) => ({ tool: 'exec_command', input: { cmd, yield_time_ms: 20_000 } }),
    read: (path) => ({ tool: 'exec_command', input: { cmd: `cat '${path}'` } }),
    write: (path, content) =>
      patch(
        `*** Add File: ${path}`,
        content
          .trimEnd()
          .split('\n')
          .map((line) => `+${line}`),
      ),
    edit: (path, before, after) => patch(`*** Update File: ${path}`, ['@@', `-${before}`, `+${after}`]),
  },
  subagent: (message) => [
    {
      call: {
        namespace: AGENTS,
        tool: 'spawn_agent',
        input: { message, agent_type: 'default', fork_context: false },
      },
    },
    (told) => ({
      call: {
        namespace: AGENTS,
        tool: 'wait_agent',
        input: { targets: [/"agent_id"\s*:\s*"([^"]+)"/.exec(told)?.[1] ?? ''], timeout_ms: 60_000 },
      },
    }),
  ],
  deleteFolder: (folder) => `eval "rm -rf ${folder}"`,
}

function patch(file: string, lines: string[]): { tool: string; input: string } {
  return { tool: 'apply_patch', input: `*** Begin Patch\n${file}\n${lines.join('\n')}\n*** End Patch\n` }
}
