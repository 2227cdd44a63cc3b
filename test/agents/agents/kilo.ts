import { join } from 'node:path'
import { chat } from '../stand-in/chat.ts'
import type { Agent } from './agent.ts'
import { installed, put } from './files.ts'
import { agent as openCode } from './opencode.ts'

/** A fork of OpenCode that reads its settings, too. */
export const agent: Agent = {
  ...openCode,
  id: 'kilo',
  title: 'Kilo',
  package: '@kilocode/cli-linux-x64',
  api: chat,
  configure(place) {
    openCode.configure(place)
    put(join(place.home, '.config/kilo/.keep'), '')
  },
  environment: (place) => ({ ...openCode.environment(place), KILO_TELEMETRY_LEVEL: 'off' }),
  start: (place, prompt) => [
    installed('@kilocode/cli-linux-x64/bin/kilo'),
    ...openCode.start(place, prompt).slice(1),
  ],
}
