/** Globs over names and paths. All run on one small automaton, so the work is at most text length × pattern length. */

import { basename, normalize, relative, resolve, sep } from 'node:path'

export type Glob = (text: string) => boolean

/** Glob over a name: `*` is any run of characters, `/` too; `?` is one character. */
export function compileGlob(pattern: string): Glob {
  if (pattern === '*') return () => true
  if (!/[*?]/.test(pattern)) return (text) => text === pattern
  return acceptsWith(pattern.slice(0, pattern.search(/[*?]/)), () =>
    [...pattern].map((char) => (char === '*' ? many(any) : char === '?' ? one(any) : literal(char))),
  )
}

export type PathGlob = (path: string, workDir: string, home?: string) => boolean

/**
 * Glob over a path, tried on the path as given, relative to the working folder, and absolute. `~` is the caller's home.
 */
export function compilePathGlob(pattern: string): PathGlob | Promise<PathGlob> {
  const text = pathText(pattern)
  if (isExtended(text)) return extendedGlob(text).then((glob) => pathGlob(pattern, text, [glob]))
  return pathGlob(pattern, text, expandBraces(text).map(segmentGlob))
}

/** Needs no library. */
export function isPlainPathGlob(pattern: string): boolean {
  return !isExtended(pathText(pattern))
}

function pathText(pattern: string): string {
  return fold(pattern.startsWith('./') ? pattern.slice(2) : pattern)
}

function pathGlob(pattern: string, text: string, globs: readonly Glob[]): PathGlob {
  const isOfHome = text.startsWith('~')
  const wantsName = !pattern.includes('/')
  return (path, workDir, home = ownHome()) => {
    const forms = pathForms(path, workDir, home)
    const holds = (form: string) => globs.some((glob) => glob(fold(form)))
    if (forms.some(holds)) return true
    if (isOfHome && forms.some((form) => fromHome(form, home).some(holds))) return true
    return wantsName && holds(basename(normalize(path)))
  }
}

/** On a case-insensitive file system `.ENV` opens `.env`, so globs ignore case there. */
function fold(text: string): string {
  return process.platform === 'darwin' || process.platform === 'win32' ? text.toLowerCase() : text
}

/** `*.rs` means "ends with .rs"; with a slash, `*` stays in its folder and `**` crosses folders. */
export function compileSuffixGlob(pattern: string): Glob {
  if (pattern.startsWith('*') && !pattern.includes('/')) {
    const suffix = pattern.slice(1)
    return (path) => path.endsWith(suffix)
  }
  return acceptsWith(/^[^*]*/.exec(pattern)![0], () =>
    (pattern.match(/\*\*\/|\*\*|\*|[\s\S]/g) ?? []).flatMap((token) => {
      if (token === '**/') return optional([many(any), literal('/')])
      if (token === '**') return [many(any)]
      return [token === '*' ? many(notSlash) : literal(token)]
    }),
  )
}

/**
 * One step of the automaton: which characters it takes, whether it may repeat, and how many steps may be skipped
 * instead.
 */
interface Step {
  takes: (char: string) => boolean
  repeats: boolean
  jump: number
}

const any = () => true
const notSlash = (char: string) => char !== '/'
const one = (takes: Step['takes']): Step => ({ takes, repeats: false, jump: 0 })
const many = (takes: Step['takes']): Step => ({ takes, repeats: true, jump: 0 })
const literal = (wanted: string): Step => one((char) => char === wanted)

/** Puts a step before them that takes nothing and may skip them. */
function optional(steps: Step[]): Step[] {
  return [{ takes: () => false, repeats: true, jump: steps.length + 1 }, ...steps]
}

/** The automaton as a function. Compares the literal beginning first: most texts begin otherwise, and need no automaton. */
function acceptsWith(start: string, make: () => readonly Step[]): Glob {
  let steps: readonly Step[] | undefined
  return (text) => text.startsWith(start) && accepts((steps ??= make()), text)
}

function accepts(steps: readonly Step[], text: string): boolean {
  const end = steps.length
  let states = new Uint8Array(end + 1)
  let next = new Uint8Array(end + 1)
  states[0] = 1
  for (const char of text) {
    next.fill(0)
    let alive = false
    for (let at = 0; at < end; at++) {
      if (!states[at]) continue
      const step = steps[at]!
      if (step.jump > 0) states[at + step.jump] = 1
      if (step.repeats) states[at + 1] = 1
      if (!step.takes(char)) continue
      next[step.repeats ? at : at + 1] = 1
      alive = true
    }
    if (!alive) return false
    const swap = states
    states = next
    next = swap
  }
  for (let at = 0; at < end; at++) {
    if (!states[at]) continue
    const step = steps[at]!
    if (step.jump > 0) states[at + step.jump] = 1
    if (step.repeats) states[at + 1] = 1
  }
  return states[end] === 1
}

