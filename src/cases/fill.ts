/** Placeholders for a case's folders and their files. */

import { resolve, sep } from 'node:path'
import { CrosshookError } from '../spec/errors.ts'
import { isObject } from '../spec/tool.ts'

export function inside(folder: string, path: string): string {
  const file = resolve(folder, path)
  if (file.startsWith(folder + sep)) return file
  throw new CrosshookError('bad_input', `${path} is not inside the work folder`, {
    fix: 'Files of a case are named relative to its work folder.',
  })
}

/** `{work_dir}` and `{hook_dir}` in every text of a case. */
export function fill<T>(value: T, names: Readonly<Record<string, string>>): T {
  if (typeof value === 'string')
    return value.replace(/\{(work_dir|hook_dir)\}/g, (whole, name: string) => names[name] ?? whole) as T
  if (Array.isArray(value)) return value.map((item) => fill(item, names)) as T
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, names)])) as T
}
