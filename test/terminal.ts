/** A real terminal: tmux with processes of its own, typed into and read as a person does. */

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Terminal {
  /** Everything since the start, lines that the terminal has broken joined again. */
  text(): string
  /** What is printed from the first key until `until` is true of it. */
  type(line: string, until?: (printed: string) => boolean): Promise<string>
  /** Keys, by the names that tmux has for them; what stands in the last line once `until` is true of it. */
  press(keys: readonly string[], until: (line: string) => boolean): Promise<string>
  close(): Promise<void>
}

export interface TerminalOptions {
  cwd: string
  env: NodeJS.ProcessEnv
  columns?: number
  shell?: readonly string[]
}

const PROMPT = '$'
const WAIT_MS = 90_000

/**
 * Words before a command that give it processes of its own: an agent that runs elsewhere on this machine is not taken for
 * the one that started it. Empty where the system does not allow it.
 */
export function ownProcesses(): string[] {
  const words = ['unshare', ...(process.getuid?.() === 0 ? [] : ['-r']), '--pid', '--fork', '--mount-proc']
  return spawnSync(words[0]!, [...words.slice(1), 'true']).status === 0 ? words : []
}

export async function openTerminal({ cwd, env, columns = 80, shell }: TerminalOptions): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), 'term-'))
  const socket = join(folder, 's')
  const [program, ...words] = [...ownProcesses(), 'tmux', '-f', '/dev/null', '-S', socket, '-D']
  const server = spawn(program!, words, { cwd, env: { ...env, TERM: 'screen' }, stdio: 'ignore' })
  const ended = once(server, 'exit')
  const tmux = (...args: string[]) => execFileSync('tmux', ['-S', socket, ...args], { env, encoding: 'utf8' })
  await holds(() => spawnSync('tmux', ['-S', socket, 'show-options', '-g'], { env }).status === 0, 'tmux')
  tmux('set-option', '-g', 'history-limit', '20000')
  tmux('set-option', '-g', 'escape-time', '0')
  const command = shell ?? ['env', `PS1=${PROMPT} `, 'PS2=> ', 'bash', '--norc', '--noprofile']
  tmux('new-session', '-d', '-x', `${columns}`, '-y', '50', '-c', cwd, ...command)
  const text = () =>
    tmux('capture-pane', '-p', '-J', '-S', '-')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd()
  await holds(() => text() === PROMPT, 'the first prompt')
  return {
    text,
    async type(line, until = (printed) => printed.endsWith(`\n${PROMPT}`)) {
      const before = text()
      for (const each of line.split('\n')) {
        if (each !== '') tmux('send-keys', '-l', '--', each)
        tmux('send-keys', 'Enter')
      }
      await holds(
        () => text() !== before && until(text().slice(before.length)),
        () => `what follows on ${JSON.stringify(line)}; on the screen:\n${text()}`,
      )
      return text().slice(before.length)
    },
    async press(keys, until) {
      for (const key of keys) tmux('send-keys', key)
      const last = () => text().slice(text().lastIndexOf('\n') + 1)
      await holds(
        () => until(last()),
        () => `${keys.join(' ')}; on the screen:\n${text()}`,
      )
      return last()
    },
    async close() {
      tmux('kill-server')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function holds(condition: () => boolean, what: string | (() => string)): Promise<void> {
  const end = Date.now() + WAIT_MS
  while (!condition()) {
    if (Date.now() > end) throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}
