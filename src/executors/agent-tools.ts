/** Tools for the model of an `agent` hook: read files below the work folder, nothing else. */

import { readdir } from 'node:fs/promises'
import { relative } from 'node:path'
import type { RE2JS } from 're2js'
import { messageOf } from '../spec/errors.ts'
import type { ToolName } from '../spec/tool.ts'
import { confinedPath, readConfined, walk } from './confined.ts'
import { globPattern } from './glob-pattern.ts'

export interface AgentTool {
  description: string
  /** JSON Schema of its argument. */
  parameters: Record<string, unknown>
  /** Always returns text: the model reads errors, too. */
  execute(input: unknown): Promise<string>
}

export const AGENT_TOOLS = ['read_file', 'list_folder', 'search', 'glob'] as const
export type AgentToolName = (typeof AGENT_TOOLS)[number]

/** Formats name tools by their canonical names. */
const CANONICAL: Partial<Record<string, AgentToolName>> = {
  ReadFile: 'read_file',
  ListFolder: 'list_folder',
  Search: 'search',
  FindFiles: 'glob',
} satisfies Partial<Record<ToolName, AgentToolName>>

/** The tool by either name; undefined when agent hooks have no such tool. */
export function agentToolName(name: string): AgentToolName | undefined {
  return (
    AGENT_TOOLS.find((own) => own === name) ?? (Object.hasOwn(CANONICAL, name) ? CANONICAL[name] : undefined)
  )
}

const MAX_READ_CHARS = 32 * 1024
const MAX_FILE_BYTES = 1024 * 1024
const MAX_SEARCH_BYTES = 8 * 1024 * 1024
const MAX_RESULTS = 200
const MAX_LINE_CHARS = 300
const MAX_PATTERN_CHARS = 500

export function agentTools(root: string, signal: AbortSignal): Record<AgentToolName, AgentTool> {
  return {
    read_file: {
      description: 'Read a text file of the project, from a line on.',
      parameters: schema({ path: TEXT, line: NUMBER }, ['path']),
      execute: (input) => told(async () => readFrom(root, textOf(input, 'path'), numberOf(input, 'line', 1))),
    },
    list_folder: {
      description: 'List a folder of the project. Folders end with a slash.',
      parameters: schema({ path: TEXT }, []),
      execute: (input) => told(() => list(root, textOf(input, 'path', '.'))),
    },
    search: {
      description: 'Search the files of the project for a regular expression (RE2 syntax).',
      parameters: schema({ pattern: TEXT, path: TEXT, glob: TEXT }, ['pattern']),
      execute: (input) => told(() => search(root, input, signal)),
    },
    glob: {
      description: 'Find files of the project by a glob such as src/**/*.ts, below a folder if one is given.',
      parameters: schema({ pattern: TEXT, path: TEXT }, ['pattern']),
      execute: (input) => told(() => find(root, input, signal)),
    },
  }
}

async function readFrom(root: string, path: string, line: number): Promise<string> {
  const bytes = await readConfined(root, path, MAX_FILE_BYTES)
  if (!bytes) return `error: there is no file ${path} in the project`
  if (bytes.includes(0)) return `error: ${path} is not a text file`
  const text = bytes
    .toString('utf8')
    .split('\n')
    .slice(line - 1)
    .join('\n')
  const whole = bytes.length < MAX_FILE_BYTES && text.length <= MAX_READ_CHARS
  return whole ? text : `${text.slice(0, MAX_READ_CHARS)}\n[cut here: ask for a later line to read on]`
}

async function list(root: string, path: string): Promise<string> {
  const folder = await confinedPath(root, path)
  if (folder === undefined) return `error: there is no folder ${path} in the project`
  const entries = await readdir(folder, { withFileTypes: true })
  return shown(entries.map((entry) => entry.name + (entry.isDirectory() ? '/' : '')).sort())
}

async function find(root: string, input: unknown, signal: AbortSignal): Promise<string> {
  const path = textOf(input, 'path', '.')
  const pattern = await compiled(globPattern(textOf(input, 'pattern')))
  const start = await confinedPath(root, path)
  if (start === undefined) return `error: there is no ${path} in the project`
  const found: string[] = []
  for await (const file of walk(root, start, signal)) {
    if (pattern.matcher(file).find()) found.push(file)
    if (found.length > MAX_RESULTS) break
  }
  return shown(found)
}

async function search(root: string, input: unknown, signal: AbortSignal): Promise<string> {
  const path = textOf(input, 'path', '.')
  const glob = textOf(input, 'glob', '')
  const pattern = await compiled(textOf(input, 'pattern'))
  const files = glob ? await compiled(globPattern(glob.includes('/') ? glob : `**/${glob}`)) : undefined
  const start = await confinedPath(root, path)
  if (start === undefined) return `error: there is no ${path} in the project`
  const found: string[] = []
  let read = 0
  for await (const file of filesAt(root, start, signal)) {
    if (files && !files.matcher(file).find()) continue
    const bytes = await readConfined(root, file, MAX_FILE_BYTES)
    if (!bytes || bytes.includes(0)) continue
    for (const [index, line] of bytes.toString('utf8').split('\n').entries()) {
      if (pattern.matcher(line).find()) found.push(`${file}:${index + 1}: ${line.slice(0, MAX_LINE_CHARS)}`)
      if (found.length > MAX_RESULTS) return shown(found)
    }
    read += bytes.length
    if (read > MAX_SEARCH_BYTES)
      return `${shown(found)}\n[stopped after ${MAX_SEARCH_BYTES} bytes: search a smaller folder]`
  }
  return shown(found)
}

/** The files below a folder, or the one file itself. */
async function* filesAt(root: string, start: string, signal: AbortSignal): AsyncGenerator<string> {
  const base = await confinedPath(root, '.')
  if (base !== undefined && (await readConfined(root, start, 0))) yield relative(base, start)
  else yield* walk(root, start, signal)
}

async function compiled(pattern: string): Promise<RE2JS> {
  if (pattern.length > MAX_PATTERN_CHARS)
    throw new Error(`a pattern may have ${MAX_PATTERN_CHARS} characters at most`)
  const { RE2JS } = await import('re2js')
  return RE2JS.compile(pattern)
}

async function told(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (thrown) {
    return `error: ${messageOf(thrown)}`
  }
}

function shown(lines: readonly string[]): string {
  if (lines.length === 0) return 'nothing found'
  const some = lines.slice(0, MAX_RESULTS).join('\n')
  return lines.length > MAX_RESULTS ? `${some}\n[more left out]` : some
}

const TEXT = { type: 'string' } as const
const NUMBER = { type: 'integer', minimum: 1 } as const

function schema(properties: Record<string, object>, required: string[]): Record<string, unknown> {
  return { type: 'object', properties, required, additionalProperties: false }
}

function textOf(input: unknown, field: string, fallback?: string): string {
  const value = (input as Record<string, unknown> | null)?.[field] ?? fallback
  if (typeof value !== 'string') throw new Error(`${field} must be a text`)
  return value
}

function numberOf(input: unknown, field: string, fallback: number): number {
  const value = (input as Record<string, unknown> | null)?.[field]
  return typeof value === 'number' && value >= 1 ? Math.floor(value) : fallback
}
