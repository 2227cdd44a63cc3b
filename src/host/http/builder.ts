/** The builder, the gallery and the templates over HTTP: hooks written, tried and saved on the page. */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { lookAtDraft } from '../../builder/draft.ts'
import { digestOf, saveHook } from '../../builder/save.ts'
import { listShelf, readShelf, rowOf, textFiles } from '../../builder/shelf.ts'
import { tryOnCases, tryOnHistory } from '../../builder/try.ts'
import { builderWords } from '../../builder/vocabulary.ts'
import { packageFolder } from '../../config/package-folder.ts'
import type { FieldEdit } from '../../spec/dialect.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Core } from '../core.ts'
import { Refusal } from '../problem.ts'
import { parseObject, readBody } from './body.ts'
import type { Route, RouteContext } from './routes.ts'

export const BUILDER_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/builder/words',
    scope: 'admin',
    summary: 'Events, conditions and answers with their meaning, and the schema of a HOOK.md',
    answer: 'Any',
    handle: async (_core, c) => c.json(await builderWords()),
  },
  {
    method: 'GET',
    path: '/v1/builder/hook',
    scope: 'admin',
    summary: 'The text and the files of a hook, to be changed',
    query: ['name', 'scope', 'work_dir'],
    answer: 'HookSource',
    handle: getHookSource,
  },
  {
    method: 'POST',
    path: '/v1/builder/draft',
    scope: 'admin',
    summary: 'Applies edits to the text of a hook, keeps every other byte, and says what is wrong with it',
    body: 'Draft',
    answer: 'DraftView',
    handle: postDraft,
  },
  {
    method: 'POST',
    path: '/v1/builder/try',
    scope: 'admin',
    summary:
      'What a hook would have said to the newest events, and what it says to its cases; starts nothing',
    body: 'Draft',
    answer: 'Tried',
    handle: postTry,
  },
  {
    method: 'POST',
    path: '/v1/builder/save',
    scope: 'person',
    summary: 'Writes a hook; one of a project runs when it is trusted',
    body: 'SaveHook',
    answer: 'Any',
    handle: postSave,
  },
  ...(['gallery', 'templates'] as const).flatMap((shelf): Route[] => [
    {
      method: 'GET',
      path: `/v1/${shelf}`,
      scope: 'admin',
      summary: shelf === 'gallery' ? 'Ready hooks' : 'Hooks to start from',
      query: ['work_dir'],
      answer: 'Any',
      handle: async (core, c) => c.json({ hooks: await withPresence(core, c, await listShelf(shelf)) }),
    },
    {
      method: 'GET',
      path: `/v1/${shelf}/{name}`,
      scope: 'admin',
      summary: 'One of them with its files, and what it would have said to the newest events',
      query: ['work_dir'],
      answer: 'Any',
      handle: (core, c) => getShelfHook(core, c, shelf),
    },
  ]),
  {
    method: 'POST',
    path: '/v1/gallery/{name}/add',
    scope: 'person',
    summary: 'Takes a hook of the gallery, as `crosshook add` does',
    body: 'AddHook',
    answer: 'Any',
    handle: postAdd,
  },
]

async function getHookSource(core: Core, c: RouteContext): Promise<Response> {
  const hook = await hookOf(
    core,
    c.req.query('name') ?? '',
    c.req.query('scope'),
    workDirOf(core, c.req.query('work_dir')),
  )
  const [own, ...others] = textFiles(hook.origin.dir!)
  return c.json({
    name: hook.name,
    scope: hook.scope,
    file: hook.origin.file,
    text: own!.text,
    digest: digestOf(own!.text),
    files: others,
    row: rowOf(hook),
  })
}

/** Only reads or replaces what was found as a hook, never a file that a request names. */
async function hookOf(core: Core, name: string, scope: string | undefined, workDir: string): Promise<Hook> {
  const { hooks, broken } = await core.runtime.hookSet(workDir)
  // Includes hooks that do not load, so that they can be fixed here.
  const found = [...hooks, ...broken].find(
    (each) =>
      each.name === name &&
      (scope === undefined || each.scope === scope) &&
      existsSync(join(each.origin.dir ?? '', 'HOOK.md')),
  )
  if (found?.origin.dir !== undefined) return found
  throw new CrosshookError('unknown_hook', `there is no hook "${name}" with a HOOK.md in ${workDir}`, {
    fix: '`crosshook list` shows what there is.',
  })
}

function workDirOf({ runtime }: Core, given: unknown): string {
  if (given === undefined || given === '') return runtime.paths.home
  if (typeof given === 'string' && isAbsolute(given)) return given
  throw wrong('work_dir must be an absolute path')
}

interface Given {
  text: string
  edits: FieldEdit[]
  files: { path: string; text: string; executable?: boolean }[]
  workDir: string
  replaces: Hook | undefined
  body: Record<string, unknown>
}

async function draftIn(core: Core, c: RouteContext): Promise<Given> {
  const { adminBytes: bytes, bodyTimeout: timeout } = core.options.limits
  const text = await readBody(c.env.incoming, { bytes, timeout })
  const body = parseObject(text, 'GET /v1/openapi.json says what it takes.')
  if (typeof body.text !== 'string') throw wrong('text must be the text of a HOOK.md')
  const workDir = workDirOf(core, body.work_dir)
  return {
    text: body.text,
    edits: list(body.edits, 'edits', isEdit),
    files: list(body.files, 'files', isFile),
    workDir,
    replaces: await replacedBy(core, body.replaces, workDir),
    body,
  }
}

