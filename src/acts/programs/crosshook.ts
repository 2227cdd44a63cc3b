/** Our own command line, and the programs of agents as their dialects declare them. */

import type { Programs } from '../program.ts'

const changes = (why: string) => ({ does: 'change_guards', why }) as const

export const CROSSHOOK: Programs = {
  'crosshook crosshook-relay': {
    commands: {
      'untrust uninstall remove trust install add import': { does: changes('changes which hooks run') },
      export: {},
      daemon: { with: { '=stop =restart =kill': { does: changes('stops the engine of the hooks') } } },
      'enroll fleet': { does: changes('changes who decides which hooks run') },
      approvals: {
        with: { '=allow =grant': { does: changes('answers a question that was put to the person') } },
      },
      'list validate explain test status log doctor agents help new fire acts replay verify completions demo dead-letter hook run ui hub':
        {},
    },
  },
}
