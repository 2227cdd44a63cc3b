import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { chat } from '../stand-in/chat.ts'
import { type Api, type Body, list, texts } from '../stand-in/turn.ts'
import type { Agent } from './agent.ts'
import { installed, put } from './files.ts'

const PROGRAM = installed('@xai-official/grok-linux-x64/bin/grok')

/** It asks for a title and for a line about the last turn, with all of its tools on offer. */
const api: Api = {
  ...chat,
  isSideCall: (body, path) => chat.isSideCall(body, path) || /session title|dashboard line/.test(frame(body)),
}

function frame({ messages }: Body): string {
  return texts([list(messages).at(0), list(messages).at(-1)])
}

export const agent: Agent = {
  id: 'grok-build',
  title: 'Grok Build',
  package: '@xai-official/grok-linux-x64',
  api,
  configure({ home, url }) {
    unpack()
    put(
      join(home, '.grok/config.toml'),
      `# settings of a person
[models]
default = "fake"

[model.fake]
model = "fake-model"
base_url = "${url}/v1"
name = "Fake"
env_key = "FAKE_KEY"
context_window = 2000000
`,
    )
  },
  environment: () => ({ FAKE_KEY: 'sk-fake', GROK_DISABLE_AUTOUPDATER: '1' }),
  start: (_place, prompt) => [PROGRAM, '-p', prompt, '--always-approve'],
  tools: {
    shell: (command) => ({ tool: 'run_terminal_command', input: { command, description: 'a step' } }),
    read: (target_file) => ({ tool: 'read_file', input: { target_file } }),
    write: (file_path, content) => ({ tool: 'write', input: { file_path, content } }),
    edit: (file_path, old_string, new_string) => ({
      tool: 'search_replace',
      input: { file_path, old_string, new_string },
    }),
  },
  subagent: (prompt) => [
    { call: { tool: 'spawn_subagent', input: { prompt, description: 'a part', background: false } } },
  ],
  cannot: { 'large-input': 'an input of more than 128 KB reaches hooks cut off, so it is refused' },
}

/** The package holds the program compressed; its own install script does the same. */
function unpack(): void {
  if (existsSync(PROGRAM)) return
  const part = `${PROGRAM}.${process.pid}`
  writeFileSync(part, brotliDecompressSync(readFileSync(`${PROGRAM}.br`)))
  chmodSync(part, 0o755)
  renameSync(part, PROGRAM)
}
