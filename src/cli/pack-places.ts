/** Where packs are installed and looked up; shared by the pack commands. */

import { paths, projectHooks } from '../config/paths.ts'
import type { Surroundings } from '../packs/sources/pack-source.ts'
import type { Arguments } from './options.ts'
import { progress } from './progress.ts'

export function hooksFolder(args: Arguments): string {
  return args.flag('project') ? projectHooks(process.cwd()) : paths(args.env).userHooks
}

/** With a progress line on the terminal; `done` removes it. */
export function surroundings(args: Arguments): { around: Surroundings; done(): void } {
  const line = progress()
  const { state, cache } = paths(args.env)
  return {
    around: { env: args.env, stateDir: state, cacheDir: cache, progress: (text) => line.show(text) },
    done: () => line.clear(),
  }
}
