/** git: what reaches the remote, what loses work, what runs a command. */

import type { Call, Effect, Programs } from '../program.ts'

export const GIT: Programs = {
  git: {
    options: {
      value: '-c --config-env --namespace --super-prefix --attr-source --list-cmds',
      cwd: '-C',
      read: '--git-dir --work-tree',
      flag: '--exec-path --no-pager --bare --paginate -p --literal-pathspecs',
    },
    acts: configured,
    commands: {
      push: {
        options: {
          value: '-o --push-option --receive-pack --exec --repo',
          flag: '-u --set-upstream --all --tags --force-if-includes -v -q',
        },
        inert: '-n --dry-run',
        operands: ['value', 'value*'],
        does: { does: 'send', why: 'pushes commits' },
        with: {
          '-f --force --force-with-lease --mirror': {
            does: { does: 'rewrite_history', why: 'replaces what the remote has' },
          },
          '-d --delete --prune': {
            does: { does: 'delete', place: 'registry', why: 'deletes a branch of the remote' },
          },
        },
        acts: refspecs,
      },
      reset: {
        options: { flag: '--soft --mixed --merge --keep -q --quiet', read: '--pathspec-from-file' },
        with: {
          '--hard': { does: { does: 'discard_work', why: 'throws away changes that are not committed' } },
        },
      },
    },
    otherwise: { stops: true },
  },
}

/** `git -c alias.x='!rm -rf /' x` runs a shell line. */
function configured(call: Call): readonly Effect[] {
  return call.values('-c').flatMap((setting): Effect[] => {
    const [, key = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(setting.text) ?? []
    if (/^alias\./i.test(key))
      return value.startsWith('!')
        ? [{ script: { ...setting, text: value.slice(1) } }]
        : [
            {
              argv: [
                { text: 'git' },
                ...value.split(/\s+/).map((text) => ({ text })),
                ...call.operands.slice(1),
              ],
            },
          ]
    return /^(?:core\.(?:sshcommand|pager|editor|fsmonitor)|.*\.(?:helper|cmd|command|program|textconv|clean|smudge))$/i.test(
      key,
    )
      ? [{ script: { ...setting, text: value } }]
      : []
  })
}

/** `git push origin +main` forces, `:main` deletes. */
function refspecs({ operands }: Call): readonly Effect[] {
  return operands
    .slice(1)
    .flatMap(({ text }): Effect[] =>
      text.startsWith('+')
        ? [{ does: 'rewrite_history', why: `${text} replaces what the remote has` }]
        : /^:./.test(text)
          ? [{ does: 'delete', place: 'registry', why: `${text} deletes a branch of the remote` }]
          : [],
    )
}
