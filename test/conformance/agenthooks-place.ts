/** A scratch home and project with the hooks of one conformance case. */

import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { calledBefore } from '../compile-cache.ts'

export type Plain = Record<string, unknown>

/** A hook folder: special keys, and the rest is frontmatter. */
interface HookFolder extends Plain {
  script?: string
  scripts?: Record<string, string | { text: string; mode: number }>
  raw?: unknown
  fixture?: string
}

export interface Setup {
  user?: Record<string, HookFolder>
  project?: Record<string, HookFolder>
  hooks?: Record<string, Record<string, HookFolder>>
  files?: Record<string, string>
  links?: Record<string, string>
}

export interface Place {
  root: string
  env: NodeJS.ProcessEnv
  /** `{home}` and the like in any text of the data. */
  fill<T>(value: T): T
  remove(): void
}

export const USER_HOOKS = 'home/.config/agents/hooks'
const PROJECT_HOOKS = 'project/.agents/hooks'
const fixtures = fileURLToPath(new URL('../../src/dialects/agenthooks/fixtures', import.meta.url))

export function makePlace(setup: Setup): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'conformance-')))
  for (const folder of ['home', 'project', 'other', 'managed']) mkdirSync(join(root, folder))
  const places = {
    ...setup.hooks,
    ...(setup.user ? { [USER_HOOKS]: setup.user } : {}),
    ...(setup.project ? { [PROJECT_HOOKS]: setup.project } : {}),
  }
  for (const [folder, hooks] of Object.entries(places))
    for (const [name, hook] of Object.entries(hooks)) writeHook(join(root, folder, name), name, hook)
  for (const [path, text] of Object.entries(setup.files ?? {})) writeText(join(root, path), text)
  for (const [path, target] of Object.entries(setup.links ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(join(root, target), join(root, path))
  }
  const home = join(root, 'home')
  const fill = <T>(value: T): T =>
    typeof value === 'string'
      ? (value.replace(/\{(root|home|project)\}/g, (_all, key) =>
          key === 'root' ? root : join(root, key),
        ) as T)
      : value
  return {
    root,
    env: calledBefore({
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      HOME: home,
      CROSSHOOK_MANAGED_DIR: join(root, 'managed'),
      CROSSHOOK_TRUST: 'all',
      CROSSHOOK_NO_DAEMON: '1',
    }),
    fill: (value) => mapTexts(value, fill),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export function writeHook(dir: string, name: string, hook: HookFolder): void {
  const { script, scripts, raw, fixture, ...fields } = hook
  if (fixture !== undefined) {
    cpSync(join(fixtures, fixture), dir, { recursive: true })
    return
  }
  writeText(join(dir, 'HOOK.md'), raw === undefined ? frontmatter(name, fields) : longText(raw))
  const all = scripts ?? {
    'run.sh': `#!/bin/bash\necho '${name.replaceAll("'", '')}' >> "$AGENT_WORK_DIR/ran"\n${script ?? ''}\n`,
  }
  for (const [file, content] of Object.entries(all)) {
    const { text, mode } = typeof content === 'string' ? { text: content, mode: 0o755 } : content
    writeText(join(dir, 'scripts', file), text)
    chmodSync(join(dir, 'scripts', file), mode)
  }
}

/** JSON is YAML. A null leaves the field out. */
export function frontmatter(name: string, fields: Plain): string {
  const all = { name, description: 'A hook of the conformance list', trigger: 'before_tool', ...fields }
  const lines = Object.entries(all)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}: ${JSON.stringify(longText(value))}`)
  return `---\n${lines.join('\n')}\n---\n`
}

/** `{repeat: x, times: 64}` and `{text: …, then: …}` stand for long texts. */
export function longText<T>(value: T): T {
  return mapTree(value, (node) => {
    if (typeof node.repeat === 'string') return node.repeat.repeat(Number(node.times))
    if ('then' in node) return `${node.text}${longText(node.then)}`
    return undefined
  }) as T
}

export function writeText(file: string, text: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, String(text))
}

function mapTree(value: unknown, replace: (node: Plain) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => mapTree(item, replace))
  const found = replace(value as Plain)
  if (found !== undefined) return found
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTree(item, replace)]))
}

function mapTexts<T>(value: T, fill: <V>(value: V) => V): T {
  if (typeof value !== 'object' || value === null) return fill(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, fill)) as T
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, fill)])) as T
}
