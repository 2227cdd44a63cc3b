/** Programs that start another one. */

import type { Programs } from '../program.ts'

export const WRAPPERS: Programs = {
  sudo: {
    options: {
      value:
        '-u -g -h -p -C -r -t -T -U --user --group --host --prompt --role --type --other-user --close-from --command-timeout --chroot -R',
      cwd: '-D --chdir',
      flag: '-E -H -n -S -b -k -K -i -s --login --shell --preserve-env',
    },
    inert: '-l -v -V --list --validate',
    operands: ['env*', 'command'],
    does: 'escalate',
    with: { '': { stdin: 'script' } },
  },
  env: {
    options: {
      value: '-u --unset -a --argv0',
      cwd: '-C --chdir',
      words: '-S --split-string',
      flag: '-i -0 --null',
    },
    operands: ['env*', 'command'],
    with: { '': { does: { does: 'read', place: 'environment', why: 'prints the environment' } } },
  },
  'timeout gtimeout': {
    options: { value: '-s --signal -k --kill-after' },
    operands: ['value', 'command'],
  },
  nohup: { operands: 'command' },
}
