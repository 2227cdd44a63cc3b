/** Small things that the setups of the agents share. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MODULES = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules')

const PYTHON = join(dirname(fileURLToPath(import.meta.url)), '..', '.venv')

/** A program of the installed Python packages. */
export function pythonProgram(name: string): string {
  return join(PYTHON, 'bin', name)
}

/** `pypi:name` is pinned in requirements.txt; others are npm packages. */
export function versionOf(name: string): string {
  if (!name.startsWith('pypi:'))
    return JSON.parse(readFileSync(installed(name, 'package.json'), 'utf8')).version as string
  const pins = readFileSync(join(dirname(PYTHON), 'requirements.txt'), 'utf8')
  return pins
    .split('\n')
    .find((line) => line.startsWith(`${name.slice(5)}==`))!
    .split('==')[1]!
    .trim()
}

/** Is every npm package of package.json there in the version that it pins? */
export function areInstalled(): boolean {
  const pins = JSON.parse(readFileSync(join(dirname(MODULES), 'package.json'), 'utf8')).dependencies
  return Object.entries(pins as Record<string, string>).every(
    ([name, version]) => existsSync(installed(name, 'package.json')) && versionOf(name) === version,
  )
}

/** A file of an installed package. */
export function installed(...path: string[]): string {
  return join(MODULES, ...path)
}

export function put(path: string, content: string | object): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
}

export function edited(path: string, edit: (text: string) => string): void {
  writeFileSync(path, edit(readFileSync(path, 'utf8')))
}

/** The Node that runs this test; several agents do not start on an older one. */
export const NODE = process.execPath
