/** A problem in a file, for people: where, what, and what to do. */

import { relative } from 'node:path'
import { ownEnvironment } from '../host/environment.ts'
import type { Problem } from '../spec/hook.ts'
import type { Painter } from './paint.ts'
import { visible } from './visible.ts'

export function problemWords(problem: Problem, paint: Painter): string {
  const level = problem.level === 'error' ? paint.red('error') : paint.yellow('warning')
  const field = problem.field === undefined ? '' : ` ${visible(problem.field)}:`
  return `${paint.bold(placeWords(problem))} ${level}${field === '' ? ':' : field} ${visible(problem.message)}\n  ${paint.dim(visible(problem.fix))}\n`
}

export function placeWords({ file, line }: Pick<Problem, 'file' | 'line'>): string {
  return `${shortPath(file)}${line === undefined ? '' : `:${line}`}`
}

/** Relative to the current folder where that is shorter; below the home folder with `~`. */
export function shortPath(path: string): string {
  const near = relative(process.cwd(), path)
  if (near === '') return '.'
  const home = ownEnvironment().HOME
  const far = home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
  return visible(!near.startsWith('..') ? near : far)
}
