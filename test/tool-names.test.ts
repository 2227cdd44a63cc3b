/** A tool may go by any agent's own name, wherever a person writes one. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calledBefore } from './compile-cache.ts'

const MAIN = join(import.meta.dirname, '../dist/cli/main.cjs')
let home: string

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tool-names-')))
  guard('no-delete', 'tool: Shell\n  does: delete')
  guard('no-etc', 'tool: WriteFile\n  path: /etc/**')
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

function guard(name: string, matcher: string): void {
  const dir = join(home, '.config/agents/hooks', name)
  mkdirSync(dir, { recursive: true })
  writeFileSync(
    join(dir, 'HOOK.md'),
    `---\nname: ${name}\ndescription: Refuses.\ntrigger: before_tool\nmatcher:\n  ${matcher}\noutcome: { decision: deny, reason: no }\n---\n`,
  )
}

function crosshook(args: readonly string[]): { status: number | null; text: string } {
  const env = calledBefore({
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    CROSSHOOK_NO_DAEMON: '1',
  })
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    ...{ cwd: home, env, input: '', encoding: 'utf8' },
  })
  return { status, text: stdout + stderr }
}

const DELETES = '{"command":"rm -rf src"}'

it.each(['Shell', 'Bash', 'run_shell_command', 'Execute'])('fire, explain and check know %s', (tool) => {
  const fired = crosshook(['fire', 'before_tool', '--tool', tool, '--input', DELETES])
  expect(fired.status, fired.text).toBe(2)
  expect(fired.text).not.toContain('no agent has a tool')
  expect(crosshook(['explain', 'before_tool', '--tool', tool, '--input', DELETES]).text).toMatch(
    /Would run.*\n.*no-delete/,
  )
  expect(crosshook(['check', '--tool', tool, '--input', DELETES]).status).toBe(2)
})

it("an agent's own fields of the input are known with its name of the tool", () => {
  const input = '{"file_path":"/etc/hosts","content":"x"}'
  expect(crosshook(['fire', 'before_tool', '--tool', 'Write', '--input', input]).status).toBe(2)
  expect(
    crosshook(['fire', 'PreToolUse', '--tool', 'Write', '--input', '{"file_path":"/tmp/x"}']).status,
  ).toBe(0)
})

it.each(['fire', 'explain'])(
  '%s says of a name that no agent has, and offers the canonical one',
  (command) => {
    const { text } = crosshook([command, 'before_tool', '--tool', 'Bsh', '--input', DELETES])
    expect(text).toContain('no agent has a tool called "Bsh". Did you mean Bash, which is Shell?')
  },
)

it('a tool that a hook is there for needs no agent', () => {
  guard('no-rockets', 'tool: LaunchRocket')
  const fired = crosshook(['fire', 'before_tool', '--tool', 'LaunchRocket', '--input', '{}'])
  expect(fired.status).toBe(2)
  expect(fired.text).not.toContain('no agent has')
})

it('tools of MCP servers are nobody else’s business', () => {
  const { text } = crosshook(['fire', 'before_tool', '--tool', 'mcp__git__push', '--input', '{}'])
  expect(text).not.toContain('no agent has')
})

it('cases may use such a name, and one that fails says when no agent has it', () => {
  const cases = (tool: string) =>
    writeFileSync(
      join(home, '.config/agents/hooks/no-delete/cases.yaml'),
      `- name: refused\n  event: PreToolUse\n  tool_name: ${tool}\n  tool_input: ${DELETES}\n  expect: { decision: deny }\n`,
    )
  cases('Bash')
  expect(crosshook(['test', 'no-delete'])).toMatchObject({ status: 0 })
  cases('Bsh')
  const wrong = crosshook(['test', 'no-delete'])
  expect(wrong.status).toBe(1)
  expect(wrong.text).toContain('Did you mean Bash, which is Shell?')
})