async function replacedBy(core: Core, given: unknown, workDir: string): Promise<Hook | undefined> {
  if (given === undefined || given === null) return undefined
  const { name, scope } = given as { name?: unknown; scope?: unknown }
  if (typeof name !== 'string' || typeof scope !== 'string')
    throw wrong('replaces must have a name and a scope')
  return hookOf(core, name, scope, workDir)
}

function list<T>(value: unknown, name: string, isRight: (item: unknown) => item is T): T[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every(isRight)) return value
  throw wrong(`${name} must be a list; GET /v1/openapi.json says of what`)
}

function isEdit(value: unknown): value is FieldEdit {
  const path = (value as { path?: unknown } | null)?.path
  return (
    Array.isArray(path) &&
    path.length > 0 &&
    path.every((step) => typeof step === 'string' || Number.isInteger(step))
  )
}

function isFile(value: unknown): value is Given['files'][number] {
  const { path, text } = (value ?? {}) as Record<string, unknown>
  return typeof path === 'string' && typeof text === 'string' && path !== 'HOOK.md'
}

async function postDraft(core: Core, c: RouteContext): Promise<Response> {
  const { text, edits, files, workDir, replaces } = await draftIn(core, c)
  const { hooks, settings } = await core.runtime.hookSet(workDir)
  const { draft } = await lookAtDraft({
    text,
    edits,
    files,
    among: hooks,
    allowedHosts: settings.allowed_hosts,
    ...(replaces ? { replaces: replaces.origin.file } : {}),
  })
  return c.json(draft)
}

async function postTry(core: Core, c: RouteContext): Promise<Response> {
  const { text, edits, files, replaces } = await draftIn(core, c)
  const { hook, draft } = await lookAtDraft({ text, edits, files })
  if (!hook) return c.json({ history: null, cases: [], cases_problem: null, problems: draft.problems })
  const history = await tryOnHistory(hook, {
    journal: core.runtime.journal(),
    env: core.eventEnv,
    before: replaces,
  })
  const own = files.find(({ path }) => path === 'cases.yaml')
  const { cases, problem } = own
    ? await tryOnCases(hook, own.text, core.eventEnv)
    : { cases: [], problem: null }
  return c.json({ history, cases, cases_problem: problem, problems: draft.problems })
}

async function postSave(core: Core, c: RouteContext): Promise<Response> {
  const { text, files, workDir, replaces, body } = await draftIn(core, c)
  const { scope, opened } = body
  if (scope !== 'user' && scope !== 'project') throw wrong('scope must be user or project')
  const saved = await saveHook({
    text,
    files,
    scope,
    workDir,
    env: core.options.env,
    replaces,
    ...(typeof opened === 'string' ? { opened } : {}),
  })
  const hook = await hookOf(core, saved.name, replaces?.scope ?? scope, workDir).catch(() => undefined)
  const trust = hook?.scope === 'project' ? core.runtime.trust.state(hook) : null
  return c.json({ ...saved, trust })
}

/** Marks those that are already installed. */
async function withPresence<T extends { name: string }>(core: Core, c: RouteContext, rows: readonly T[]) {
  const { hooks } = await core.runtime.hookSet(workDirOf(core, c.req.query('work_dir')))
  return rows.map((row) => ({
    ...row,
    installed: hooks.find(({ name }) => name === row.name)?.scope ?? null,
  }))
}

async function getShelfHook(core: Core, c: RouteContext, shelf: 'gallery' | 'templates'): Promise<Response> {
  const { row, hook, files } = await readShelf(shelf, c.req.param('name')!)
  const [whole] = await withPresence(core, c, [row])
  const history = await tryOnHistory(hook, { journal: core.runtime.journal(), env: core.eventEnv })
  return c.json({ ...whole, files, history })
}

const ADD_LIMIT_MS = 60_000

/** Runs the command line itself, so that checks, files and lock are the same. */
async function postAdd(core: Core, c: RouteContext): Promise<Response> {
  const name = c.req.param('name')!
  await readShelf('gallery', name)
  const { adminBytes: bytes, bodyTimeout: timeout } = core.options.limits
  const text = await readBody(c.env.incoming, { bytes, timeout })
  const body = text.trim() === '' ? {} : parseObject(text, 'GET /v1/openapi.json says what it takes.')
  const isProject = body.scope === 'project'
  const cwd = workDirOf(core, body.work_dir)
  const main = join(packageFolder('gallery'), '..', 'dist', 'cli', 'main.cjs')
  const args = [main, 'add', name, '--yes', '--json', ...(isProject ? ['--project'] : [])]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd,
      env: core.eventEnv,
      timeout: ADD_LIMIT_MS,
      windowsHide: true,
    })
    return c.json({ added: JSON.parse(stdout) as unknown })
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? '').trim() || String(error)
    const [detail, fix] = said.replace(/^error: /, '').split('\n')
    throw new Refusal({
      status: 409,
      code: 'not_added',
      detail: detail!,
      ...(fix ? { fix: fix.trim() } : {}),
    })
  }
}

function wrong(detail: string): Refusal {
  return new Refusal({ status: 400, code: 'bad_input', detail: `${detail}.` })
}
