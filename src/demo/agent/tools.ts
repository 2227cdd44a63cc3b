/** Real tools that work in one folder. Their names and inputs are the canonical ones, so every hook knows them. */

import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { readText } from '../../spec/read-file.ts'

export interface Tool {
  /** Changes something: the person's rules or the person must allow it. */
  changes: boolean
  /** Throws when it fails; the message goes to the model. */
  run(input: Record<string, unknown>, workDir: string): Promise<string> | string
}

export const TOOLS: Readonly<Record<string, Tool>> = {
  Shell: {
    changes: true,
    run: ({ command }, workDir) => shell(text(command, 'command'), workDir),
  },
  ReadFile: {
    changes: false,
    run: ({ path }, workDir) => readText(inside(workDir, path)),
  },
  WriteFile: {
    changes: true,
    run({ path, content }, workDir) {
      const file = inside(workDir, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text(content, 'content'))
      return `Wrote ${path}.`
    },
  },
  EditFile: {
    changes: true,
    run({ path, old_string: before, new_string: after }, workDir) {
      const file = inside(workDir, path)
      const parts = readText(file).split(text(before, 'old_string'))
      if (parts.length !== 2) throw new Error(`old_string is ${parts.length - 1} times in ${path}, not once.`)
      writeFileSync(file, parts.join(text(after, 'new_string')))
      return `Edited ${path}.`
    },
  },
}

const TIME_LIMIT_MS = 60_000

function shell(command: string, workDir: string): Promise<string> {
  const { promise, resolve: done, reject } = Promise.withResolvers<string>()
  execFile('bash', ['-c', command], { cwd: workDir, timeout: TIME_LIMIT_MS }, (error, stdout, stderr) => {
    const output = [stdout, stderr]
      .map((part) => part.trimEnd())
      .filter(Boolean)
      .join('\n')
    if (error) reject(new Error(output || error.message))
    else done(output)
  })
  return promise
}

function inside(workDir: string, path: unknown): string {
  const file = resolve(workDir, text(path, 'path'))
  if (relative(workDir, file).startsWith('..')) throw new Error(`${path} is outside the working folder.`)
  return file
}

function text(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new Error(`The tool needs \`${field}\`, a text.`)
  return value
}
