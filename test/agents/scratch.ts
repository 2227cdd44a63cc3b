/** A home, a project and a temporary folder for one agent, and the environment in which it runs there. */

import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from './agents/agent.ts'
import { copyProgram } from './program.ts'

export function scratch(url: string): Place {
  const folder = mkdtempSync(join(tmpdir(), 'agent-'))
  const place = {
    home: join(folder, 'home'),
    project: join(folder, 'project'),
    temporary: join(folder, 'tmp'),
    program: join(folder, 'program'),
    url,
  }
  for (const path of [place.home, place.project, place.temporary]) mkdirSync(path)
  copyProgram(place)
  return place
}

export function environment({ home, temporary }: Place): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    TERM: 'dumb',
    NO_COLOR: '1',
  }
}
