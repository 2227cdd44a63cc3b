/** git: what reaches the remote, what loses work, what runs a command. */

import type { Done, Effect, Program, Programs } from '../program.ts'
import { isSecretFile } from '../secret-files.ts'
import { configured, configures, extcmd, fromEnvironment, settingEffects } from './git-config.ts'
import { branch, folderOfGit, movedRefs, prunesNow, refspecs } from './git-history.ts'
import {
  checkout,
  forcedClean,
  ONLY_NAMES,
  ofWorkTree,
  outputs,
  patchesOfGit,
  remove,
  restore,
  shown,
  shownFiles,
  unforcedClean,
  workFolder,
} from './git-work.ts'

/** Of the whole work folder, and of single files, branches or stashes. */
const lost = (why: string): Done => ({ does: 'discard_work', place: 'root', why })

const lostPart = (why: string): Done => ({ does: 'discard_work', why })

/** Hooks of the repository check what is committed and pushed. */
const UNCHECKED: Done = { does: 'escalate', why: 'skips the checks of the repository' }

const rewrites = (why: string): Done => ({ does: 'rewrite_history', why })

/** Options of everything that shows a difference. */
const SHOWS: Program = {
  options: {
    write: '--output',
    value:
      '-n --max-count -U --unified -S -G -L -O --format --pretty --since --until --after --before --author --grep --committer --stat --diff-filter --color --skip --date --word-diff --diff-algorithm -l --decorate --relative',
    program: '--ext-diff-program',
    flag: '--no-index --ext-diff --textconv -p -s -u --oneline --all --graph',
  },
}

