import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from '@anthropic-ai/claude-agent-sdk'
import { loadHooks } from 'crosshook'
import { agent as claudeCode } from '../../test/agents/agents/claude-code.ts'
import { installed } from '../../test/agents/agents/files.ts'
import { anthropic } from '../../test/agents/stand-in/anthropic.ts'
import type { Turn } from '../../test/agents/stand-in/turn.ts'
import { claudeHooks } from './claude-agent-sdk.ts'
import { houseRules, says, scriptedModel } from './testing.ts'

// The SDK's own program is 350 MB; the one that test/agents installs is the same.
const program = installed('@anthropic-ai/claude-code-linux-x64/claude')
const skip = existsSync(program)
  ? false
  : 'Claude Code is not installed: npm ci --prefix test/agents brings it'

const bash = (command: string): Turn => ({
  call: { tool: 'Bash', input: { command, description: 'a step' } },
})

test('Claude Agent SDK: hooks deny, rewrite input and output, and are told of every step', {
  skip,
}, async () => {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'crosshook-claude-')))
  const home = join(scratch, 'home')
  const project = join(scratch, 'project')
  mkdirSync(home)
  mkdirSync(project)
  await using model = await scriptedModel(
    [
      bash('rm -rf build'),
      bash('sudo echo rewritten'),
      bash('echo the password is hunter""2'),
      bash('echo some words >&2; exit 3'),
      says('Done.'),
    ],
    anthropic,
  )
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: join(scratch, 'state') }
  const fired: string[] = []
  const hooks = houseRules(fired, await loadHooks({ work_dir: project, sources: [], env }))
  try {
    let result = ''
    for await (const message of query({
      prompt: 'Do the work.',
      options: {
        hooks: claudeHooks(hooks),
        cwd: project,
        pathToClaudeCodeExecutable: program,
        permissionMode: 'bypassPermissions',
        allowDangerouslySkipPermissions: true,
        settingSources: [],
        env: { ...env, ...claudeCode.environment({ url: model.url, home, project } as never) },
      },
    }))
      if (message.type === 'result' && message.subtype === 'success') result = message.result
    assert.equal(result, 'Done.')
    const [, denied, rewritten, hidden, failed] = model.told()
    assert.match(denied ?? '', /nothing is deleted here/)
    assert.match(rewritten ?? '', /^rewritten$/m)
    assert.match(rewritten ?? '', /remember the tests/)
    assert.match(hidden ?? '', /the password is \*\*\*/)
    assert.match(failed ?? '', /a failure: [\s\S]*some words/)
    assert.deepEqual(fired, [
      ...['before_agent', 'before_tool', 'before_tool', 'after_tool', 'before_tool', 'after_tool'],
      ...['before_tool', 'after_tool_failure'],
    ])
  } finally {
    hooks.close()
    rmSync(scratch, { recursive: true, force: true })
  }
})
