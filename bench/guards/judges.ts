/** The guards that are measured: the gallery's and others from npm, each as a function of a tool call. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { takeFromGallery } from '../../src/cli/gallery.ts'
import { DIALECTS, loadDialect } from '../../src/dialects/list.ts'
import { createPipeline, type Pipeline } from '../../src/pipeline/pipeline.ts'
import type { Folders, GuardCase } from './cases.ts'

export type Verdict = { decision: 'allow' | 'ask' | 'deny'; by?: string }

export interface Judge {
  name: string
  judge(given: GuardCase): Promise<Verdict>
  close(): void
}

/** The agent whose tool names (`Read`, `Edit`) the lists use; canonical names are not changed. */
const WORDS = Object.keys(DIALECTS).find((id) => id.startsWith('claude'))!

export async function galleryJudge(
  gallery: string,
  hooks: readonly string[],
  folders: Folders,
): Promise<Judge> {
  const { agent } = await loadDialect(WORDS)
  const runtime = createPipeline({
    source: 'library',
    sources: hooks.map((name) => ({ path: join(gallery, name) })),
    env: folders.env,
    silent: true,
    busy: true,
  })
  await everyGuardRuns(runtime, hooks, folders.work)
  return {
    name: 'crosshook',
    close: () => runtime.close(),
    async judge({ tool, input, work_dir }) {
      const native = {
        hook_event_name: 'PreToolUse',
        session_id: 's',
        cwd: work_dir,
        tool_name: tool,
        tool_input: input,
      }
      const event = agent!.decode(native, { event: 'PreToolUse', cwd: work_dir, env: folders.env } as never)
      const { decision, hooks: reports } = await runtime.fire(
        'before_tool',
        { ...event },
        { env: folders.env },
      )
      const broken = reports.find(({ status, skipped }) => status === 'failed' || skipped === 'invalid')
      // A guard that fails closed on a call that is too long has judged it; any other failure is no verdict.
      if (broken && decision !== 'deny')
        throw new Error(
          `guard ${broken.name} did not judge ${JSON.stringify(input).slice(0, 200)}: ${broken.error ?? broken.reason ?? broken.skipped}`,
        )
      const by = reports.filter(({ status }) => status === 'blocked' || status === 'failed')
      return { decision: decision ?? 'allow', by: by.map(({ name }) => name).join(', ') }
    },
  }
}

/** Fails when a guard was not loaded: it would allow everything, and the figures would be wrong. */
export async function everyGuardRuns(
  runtime: Pick<Pipeline, 'hookSet'>,
  names: readonly string[],
  workDir: string,
): Promise<void> {
  const { hooks, problems } = await runtime.hookSet(workDir)
  const loaded = new Set(hooks.map(({ name }) => name))
  const missing = names.filter((name) => !loaded.has(name))
  if (missing.length === 0) return
  const told = problems.filter(({ level }) => level === 'error')
  throw new Error(
    [
      `these guards were not loaded, and would count as "allow": ${missing.join(', ')}`,
      ...told.map(({ file, line, message, fix }) => `  ${file}:${line ?? 1}: ${message} ${fix}`),
    ].join('\n'),
  )
}

/** Guards of the gallery, by the level at which they are taken. */
export async function guardsOfLevel(gallery: string, level: string): Promise<string[]> {
  if (level === 'all')
    return readdirSync(gallery).filter((name) => existsSync(join(gallery, name, 'HOOK.md')))
  return (await takeFromGallery([level === 'strict' ? 'guards/strict' : 'guards'])).sources
}

/** The tool names that this other guard knows. */
const RIVAL_TOOLS: Readonly<Record<string, string>> = {
  Shell: 'bash',
  Bash: 'bash',
  Read: 'read',
  ReadFile: 'read',
  Write: 'write',
  WriteFile: 'write',
  Edit: 'edit',
  MultiEdit: 'edit',
  Grep: 'grep',
  Glob: 'glob',
  Search: 'grep',
}

export async function rivalJudge(folders: Folders): Promise<Judge> {
  const { CCSafetyNetPlugin } = (await import('cc-safety-net')) as unknown as {
    CCSafetyNetPlugin: (
      given: object,
    ) => Promise<{ 'tool.execute.before': (...given: object[]) => Promise<void> }>
  }
  const before = new Map<string, Promise<{ 'tool.execute.before': (...given: object[]) => Promise<void> }>>()
  return {
    name: 'cc-safety-net',
    close() {},
    async judge({ tool, input, work_dir }) {
      // This guard needs a working folder that exists.
      const directory = existsSync(work_dir) ? work_dir : folders.work
      const plugin = before.get(directory) ?? CCSafetyNetPlugin({ directory, homeDir: folders.home })
      before.set(directory, plugin)
      const args = { ...input, filePath: input.file_path ?? input.path }
      try {
        await (await plugin)['tool.execute.before'](
          { tool: RIVAL_TOOLS[tool] ?? tool, sessionID: 's' },
          { args },
        )
        return { decision: 'allow' }
      } catch {
        return { decision: 'deny' }
      }
    },
  }
}