export const GIT = (): Programs => ({
  git: {
    options: {
      value: '-c --config-env --namespace --super-prefix --attr-source --list-cmds --git-dir --work-tree',
      cwd: '-C',
      flag: '--exec-path --no-pager --bare --paginate -p -P --literal-pathspecs --no-optional-locks --no-replace-objects --glob-pathspecs --icase-pathspecs',
    },
    acts: (call) => [...configured(call), ...fromEnvironment(call), ...ofWorkTree(call), ...outputs(call)],
    within: workFolder,
    inert: '-h',
    commands: {
      push: {
        options: {
          value: '-o --push-option --repo --recurse-submodules --signed',
          script: '--receive-pack --exec',
          flag: '-u --set-upstream --all --branches --tags --follow-tags --force-if-includes -v -q --verbose --quiet --porcelain --no-verify --atomic --progress --thin --force-with-lease --no-force-with-lease -4 -6 --ipv4 --ipv6',
        },
        inert: '-n --dry-run -h',
        operands: ['value', 'value*'],
        does: { does: 'send', why: 'pushes commits' },
        with: {
          '-f --force': { does: rewrites('replaces what the remote has') },
          '--mirror': { does: rewrites('makes the remote the same as this repository') },
          '--force-with-lease-if-includes': { does: rewrites('replaces what the remote has') },
          '--all --branches': {
            does: { does: 'publish', place: 'registry', why: 'pushes every branch' },
          },
          '--prune': { does: { does: 'delete', place: 'registry', why: 'deletes branches of the remote' } },
          '--no-verify': { does: UNCHECKED },
        },
        acts: refspecs,
      },
      reset: {
        options: {
          flag: '--soft --mixed --merge --keep -q --quiet --refresh --no-refresh -p --patch -N --intent-to-add',
          read: '--pathspec-from-file',
        },
        with: { '--hard --merge': { does: lost('throws away changes that are not committed') } },
      },
      clean: {
        options: { value: '-e --exclude', flag: '-d -x -X -q -i -f --force --interactive --quiet' },
        inert: '-n --dry-run -i --interactive -h',
        acts: (call) => [...forcedClean(call), ...unforcedClean(call)],
      },
      checkout: {
        options: {
          value:
            '-b -B --orphan --conflict -U --unified --inter-hunk-context --pathspec-from-file --ours-theirs',
          flag: '-q --quiet -l -d --detach -t --track -m --merge -p --patch --ours --theirs --guess --no-guess --progress --ignore-skip-worktree-bits --overwrite-ignore --recurse-submodules --no-overlay --overlay --no-merge --no-patch --no-recurse-submodules',
        },
        with: { '-f --force': { does: lost('throws away changes that are not committed') } },
        acts: checkout,
      },
      switch: {
        options: {
          value: '-c -C --create --force-create --orphan --conflict',
          flag: '-q --quiet -d --detach -t --track -m --merge --guess --no-guess --progress --recurse-submodules',
        },
        with: {
          '-f --force --discard-changes': { does: lost('throws away changes that are not committed') },
        },
      },
      restore: {
        options: {
          value: '-s --source --conflict -U --unified --inter-hunk-context',
          read: '--pathspec-from-file',
          flag: '-q --quiet -S --staged -W --worktree -p --patch --ours --theirs -m --merge --overlay --no-overlay --ignore-unmerged --no-staged --no-worktree',
        },
        acts: restore,
      },
      stash: {
        commands: {
          drop: { does: lostPart('deletes stashed changes') },
          clear: { does: lost('deletes everything that was stashed') },
          'push save': { options: { value: '-m --message', read: '--pathspec-from-file' } },
          show: {
            acts: ({ operands }) =>
              operands
                .filter(({ text }) => isSecretFile(text))
                .map((path): Effect => ({ does: 'read', path })),
          },
          'list pop apply branch create store export import': {},
        },
      },
      branch: {
        options: {
          value:
            '-u --set-upstream-to --contains --no-contains --merged --no-merged --points-at --sort --format --color --column',
          flag: '-d --delete -D -m -M --move -c -C --copy -l --list -a --all -r --remotes -v -vv -q -f --force -t --track --show-current --edit-description --unset-upstream',
        },
        acts: branch,
      },
      tag: {
        options: {
          value: '-m --message -u --local-user --sort --format --contains',
          read: '-F --file',
          flag: '-a -s -l --list -f --force -v',
        },
        with: {
          '-d --delete': { does: { does: 'discard_work', why: 'deletes a tag' } },
        },
      },
      'filter-branch filter-repo': {
        options: {
          script:
            '--env-filter --tree-filter --index-filter --msg-filter --commit-filter --tag-name-filter --parent-filter --subdirectory-filter',
          flag: '-f --force --all --analyze',
        },
        inert: '--dry-run --analyze',
        does: rewrites('rewrites every commit'),
      },
      reflog: {
        commands: {
          'expire delete drop': {
            inert: '-n --dry-run',
            does: rewrites('makes lost commits unreachable'),
          },
          'show list exists': {},
        },
      },
      gc: {
        options: { flag: '--aggressive --auto --quiet --prune --no-prune --force' },
        acts: (call) => prunesNow(call, '--prune'),
      },
      prune: {
        options: { value: '--expire', flag: '-v --progress' },
        inert: '-n --dry-run',
        acts: (call) => prunesNow(call, '--expire'),
      },
      'repack pack-objects': { options: { value: '--unpack-unreachable' } },
      'update-ref': {
        options: { value: '-m', flag: '--no-deref --create-reflog --stdin' },
        with: { '-d': { does: rewrites('deletes a reference') } },
        acts: movedRefs,
      },
      // The folder that git finds is the one that the line is in, or one above it.
      'rev-parse': { prints: folderOfGit },
      'ls-files': {
        options: { value: '-x --exclude --format' },
        operands: 'value',
        // Every file of the folder: what is done to all of them is done to it.
        lists: ({ operands, given }) =>
          operands.length === 0 && !given('-d --deleted -o --others -m --modified -i --ignored -u --unmerged')
            ? '.'
            : undefined,
      },
      'ls-tree': {
        lists: ({ operands, given }) => (operands.length === 1 && given('-r') ? '.' : undefined),
      },
      maintenance: {
        commands: {
          start: { does: { does: 'write', place: 'startup', why: 'sets up jobs that run by themselves' } },
          'run stop register unregister': {},
        },
      },
      'symbolic-ref': {
        options: { value: '-m' },
        with: { '-d --delete': { does: rewrites('deletes a reference') } },
      },
      replace: { with: { '-d --delete': { does: rewrites('deletes a reference') } } },
      rebase: {
        options: {
          script: '-x --exec',
          value: '--onto -s --strategy -X --strategy-option --whitespace -C',
          flag: '-i --interactive --continue --abort --skip --quit --autostash --root -f',
        },
        with: { '--no-verify': { does: UNCHECKED } },
      },
      bisect: { commands: { run: { stops: true, operands: 'command' }, visualize: {} } },
      submodule: {
        commands: {
          foreach: { options: { flag: '--recursive' }, stops: true, operands: 'script*' },
          deinit: { with: { '-f --force': { does: lost('removes the work folder of a submodule') } } },
          add: { operands: ['host', 'write'] },
        },
      },
      worktree: {
        commands: {
          remove: {
            operands: 'value',
            with: { '-f --force': { does: lost('removes a work folder with its changes') } },
          },
          add: { options: { value: '-b -B' }, operands: ['write', 'value*'] },
          'list prune lock unlock move repair': {},
        },
      },
      rm: {
        options: {
          read: '--pathspec-from-file',
          flag: '-r -q --quiet --ignore-unmatch --no-force --no-cached --sparse',
        },
        inert: '-n --dry-run',
        acts: remove,
      },
      mv: { inert: '-n --dry-run', operands: ['write*', 'write'] },
      clone: {
        options: {
          value:
            '-b --branch --depth -o --origin --reference --filter --shallow-since -j --jobs --template -c --config',
          script: '-u --upload-pack',
          flag: '--recursive --recurse-submodules --bare --mirror -q -n --no-checkout --single-branch',
        },
        operands: ['host', 'write'],
        acts: (call) => [
          // git clone ext::'sh -c …'
          ...call.operands
            .filter(({ text }) => text.startsWith('ext::'))
            .map((word): Effect => ({ script: { ...word, text: word.text.slice(5) } })),
          ...call.values('-c --config').flatMap((setting) => settingEffects(setting)),
        ],
      },
      'fetch pull ls-remote': {
        options: {
          value: '--depth -j --jobs --refmap -o --server-option --rebase',
          script: '--upload-pack',
          flag: '-f --force -p --prune --all --tags --rebase',
        },
        operands: ['value', 'value*'],
      },
      init: {
        options: { value: '-b --initial-branch --template --separate-git-dir --shared --object-format' },
        operands: 'write',
      },
      'format-patch': {
        options: { ...SHOWS.options, write: '-o --output-directory --output' },
        acts: shown,
      },
      'diff show range-diff diff-tree diff-index diff-files': {
        ...SHOWS,
        acts: (call) => [...shown(call), ...(call.given(ONLY_NAMES) ? [] : shownFiles(call))],
      },
      'log whatchanged': {
        ...SHOWS,
        acts: (call) => [...shown(call), ...(call.given('-p -u --patch') ? shownFiles(call) : [])],
      },
      'cat-file show-index': {
        options: { flag: '-p -t -s -e --textconv --filters --batch' },
        acts: shown,
      },
      difftool: {
        options: {
          ...SHOWS.options,
          value: '-t --tool',
          script: '-x --extcmd',
          flag: '-y --no-prompt --no-index -d --dir-diff -g --gui',
        },
        acts: extcmd,
      },
      mergetool: { options: { value: '-t --tool' } },
      grep: {
        options: {
          value: '-e -m -A -B -C --max-depth',
          read: '-f',
          script: '-O --open-files-in-pager',
        },
        // Here `-h` leaves the names of files out.
        inert: '--help',
        operands: ['value', 'value*'],
        acts: (call) =>
          call.given('-l -L -c -q --files-with-matches --count --quiet') ? [] : shownFiles(call),
      },
      'blame annotate': {
        options: { value: '-L --since', read: '--contents --ignore-revs-file' },
        operands: 'read',
      },
      apply: {
        options: {
          value: '-p --directory --exclude --include --whitespace --build-fake-ancestor',
          flag: '--reject -R --reverse --index --cached --check --stat --numstat --summary --apply -3 --3way',
        },
        operands: 'read',
        acts: patchesOfGit,
      },
      am: {
        options: {
          value: '-p --directory --exclude --include --whitespace --patch-format',
          flag: '-3 --3way -s --signoff --abort --continue --skip --quit --no-verify',
        },
        with: { '--no-verify': { does: UNCHECKED } },
        operands: 'read',
        acts: patchesOfGit,
      },
      'merge-file': {
        options: { value: '-L --marker-size', flag: '-p --stdout -q' },
        operands: ['edit', 'read*'],
        with: { '-p --stdout': { operands: 'read' } },
      },
      'interpret-trailers': {
        options: { value: '--trailer', flag: '--in-place' },
        operands: 'read',
        with: { '--in-place': { operands: 'edit' } },
      },
      mailsplit: { options: { attached: '-o' }, operands: 'read' },
      mailinfo: { operands: 'write' },
      'bugreport diagnose': { options: { write: '-o --output-directory' } },
      archive: {
        options: { write: '-o --output', value: '--format --prefix', script: '--exec', host: '--remote' },
        operands: ['value', 'read*'],
      },
      bundle: { commands: { create: { operands: ['write', 'value*'] }, 'verify unbundle list-heads': {} } },
      config: {
        options: {
          value: '--default --type --comment --value',
          write: '-f --file --blob',
          flag: '--get --get-all --get-regexp --list -l --global --system --local --worktree --unset --unset-all --add --replace-all -e --edit --show-origin --name-only -z --bool --int',
        },
        acts: configures,
      },
      commit: {
        options: {
          value:
            '-m --message -c -C --reedit-message --reuse-message --fixup --squash --author --date --cleanup -S --gpg-sign -u --trailer',
          read: '-F --file -t --template --pathspec-from-file',
          flag: '-a --all --amend --no-edit -n --no-verify -q -s --signoff --allow-empty -v',
        },
        inert: '--dry-run',
        with: { '-n --no-verify': { does: UNCHECKED } },
      },
      merge: {
        options: {
          value: '-m -F --file -s --strategy -X --strategy-option -S --into-name --cleanup',
          flag: '-n',
        },
        with: { '--no-verify': { does: UNCHECKED } },
      },
      add: {
        options: { read: '--pathspec-from-file', value: '--chmod', flag: '-A --all -u --update -f' },
        inert: '-n --dry-run',
        // A file of secrets that is committed is there for everyone.
        acts: ({ operands }) =>
          operands
            .filter(({ text }) => isSecretFile(text))
            .map(
              (path): Effect => ({
                does: 'read',
                path,
                why: 'a file of secrets that is about to be committed',
              }),
            ),
      },
      notes: { commands: { 'remove prune': { does: rewrites('deletes notes') } } },
      remote: {
        commands: {
          'remove rm': {},
          'set-url add rename update show get-url prune set-head set-branches': {},
        },
      },
      'checkout-index read-tree': {
        with: { '-f --force -u --reset': { does: lost('overwrites files of the work folder') } },
      },
      'credential credential-store credential-cache': {
        options: { write: '--file' },
        with: { '=fill =get': { does: { does: 'read', place: 'secret', why: 'prints stored credentials' } } },
      },
      'upload-pack receive-pack upload-archive': { options: { script: '--exec' } },
      'send-email imap-send': { operands: 'send' },
      'lfs annex': { commands: { 'prune drop': {} } },
    },
    otherwise: { stops: true },
  },
  'git-filter-repo': { inert: '--dry-run --analyze', does: rewrites('rewrites every commit') },
  'bfg git-lfs-migrate': { does: rewrites('rewrites every commit') },
  'svn hg jj sl': {
    commands: {
      revert: { does: lost('throws away changes that are not committed') },
      'cleanup purge': { does: lost('deletes files that are not tracked') },
      'strip rollback obliterate': { does: rewrites('removes commits') },
      abandon: { does: rewrites('abandons commits') },
      'update up checkout co goto': {
        with: { '-C --clean': { does: lost('throws away changes that are not committed') } },
      },
      'delete remove rm': {
        acts: ({ operands }) =>
          operands.some(({ text }) => /^(?:https?|svn(?:\+ssh)?|file):\/\//.test(text))
            ? [{ does: 'rewrite_history', why: 'deletes in the repository itself' }]
            : [],
      },
    },
  },
})