function segmentGlob(pattern: string): Glob {
  const start = /^[^*?[\\]*/.exec(pattern)![0]
  // Without the last slash: `src/**` is also the folder itself.
  return acceptsWith(start.endsWith('/') ? start.slice(0, -1) : start, () => stepsOf(pattern))
}

function stepsOf(pattern: string): Step[] {
  const segments = pattern.split('/').filter((segment, at, all) => segment !== '**' || all[at - 1] !== '**')
  const steps: Step[] = []
  segments.forEach((segment, at) => {
    const last = at === segments.length - 1
    if (segment !== '**') {
      steps.push(...segmentSteps(segment))
      // Before a final `**` the slash is part of the optional rest, so that `src/**` also matches `src` itself.
      if (!last && !(segments[at + 1] === '**' && at + 1 === segments.length - 1)) steps.push(literal('/'))
    } else if (at === 0 && last) steps.push(many(any))
    else if (last) steps.push(...optional([literal('/'), many(any)]))
    else steps.push(...optional([many(any), literal('/')]))
  })
  return steps
}

function segmentSteps(segment: string): Step[] {
  return (segment.match(/\\[\s\S]|\[[!^]?\]?[^\]]*\]|\*+|[\s\S]/gu) ?? []).map((token) => {
    if (token.startsWith('*')) return many(notSlash)
    if (token === '?') return one(notSlash)
    if (token.length > 2 && token.startsWith('[')) return one(characterClass(token.slice(1, -1)))
    return literal(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token)
  })
}

function characterClass(body: string): Step['takes'] {
  const negated = /^[!^]/.test(body)
  const members = [...(negated ? body.slice(1) : body).matchAll(/([\s\S])-([\s\S])|([\s\S])/gu)]
  const holds = (char: string) =>
    members.some(([, low, high, single]) =>
      single === undefined ? low! <= char && char <= high! : single === char,
    )
  return (char) => char !== '/' && holds(char) !== negated
}

const MAX_ALTERNATIVES = 256

/** `{a,b}` as separate patterns. Nested braces multiply: too many are refused when the hook is read. */
function expandBraces(pattern: string): string[] {
  const done: string[] = []
  const open = [pattern]
  while (open.length > 0) {
    const text = open.pop()!
    const found = text.includes('{') ? innermost(text) : undefined
    if (!found) done.push(text)
    else if (open.length + done.length >= MAX_ALTERNATIVES)
      throw new Error(
        `Glob \`${pattern}\` stands for more than ${MAX_ALTERNATIVES} alternatives. Write fewer braces, or several hooks.`,
      )
    else {
      const [before, after] = [text.slice(0, found.start), text.slice(found.end)]
      open.push(...found.choices.map((choice) => `${before}${choice}${after}`))
    }
  }
  return done
}

/** The first braces with a comma and no braces in them. After a backslash, each of these signs is literal. */
function innermost(text: string): { start: number; end: number; choices: string[] } | undefined {
  let start = -1
  let from = 0
  let choices: string[] = []
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\') at++
    else if (sign === '{') {
      start = at
      from = at + 1
      choices = []
    } else if (start >= 0 && (sign === ',' || sign === '}')) {
      choices.push(text.slice(from, at))
      from = at + 1
      if (sign === ',') continue
      if (choices.length > 1) return { start, end: from, choices }
      start = -1
    }
  }
  return undefined
}

function isExtended(pattern: string): boolean {
  return pattern.startsWith('!') || (pattern.includes('(') && /[!@+*?]\(/.test(pattern))
}

const MAX_PATH_CHARS = 4096

/** `!(a|b)` and similar are rare, so the library that handles them is loaded on demand. */
async function extendedGlob(pattern: string): Promise<Glob> {
  const { default: picomatch } = await import('picomatch')
  const isMatch = picomatch(pattern, { dot: true })
  return (path) => path.length <= MAX_PATH_CHARS && isMatch(path)
}

/** Remembered, because every hook with a glob asks for the same few paths. */
function pathForms(path: string, workDir: string, home: string): readonly string[] {
  if (path.length > MAX_PATH_CHARS) return formsOf(path, workDir, home)
  if (known.workDir !== workDir || known.home !== home || known.forms.size >= MAX_CACHED)
    known = { workDir, home, forms: new Map() }
  let forms = known.forms.get(path)
  if (!forms) known.forms.set(path, (forms = formsOf(path, workDir, home)))
  return forms
}

let known = { workDir: '', home: '', forms: new Map<string, readonly string[]>() }
const MAX_CACHED = 32

function formsOf(path: string, workDir: string, home: string): string[] {
  const given = path.replace(/^~(?=\/|$)/, () => home)
  const forms = new Set([given, normalize(given)])
  if (workDir !== '') {
    const absolute = resolve(workDir, given)
    const inside = relative(workDir, absolute)
    forms.add(absolute)
    if (!inside.startsWith('..')) forms.add(inside)
  }
  return [...forms].map((form) => {
    const slashes = sep === '/' ? form : form.replaceAll(sep, '/')
    return slashes.length > 1 ? slashes.replace(/\/$/, '') : slashes
  })
}

/** The path written with `~`, if it is below the home folder. */
function fromHome(path: string, home: string): string[] {
  const base = sep === '/' ? home : home.replaceAll(sep, '/')
  if (fold(path) === fold(base)) return ['~']
  return fold(path).startsWith(`${fold(base)}/`) ? [`~${path.slice(base.length)}`] : []
}

/** Home folder of this process, for calls without an environment. */
function ownHome(): string {
  return process.getBuiltinModule('node:os').homedir()
}
