/** Where packs are put and asked for: what the commands of packs share. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSource } from '../config/load.ts'
import { paths, projectHooks } from '../config/paths.ts'
import { FOLDER_FORMAT } from '../dialects/list.ts'
import type { Surroundings } from '../packs/sources/source.ts'
import type { Hook } from '../spec/hook.ts'
import type { Arguments } from './options.ts'
import { progress } from './progress.ts'

export function hooksFolder(args: Arguments): string {
  return args.flag('project') ? projectHooks(process.cwd()) : paths(args.env).userHooks
}

/** With a line on the terminal for what takes long; `done` takes it away. */
export function surroundings(args: Arguments): { around: Surroundings; done(): void } {
  const line = progress()
  const { state, cache } = paths(args.env)
  return {
    around: { env: args.env, stateDir: state, cacheDir: cache, progress: (text) => line.show(text) },
    done: () => line.clear(),
  }
}

/** The hooks of a folder by the name in their HOOK.md, which need not be that of their folder. */
export async function hooksIn(base: string): Promise<Map<string, Hook>> {
  if (!existsSync(base)) return new Map()
  const { hooks } = await readSource({ path: base, format: FOLDER_FORMAT }, 'source')
  return new Map(hooks.map((hook) => [hook.name, hook]))
}

export function hookFolder(base: string, name: string): string {
  return join(base, name)
}
