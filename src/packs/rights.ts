/** A hook's rights as short sentences that can be compared between versions. */

import type { Hook } from '../spec/hook.ts'

/** Sorted and unique. A sentence missing in the other version is a right more or less. */
export function rightsOf(hook: Hook): string[] {
  return [...new Set([...hook.events.map((event) => `sees ${event}`), ...runRights(hook)])].sort()
}

function runRights({ run, sandbox }: Hook): string[] {
  switch (run.type) {
    case 'command': {
      const program = 'argv' in run ? [`starts ${run.argv[0]}`] : []
      const words = 'command' in run ? [`runs the line ${run.command}`] : []
      return [...program, ...words, ...sandboxRights(sandbox)]
    }
    case 'module':
      return ['runs inside crosshook, with all of your rights']
    case 'http':
      return [`sends every event that it sees to ${hostOf(run.url)}`]
    case 'prompt':
      return ['shows events to a model']
    case 'agent':
      return ['shows events to a model', ...(run.tools ?? []).map((tool) => `lets a model use ${tool}`)]
    case 'outcome':
      return []
    default:
      return [`runs as ${run.type}`]
  }
}

function sandboxRights(sandbox: Hook['sandbox']): string[] {
  if (!sandbox) return ['runs a program with all of your rights']
  const { read = [], write = [], connect = [], env = [] } = sandbox === true ? {} : sandbox
  return [
    'runs a program, confined',
    ...read.map((path) => `reads ${path}`),
    ...write.map((path) => `writes ${path}`),
    ...connect.map((place) => `reaches ${place === '*' ? 'the network' : place}`),
    ...env.map((name) => `gets the variable ${name}`),
  ]
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

export interface RightsDiff {
  hook: string
  more: string[]
  less: string[]
}

/** For a new hook all rights count as added. Becoming confined is a reduction; the other way round is an addition. */
export function rightsDiff(
  before: Readonly<Record<string, readonly string[]>>,
  after: Readonly<Record<string, readonly string[]>>,
): RightsDiff[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((hook) => {
    const [old, young] = [before[hook] ?? [], after[hook] ?? []]
    const more = young.filter((right) => !old.includes(right) && !isCovered(right, old))
    const less = old.filter((right) => !young.includes(right))
    return more.length + less.length > 0 ? [{ hook, more, less }] : []
  })
}

/** A program that had all rights gains none by declaring some. */
function isCovered(right: string, old: readonly string[]): boolean {
  const hadAll = old.some((each) => / with all of your rights$/.test(each))
  return hadAll && /^(?:runs a program, confined|reads |writes |reaches |gets the variable )/.test(right)
}
