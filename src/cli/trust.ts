/** `crosshook trust [NAME]`: shows what would run, asks, and pins every byte of it. */

import { createInterface } from 'node:readline/promises'
import { replacedBy } from '../config/layers.ts'
import type { Reach } from '../config/outside.ts'
import { digest, type Snapshot, snapshot, type TrustStore } from '../config/trust.ts'
import { assemble } from '../host/assemble.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { hooksNamed } from './named-hooks.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { plural, print, printAsIs, printJson, warn } from './print.ts'
import { view } from './trust-view.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const runtime = assemble({ env: args.env, source: 'cli' })
  const { hooks } = await runtime.hookSet(process.cwd())
  await runtime.close()
  const wrong = runtime.trust.wrong()
  if (wrong !== undefined) warn(`${wrong} Look at the hooks again and trust those that may run.`)
  const [name] = args.words
  const chosen = name === undefined ? hooks.filter(isProject) : hooksNamed(name, hooks)
  if (name !== undefined && !chosen.some(isProject))
    return say(args, `${visible(name)} is a ${chosen[0]!.scope} hook: it needs no trust, it runs.`, [])
  const waiting = together(
    chosen.filter((hook) => isProject(hook) && runtime.trust.state(hook) !== 'trusted'),
  )
  if (waiting.length === 0)
    return say(
      args,
      name === undefined
        ? 'Nothing to trust here: no project hook is waiting.'
        : `${visible(name)} is trusted already.`,
      [],
    )
  return decide(args, waiting, { trust: runtime.trust, all: hooks })
}

async function decide(
  args: Arguments,
  waiting: readonly Hook[][],
  { trust, all }: { trust: TrustStore; all: readonly Hook[] },
): Promise<number> {
  const paint = painter(1)
  const json = args.flag('json')
  const yes = args.flag('yes')
  const canAsk = process.stdin.isTTY === true && process.stdout.isTTY === true && !json
  const done: object[] = []
  let refused = 0
  let unseen = 0
  for (const hooks of waiting) {
    const [hook] = hooks as [Hook]
    const seen = lookAt(hooks, trust)
    if (seen === null) {
      unseen++
      continue
    }
    const { now, reach } = seen
    const changed = trust.state(hook) === 'changed'
    const replaced = hooks.flatMap((each) => replacedBy(each, all))
    if (!json)
      printAsIs(`${view({ hooks, now, before: trust.pinned(hook), changed, replaced, reach }, paint)}\n`)
    const agreed =
      yes || (canAsk && (await ask(`Let ${hooks.length === 1 ? 'it' : 'them'} run in this project? [y/N] `)))
    if (agreed) pin(trust, hooks, { shown: seen, everywhere: args.flag('everywhere'), env: args.env })
    else refused++
    for (const { name, origin } of hooks) {
      const own = replaced.filter((other) => other.name === name).map((other) => other.origin.file)
      done.push({
        name,
        file: origin.file,
        state: changed ? 'changed' : 'untrusted',
        trusted: agreed,
        digest: digest(now),
        files: [...now.keys()],
        ...(own.length > 0 ? { replaces: own } : {}),
        ...(reach.files.length > 0 ? { outside: reach.files.map(({ path }) => path) } : {}),
        ...(reach.unpinned.length > 0 ? { unpinned: reach.unpinned } : {}),
      })
    }
    if (!json && agreed)
      print(`${paint.green('trusted')} ${hooks.map(({ name }) => visible(name)).join(', ')}\n\n`)
    if (agreed && args.flag('everywhere') && reach.unpinned.length > 0)
      warn(
        `${visible(hook.name)} is trusted here only: it runs what cannot be pinned, and another clone may have other code. Run \`crosshook trust\` there, too.`,
      )
  }
  if (json) printJson(done)
  if (refused === 0) return unseen === 0 ? 0 : 1
  if (canAsk) {
    print(`${plural(refused, 'hook')} left untrusted: ${refused === 1 ? 'it does' : 'they do'} not run.\n`)
    return 1
  }
  const sentence = 'nothing was trusted: there is no terminal to ask on'
  const fix = 'If what is shown above may run, say so with --yes.'
  if (!json) throw new CrosshookError('not_trusted', sentence, { fix })
  warn(`${sentence}. ${fix}`) // stdout already has its single JSON text
  return 1
}

interface Seen {
  now: Snapshot
  reach: Reach
}

/** An unreadable hook is not trusted, and does not keep others from being trusted. */
function lookAt(hooks: readonly Hook[], trust: TrustStore): Seen | null {
  const [hook] = hooks as [Hook]
  try {
    return { now: snapshot(hook), reach: trust.reach(hooks) }
  } catch (thrown) {
    const fix =
      thrown instanceof CrosshookError
        ? thrown.fix
        : 'Take away links that lead nowhere or in a circle, and what you may not read.'
    warn(`${visible(hook.name)} stays untrusted: ${visible(messageOf(thrown))}. ${fix}`)
    return null
  }
}

interface Pin {
  shown: Seen
  everywhere: boolean
  env: NodeJS.ProcessEnv
}

/** Pins what was shown, even if somebody wrote to the folder meanwhile. */
function pin(trust: TrustStore, hooks: readonly Hook[], { shown, everywhere, env }: Pin): void {
  const [hook] = hooks as [Hook]
  trust.trust(hooks, { everywhere, env })
  const pinned = trust.pinned(hook)
  const isSame = pinned && digest(pinned) === digest(shown.now)
  if (isSame && JSON.stringify(trust.reach(hooks)) === JSON.stringify(shown.reach)) return
  trust.untrust(hook)
  throw new CrosshookError('not_trusted', `${hook.name} changed while you were looking at it`, {
    fix: 'Run `crosshook trust` again.',
  })
}

/** Hooks of one file are trusted together. */
function together(hooks: readonly Hook[]): Hook[][] {
  return [...Map.groupBy(hooks, ({ origin }) => origin.dir ?? origin.file).values()]
}

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim())
  } catch {
    return false // Ctrl-C or Ctrl-D at the question
  } finally {
    lines.close()
  }
}

function say(args: Arguments, sentence: string, list: readonly object[]): number {
  if (args.flag('json')) printJson(list)
  else print(`${sentence}\n`)
  return 0
}

function isProject(hook: Hook): boolean {
  return hook.scope === 'project'
}
