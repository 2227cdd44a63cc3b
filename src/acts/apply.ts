/** Carries out the effects of a command: notes acts, follows what is started. */

import { runArgv } from './follow.ts'
import { hostOf, localPath } from './hosts.ts'
import { folderOf, locatePaths } from './locate-paths.ts'
import { noteAct, readPath, writePath } from './note-act.ts'
import { noteGuards, noteHeld } from './note-below.ts'
import type { Effect, Program } from './program.ts'
import { withoutText } from './program-output.ts'
import { arrive, nested, remoteCode, runFile, runText } from './run-text.ts'
import { type Run, spend } from './shell/followed-call.ts'
import { mergeFlows, NOTHING, type ShellState } from './shell/state.ts'
import type { Command, Given } from './started-command.ts'
import type { Flow, Word } from './word.ts'
import { heldAt, patchEffects, unpack } from './written-files.ts'

interface Applied {
  output: Flow
  /** What it read from files. */
  read: Flow
  hosts: string[]
}

export function apply(
  run: Run,
  outer: ShellState,
  effects: readonly Effect[],
  command: Command,
  row: Program,
  given: Given,
): Applied {
  const result: Applied = { output: NOTHING, read: NOTHING, hosts: [] }
  let state = outer
  for (const effect of effects)
    if ('cwd' in effect && Object.keys(effect).length === 1) {
      const folder = folderOf(run, state, effect.cwd)
      state = { ...state, cwd: folder }
    }
  const isSent = effects.some((effect) => 'does' in effect && effect.does === 'send')
  const add = (flow: Flow) => {
    result.output = result.output === NOTHING ? flow : mergeFlows(result.output, flow)
  }
  const written: string[] = []
  for (const effect of effects) {
    if (!spend(run, 1)) break
    if ('does' in effect) {
      const host =
        effect.host === undefined
          ? undefined
          : typeof effect.host === 'string'
            ? { text: effect.host }
            : effect.host
      const local = host && localPath(host.text)
      if (local !== undefined) {
        result.read = mergeFlows(result.read, readPath(run, state, { ...host, text: local }, command))
        continue
      }
      if (effect.does === 'read' && effect.path !== undefined) {
        const path = typeof effect.path === 'string' ? { text: effect.path } : effect.path
        if (path.flow) noteHeld(run, state, effect, path, command)
        const flow = path.flow ?? readPath(run, state, path, command, effect)
        result.read = result.read === NOTHING ? flow : mergeFlows(result.read, flow)
        continue
      }
      if (effect.does === 'read' && effect.place === 'environment')
        result.read = mergeFlows(result.read, { environment: true })
      if (effect.does === 'write' && effect.path !== undefined) {
        const path = typeof effect.path === 'string' ? { text: effect.path } : effect.path
        written.push(...writePath(run, state, path, command, effect))
        continue
      }
      if (host) {
        const name = hostOf(host.text)
        if (name !== undefined) result.hosts.push(name)
      }
      const sentTo = effect.does === 'send' && host === undefined ? hostsOf(effects)[0] : undefined
      noteAct(run, state, sentTo === undefined ? effect : { ...effect, host: sentTo }, command)
    } else if (run.commands && ('takes' in effect || 'guards' in effect)) {
      // Only places matter to them.
    } else if ('takes' in effect) {
      const { takes, ...rest } = effect
      noteHeld(run, state, { ...rest, does: 'read', recursive: true }, takes, command)
    } else if ('guards' in effect) {
      noteGuards(run, state, effect, command)
    } else if ('argv' in effect) {
      const inner = nested(state, command, effect.elsewhere)
      if (effect.cwd) inner.cwd = folderOf(run, inner, effect.cwd)
      const env = new Map<string, Word>(given.env)
      for (const each of effect.env ?? []) {
        const [, name = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(each.text) ?? []
        env.set(name, { ...each, text: value })
      }
      add(
        runArgv(run, effect.argv, inner, {
          input: effect.input === undefined ? given.input : effect.input,
          env,
          isProgram: true,
          ...(given.redirected && { redirected: given.redirected }),
          ...(command.isGuess && { isGuess: true }),
        }),
      )
    } else if ('written' in effect) {
      if (run.commands)
        runArgv(run, effect.written, nested(state, command, undefined), { input: null, env: new Map() })
    } else if ('script' in effect) {
      const inner = nested(state, command, effect.elsewhere)
      if (effect.cwd) inner.cwd = folderOf(run, inner, effect.cwd)
      for (const [name, value] of given.env) inner.variables.set(name, value)
      add(runText(run, inner, 'shell', effect.script, effect.args, command, given.input, true))
    } else if ('code' in effect) {
      add(runText(run, state, effect.code, effect.text, [], command, given.input))
    } else if ('file' in effect) {
      add(runFile(run, state, effect, command, given))
    } else if ('made' in effect) {
      for (const { path } of locatePaths(run, state, effect.made, 'run')) {
        const flow = heldAt(run, state, path)
        if (flow?.hosts) remoteCode(run, state, flow, command)
      }
    } else if ('patches' in effect) {
      for (const each of patchEffects(run, state, effect, given.input)) noteAct(run, state, each, command)
    } else if ('unpacks' in effect) {
      for (const each of unpack(run, state, effect, given.input)) noteAct(run, state, each, command)
    } else if ('from' in effect) {
      for (const to of locatePaths(run, state, effect.to, 'write'))
        for (const from of effect.host === undefined
          ? locatePaths(run, state, effect.from, 'read')
          : [{ path: effect.from.text }]) {
          const flow =
            effect.host === undefined
              ? (state.files.get(from.path) ?? { paths: [from.path] })
              : { hosts: [effect.host] }
          const inside = `${to.path.replace(/\/$/, '')}/${from.path.split('/').at(-1)}`
          state.files.set(to.path, flow)
          state.files.set(inside, flow)
          if (effect.link) {
            const isFolder = state.elsewhere === undefined && run.world.disk?.isFolder(to.path) === true
            state.links.set(isFolder ? inside : to.path, from.path)
          }
        }
    }
  }
  if (isSent) noteSent(run, state, mergeFlows(withoutText(given.input), result.read), result.hosts, command)
  // curl "https://…/?d=$(env)"
  if (row.fetches && result.hosts.length > 0 && command.argv.some(({ flow }) => flow?.environment))
    noteSent(run, state, { environment: true }, result.hosts, command)
  if (row.fetches && result.hosts.length > 0)
    for (const path of written) arrive(run, state, path, { hosts: result.hosts }, command)
  else if (!row.copies && written.length > 0 && given.input && !effects.some((effect) => 'from' in effect))
    // tee: what is read on the input is what is written.
    for (const path of written) if (!state.files.has(path)) arrive(run, state, path, given.input, command)
  return result
}

function hostsOf(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => {
    if (!('does' in effect) || effect.host === undefined) return []
    const found = hostOf(typeof effect.host === 'string' ? effect.host : effect.host.text)
    return found === undefined ? [] : [found]
  })
}

/** What leaves the machine: the files that were read, the environment. */
function noteSent(run: Run, state: ShellState, flow: Flow, hosts: readonly string[], command: Command): void {
  const host = hosts[0]
  for (const path of flow.paths ?? [])
    noteAct(
      run,
      state,
      { does: 'send', path, ...(host !== undefined && { host }), why: 'the content of the file leaves' },
      command,
    )
  if (flow.environment)
    noteAct(
      run,
      state,
      {
        does: 'send',
        place: 'environment',
        ...(host !== undefined && { host }),
        why: 'the environment leaves',
      },
      command,
    )
}
