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
  environment: (place) => ({
    ...openCode.environment(place),
    KILO_TELEMETRY_LEVEL: 'off',
    KILO_DISABLE_MODELS_FETCH: '1',
  }),
  start: (place, prompt) => [
    installed('@kilocode/cli-linux-x64/bin/kilo'),
    // Else it rejects the reading of `.env`, whatever its settings allow.
    'run',
    '--auto',
    ...openCode.start(place, prompt).slice(2),
  ],
}
