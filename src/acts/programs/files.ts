/** Files: copy, move, remove, look. */

import type { Programs } from '../program.ts'

export const FILES: Programs = {
  'rm grm': {
    options: { flag: '-f --force -i -I -v -d --dir --no-preserve-root --preserve-root' },
    recursive: '-r -R --recursive',
    operands: 'delete',
  },
  'cp gcp': {
    options: {
      write: '-t --target-directory',
      value: '-S --suffix',
      flag: '-f --force -a --archive -T --no-target-directory',
    },
    recursive: '-r -R -a --recursive --archive',
    operands: ['read*', 'write'],
    copies: true,
    with: { '-t --target-directory': { operands: 'read' } },
  },
  'mv gmv': {
    options: { write: '-t --target-directory', value: '-S --suffix' },
    operands: ['move*', 'write'],
    copies: true,
    with: { '-t --target-directory': { operands: 'move' } },
  },
  'cat tac nl': { operands: 'read' },
}
