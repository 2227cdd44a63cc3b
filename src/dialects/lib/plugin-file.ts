/** A program file of ours in an agent's folder of plugins: made by `install`, deleted by `uninstall`. Loaded only then. */

import { CrosshookError } from '../../spec/errors.ts'
import type { CommandLine, Entry, SettingsFile } from '../../spec/installer.ts'
import { wanted } from './entry-events.ts'

export const MARK = '// Made by `crosshook install`, deleted by `crosshook uninstall`: changes are lost.'
const COMMANDS = 'const COMMANDS = '

interface Options {
  path: string
  events: readonly string[]
  /** What stands below the calls: `ask` and `decide` are there to use. */
  body: string
}

export function pluginFile({ path, events, body }: Options): SettingsFile {
  return {
    path,
    add(text, command) {
      if (text !== undefined && !text.startsWith(MARK))
        throw new CrosshookError('exists', `${path} is there already and was not made by crosshook.`, {
          fix: 'Rename it, then install again.',
        })
      const goesOn = command.refuses !== undefined && !events.some(command.refuses)
      return [
        MARK,
        IMPORT,
        `${COMMANDS}${commands(events, command)}`,
        `const FAILS_OPEN = ${goesOn}`,
        CALLS,
        body.trim(),
        '',
      ].join('\n')
    },
    remove: (text) => (text.startsWith(MARK) ? undefined : text),
    find: (text) => (text.startsWith(MARK) ? entriesOf(text) : []),
  }
}

function commands(events: readonly string[], command: CommandLine): string {
  return JSON.stringify(
    Object.fromEntries(wanted(events, command).map((event) => [event, command.argv(event)])),
  )
}

function entriesOf(text: string): Entry[] {
  const line = text.split('\n').findIndex((part) => part.startsWith(COMMANDS))
  if (line < 0) return []
  const found = JSON.parse(text.split('\n')[line]!.slice(COMMANDS.length)) as Record<string, string[]>
  return Object.entries(found).map(([event, argv]) => ({
    event,
    command: argv.join(' '),
    argv,
    ours: true,
    line: line + 1,
  }))
}

const IMPORT = `import { spawn, spawnSync } from 'node:child_process'\n`

/** Whatever goes wrong is a deny where something can be stopped, unless the person wanted it otherwise (`--fail open`). */
const CALLS = `const LIMIT = 600000

/** The answer of crosshook, which is always JSON. Rejects when there is none. */
function ask(event, payload) {
  return new Promise((resolve, reject) => {
    // Nobody listens to it.
    if (!(event in COMMANDS)) return resolve({})
    const [program, ...args] = COMMANDS[event]
    const child = spawn(program, args, { stdio: 'pipe' })
    let out = ''
    let err = ''
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error('crosshook gave no answer in ' + LIMIT / 1000 + ' s'))
    }, LIMIT)
    const end = (code) => {
      clearTimeout(timer)
      if (code !== 0) return reject(new Error('crosshook failed: ' + (err.trim() || 'exit code ' + code)))
      try {
        resolve(JSON.parse(out))
      } catch {
        reject(new Error('crosshook gave an answer that cannot be read: ' + out.slice(0, 200)))
      }
    }
    child.on('error', (error) => {
      clearTimeout(timer)
      const mend = 'Install crosshook again, or run crosshook uninstall ' + args[1] + '.'
      reject(new Error('crosshook cannot check this: ' + program + ' cannot be started (' + error.message + '). ' + mend))
    })
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text))
    // Whatever a hook leaves behind may hold the pipes: the exit counts.
    child.on('exit', (code) => setTimeout(end, 1000, code).unref?.())
    child.on('close', end)
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(payload))
  })
}

/** The answer, where it can stop something: a failure stops it. */
function decide(event, payload) {
  return ask(event, payload).catch((error) => {
    if (!FAILS_OPEN) return { deny: error.message }
    console.error(error.message)
    return { context: error.message }
  })
}

/** The answer, where it can stop nothing: a failure is told. */
function observe(event, payload) {
  return ask(event, payload).catch((error) => {
    console.error(error.message)
    return {}
  })
}

/** The answer, before anything else happens in this program. */
function observeNow(event, payload) {
  if (!(event in COMMANDS)) return {}
  const [program, ...args] = COMMANDS[event]
  const input = JSON.stringify(payload)
  const { status, stdout, error } = spawnSync(program, args, { input, encoding: 'utf8', timeout: LIMIT })
  try {
    if (error) throw error
    return JSON.parse(stdout)
  } catch {
    console.error('crosshook gave no answer that can be read: ' + (error?.message ?? 'exit code ' + status))
    return {}
  }
}

function joined(...texts) {
  return texts.filter((text) => text !== undefined && text !== '').join('\\n\\n')
}
`
