/** Checks before a pack is published: each says what is wrong, where, and what to do. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { confinementLevel } from '../executors/confine/level.ts'
import { type Pack, type PackHook, writePlain } from '../packs/pack.ts'
import { findSecrets } from '../redact/find.ts'
import { acts } from '../sdk/acts.ts'
import { messageOf } from '../spec/errors.ts'
import type { Hook, Sandbox } from '../spec/hook.ts'
import { runCases } from '../testing/run-cases.ts'

export interface Complaint {
  check: 'validate' | 'cases' | 'rights' | 'licence' | 'secrets'
  where: string
  message: string
  fix: string
}

export interface CheckOptions {
  /** Allow programs without a sandbox. */
  unconfined?: boolean
  /** Allow declared rights that no case needs. */
  unused?: boolean
  env: NodeJS.ProcessEnv
  progress?: (text: string) => void
}

export async function checkPack(pack: Pack, options: CheckOptions): Promise<Complaint[]> {
  const found = [...validate(pack), ...licence(pack), ...secrets(pack, options.env)]
  if (found.length > 0) return found
  for (const each of pack.hooks) {
    options.progress?.(`running the cases of ${each.hook.name}`)
    found.push(...(await checkHook(each, options)))
  }
  return found
}

function validate({ problems }: Pack): Complaint[] {
  return problems
    .filter(({ level }) => level === 'error')
    .map(({ file, message, fix }) => ({ check: 'validate', where: file, message, fix }))
}

function licence({ files, manifest }: Pack): Complaint[] {
  if (manifest && files.some(({ path }) => /^LICEN[CS]E/.test(path))) return []
  return [
    {
      check: 'licence',
      where: 'LICENSE',
      message: 'the text of the licence is missing',
      fix: `Put the text of ${manifest?.license ?? 'a licence'} into a file LICENSE beside PACK.md.`,
    },
  ]
}

function secrets({ files }: Pack, env: NodeJS.ProcessEnv): Complaint[] {
  return files.flatMap(({ path, bytes }) => {
    if (bytes.subarray(0, 8000).includes(0)) return []
    const content = bytes.toString('utf8')
    // Cases of guards contain many things that look like secrets; keys in their documented form are never needed.
    const [secret] = findSecrets(content, { env, certain: true })
    if (!secret) return []
    const line = content.slice(0, secret.start).split('\n').length
    return [
      {
        check: 'secrets' as const,
        where: `${path}:${line}`,
        message: `it holds a secret (${secret.kind})`,
        fix: 'Take it out, and make it worthless: whoever saw the file has it.',
      },
    ]
  })
}

async function checkHook(each: PackHook, options: CheckOptions): Promise<Complaint[]> {
  const { hook, files, folder } = each
  const where = folder === '' ? hook.name : folder
  if (!files.some(({ path }) => path === 'cases.yaml'))
    return [
      {
        check: 'cases',
        where,
        message: 'it has no cases.yaml',
        fix: 'Write cases that show what it stops and what it lets pass.',
      },
    ]
  const scratch = mkdtempSync(join(tmpdir(), 'crosshook-publish-'))
  try {
    const dir = join(scratch, hook.name.replace(/[^\w.-]/g, '_'))
    writePlain(dir, files)
    const failed = await failedCases(dir)
    if (failed.length > 0)
      return failed.map(({ name, why }) => ({
        check: hook.sandbox ? 'rights' : 'cases',
        where: `${where}, case "${name}"`,
        message: hook.sandbox ? `it fails with the rights that it declares: ${why}` : why,
        fix: hook.sandbox ? 'Declare what it needs in `sandbox`, or fix it.' : 'Fix the hook or the case.',
      }))
    return hook.run.type === 'command' ? await checkRights(each, dir, where, options) : []
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function checkRights(
  { hook, files }: PackHook,
  dir: string,
  where: string,
  options: CheckOptions,
): Promise<Complaint[]> {
  if (!hook.sandbox)
    return options.unconfined
      ? []
      : [
          {
            check: 'rights',
            where,
            message: 'its program runs with all rights of whoever adds it',
            fix: 'Write `sandbox: true` and what it needs beyond that; or publish it all the same with --unconfined.',
          },
        ]
  const level = confinementLevel()
  if (!level.confines)
    return [
      {
        check: 'rights',
        where,
        message: `this machine cannot confine it: ${level.words}`,
        fix: 'Publish from a machine that can.',
      },
    ]
  const undeclared = await staticUse(hook, files, where)
  if (undeclared.length > 0 || options.unused) return undeclared
  return unusedRights(hook, dir, where)
}

/** What the text of its shell scripts does beyond its declared rights, even where the script hides a failure. */
async function staticUse(hook: Hook, files: PackHook['files'], where: string): Promise<Complaint[]> {
  const { connect = [] } = sandboxOf(hook)
  if (connect.length > 0) return []
  const found: Complaint[] = []
  for (const { path, bytes } of files.filter((file) => isShell(file))) {
    const body = bytes.toString('utf8').replace(/^#!.*/, '')
    const made = await acts({ tool_name: 'Shell', tool_input: { command: body }, work_dir: '/', env: {} })
    const reach = made.find(({ does, certain }) => certain && (does === 'connect' || does === 'send'))
    if (reach)
      found.push({
        check: 'rights',
        where: `${where}/${path}`,
        message: `it reaches ${reach.host ?? 'the network'} (${reach.program ?? reach.does}), and declares no \`sandbox.connect\``,
        fix: 'Declare it, or take it out.',
      })
  }
  return found
}

function isShell({ path, bytes, executable }: PackHook['files'][number]): boolean {
  return (
    /\.(?:ba)?sh$/.test(path) ||
    (executable && /^#!.*\b(?:ba|da|z|k)?sh\b/.test(bytes.toString('latin1', 0, 100)))
  )
}

/** Removes rights one by one: a right that no case needs is reported. */
async function unusedRights(hook: Hook, dir: string, where: string): Promise<Complaint[]> {
  const declared = sandboxOf(hook)
  const found: Complaint[] = []
  for (const kind of ['read', 'write', 'connect', 'env'] as const)
    for (const item of declared[kind] ?? []) {
      const less = { ...declared, [kind]: declared[kind]!.filter((each) => each !== item) }
      if ((await failedCases(dir, less)).length > 0) continue
      found.push({
        check: 'rights',
        where,
        message: `it declares ${kind} ${item}, and every case passes without`,
        fix: 'Take it out of `sandbox`, or add a case that needs it; or publish it all the same with --unused.',
      })
    }
  return found
}

async function failedCases(dir: string, sandbox?: Sandbox): Promise<{ name: string; why: string }[]> {
  try {
    const results = await runCases(dir, sandbox ? { sandbox } : {})
    return results
      .filter(({ passed }) => !passed)
      .map(({ name, differences, result }) => {
        const [first] = differences
        const error = result.hooks[0]?.error
        return {
          name,
          why: `${first?.field}: expected ${JSON.stringify(first?.expected)}, got ${JSON.stringify(first?.got)}${error ? ` (${error})` : ''}`,
        }
      })
  } catch (error) {
    return [{ name: 'cases.yaml', why: messageOf(error) }]
  }
}

function sandboxOf({ sandbox }: Hook): Sandbox {
  return typeof sandbox === 'object' ? sandbox : {}
}
