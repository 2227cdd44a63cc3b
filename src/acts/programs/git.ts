/** git: what reaches the remote, what loses work, what runs a command. */

import type { Call, Done, Effect, Program, Programs } from '../program.ts'
import { isSecretFile } from '../secret-files.ts'
import type { Word } from '../word.ts'

/** Of the whole work folder, and of single files, branches or stashes. */
const lost = (why: string): Done => ({ does: 'discard_work', place: 'root', why })
const lostPart = (why: string): Done => ({ does: 'discard_work', why })
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
    acts: (call) => [...configured(call), ...fromEnvironment(call), ...ofWorkTree(call)],
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
        options: { value: '-e --exclude', flag: '-d -x -X -q -i --interactive --quiet' },
        inert: '-n --dry-run -i --interactive -h',
        with: { '-f --force': { does: lost('deletes files that are not tracked') } },
        acts: unforcedClean,
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
          'drop clear': { does: lostPart('deletes stashed changes') },
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
          value: '-b --branch --depth -o --origin --reference --filter --shallow-since -j --jobs --template',
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
      'diff show format-patch range-diff diff-tree diff-index diff-files': {
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
          value: '-p --directory --exclude --include',
          flag: '--reject -R --index --cached --check --stat',
        },
        operands: 'read',
      },
      am: { operands: 'read' },
      archive: {
        options: { write: '-o --output', value: '--format --prefix', script: '--exec', host: '--remote' },
        operands: 'value',
        acts: ({ operands }) =>
          operands
            .slice(1)
            .filter(({ text }) => isSecretFile(text))
            .map((path): Effect => ({ does: 'read', path })),
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

/** Settings whose value git runs as a command. */
const RUN_BY_GIT =
  /^(?:core\.(?:sshcommand|pager|editor|fsmonitor|askpass|gitproxy)|sequence\.editor|pager\..*|.*\.(?:helper|cmd|command|program|textconv|clean|smudge|process|driver|path|uploadpack|receivepack))$/i

function settingEffects(setting: Word, rest: readonly Word[] = []): Effect[] {
  const [, key = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(setting.text) ?? []
  const own = (text: string): Word => ({ ...setting, text })
  if (/^alias\./i.test(key))
    return value.startsWith('!')
      ? [{ script: own(value.slice(1)), args: [own('git'), ...rest] }]
      : [{ argv: [own('git'), ...value.split(/\s+/).filter(Boolean).map(own), ...rest] }]
  if (/^core\.worktree$/i.test(key))
    return [{ guards: own(value), why: 'git writes the files of that folder' }]
  if (/^core\.hookspath$/i.test(key) && value !== '/dev/null')
    return [{ does: 'run', path: own(value), certain: false, why: 'git hooks of another folder' }]
  if (/^(?:core\.fsmonitor)$/i.test(key) && /^(?:true|false|0|1)?$/i.test(value)) return []
  return RUN_BY_GIT.test(key) && value !== '' ? [{ script: own(value) }] : []
}

/** `git -c alias.x='!rm -rf /' x` runs a shell line; `--config-env` and GIT_CONFIG_* set the same from variables. */
function configured(call: Call): readonly Effect[] {
  const effects = call.values('-c').flatMap((setting) => {
    const isAlias = /^alias\.([^=]+)=/i.exec(setting.text)
    // An alias matters where it is used; without a command git only complains.
    if (isAlias && call.operands[0]?.text.toLowerCase() !== isAlias[1]!.toLowerCase())
      return isAlias && call.operands.length === 0 && setting.text.includes('=!')
        ? settingEffects(setting)
        : []
    return settingEffects(setting, call.operands.slice(1))
  })
  for (const setting of call.values('--config-env')) {
    const [, key = '', name = ''] = /^([^=]*)=([\s\S]*)$/.exec(setting.text) ?? []
    const value = call.env.get(name)
    if (value)
      effects.push(...settingEffects({ ...value, text: `${key}=${value.text}` }, call.operands.slice(1)))
    else if (/^alias\./i.test(key) || RUN_BY_GIT.test(key))
      effects.push({ does: 'run', place: 'decoded', why: `${key} comes from a variable` })
  }
  return effects
}

/** Sub-commands that write the files of the work folder. */
const WRITES =
  /^(?:checkout|switch|restore|reset|pull|merge|rebase|cherry-pick|revert|am|apply|stash|clean|rm|mv|read-tree|checkout-index|submodule|sparse-checkout|worktree|bisect|clone|init)$/

/** The work folder may be any: one with guards in it, or the whole home folder. */
function ofWorkTree(call: Call): readonly Effect[] {
  const [command = ''] = call.commands.length > 0 ? call.commands : [call.operands[0]?.text]
  const elsewhere = [
    ...call.values('--work-tree'),
    ...(call.env.get('GIT_WORK_TREE') ? [call.env.get('GIT_WORK_TREE')!] : []),
    ...call.values('-c').flatMap((setting): Word[] => {
      const [, folder] = /^core\.worktree=(.+)$/i.exec(setting.text) ?? []
      return folder === undefined ? [] : [{ ...setting, text: folder }]
    }),
  ]
  const folders = elsewhere.length > 0 ? elsewhere : [{ text: '.' }]
  if (command === 'add')
    return call.operands.length === 0 || elsewhere.length > 0
      ? call.given('-A --all')
        ? folders.map((takes) => ({ takes }))
        : folders.flatMap((folder) => call.operands.map((each) => ({ takes: below(folder, each) })))
      : call.operands.map((takes) => ({ takes }))
  if (!WRITES.test(command) || leavesFiles(command, call)) return []
  const why = `git ${command} writes the files of that folder`
  const named = call.args.flatMap(({ text }, at): Word[] => {
    const [, attached] = /^--(?:directory|prefix|separate-git-dir)=(.+)$/.exec(text) ?? []
    if (attached !== undefined) return [{ text: attached.replace(/\/+$/, '') }]
    return text === '--directory' || text === '--prefix' ? call.args.slice(at + 1, at + 2) : []
  })
  const patterns =
    command === 'sparse-checkout' || command === 'submodule'
      ? call.operands.map((word) => ({ ...word, text: word.text.replace(/^!?\/?(?=\.)/, '') }))
      : []
  const writes =
    command === 'clone' || command === 'init' || (command === 'worktree' && elsewhere.length === 0)
  return [...(writes ? [] : folders), ...named, ...patterns].map((guards) => ({ guards, why }))
}

/** Only the index, a list or the history changes. */
function leavesFiles(command: string, call: Call): boolean {
  const word = call.commands[1] ?? call.operands[call.commands.length > 0 ? 0 : 1]?.text ?? ''
  if (command === 'stash') return /^(?:list|show|drop|clear|create|store)$/.test(word)
  if (command === 'worktree') return /^(?:list|prune|lock|unlock|repair)$/.test(word)
  if (command === 'submodule') return /^(?:status|summary|foreach|init|sync|set-url)$/.test(word)
  if (command === 'restore') return call.given('-S --staged') && !call.given('-W --worktree')
  if (command === 'reset') return !call.given('--hard --merge --keep')
  return command === 'rm' && call.args.some(({ text }) => text === '--cached')
}

function below(folder: Word, { text, ...rest }: Word): Word {
  return { ...rest, text: text.startsWith('/') ? text : `${folder.text.replace(/\/+$/, '')}/${text}` }
}

const ENV_COMMANDS =
  /^GIT_(?:SSH_COMMAND|SSH|PAGER|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)$/

function fromEnvironment(call: Call): readonly Effect[] {
  const effects: Effect[] = []
  for (const [name, value] of call.env)
    if (ENV_COMMANDS.test(name) && value.text !== '') effects.push({ script: value })
  const count = Number(call.env.get('GIT_CONFIG_COUNT')?.text ?? 0)
  for (let at = 0; at < Math.min(count, 50); at++) {
    const [key, value] = [call.env.get(`GIT_CONFIG_KEY_${at}`), call.env.get(`GIT_CONFIG_VALUE_${at}`)]
    if (key && value)
      effects.push(...settingEffects({ ...value, text: `${key.text}=${value.text}` }, call.operands.slice(1)))
  }
  return effects
}

const MAIN = /^(?:refs\/heads\/)?(?:main|master|trunk|develop|production|prod|release)$/i

/** `git push origin +main` forces, `:main` deletes; a main branch is everybody's. */
function refspecs(call: Call): readonly Effect[] {
  const deletes = call.given('-d --delete')
  return call.operands.flatMap(({ text }, at): Effect[] => {
    const target = text.replace(/^\+/, '').split(':').at(-1)!.replace(/^\+/, '')
    const effects: Effect[] = []
    const leased = call.options.some(({ name }) => name.startsWith('--force-with-lease'))
    if (at > 0 && (text.startsWith('+') || /:\+/.test(text)) && !leased)
      effects.push({ does: 'rewrite_history', why: `${text} replaces what the remote has` })
    if (at > 0 && (/^:./.test(text) || deletes))
      effects.push(
        MAIN.test(target)
          ? { does: 'rewrite_history', why: `deletes ${target} of the remote` }
          : {
              does: 'delete',
              place: 'registry',
              why: `${text} deletes a branch of the remote`,
              certain: false,
            },
      )
    else if (MAIN.test(target) && (at > 0 || call.operands.length === 1))
      effects.push({ does: 'publish', place: 'registry', why: `pushes to ${target}` })
    return effects
  })
}

/** `--no-x` after `--x` takes it back. */
function isOn(call: Call, names: string): boolean {
  let on = false
  for (const { name } of call.options) {
    if (names.split(' ').includes(name)) on = true
    if (names.split(' ').includes(name.replace(/^--no-/, '--')) && name.startsWith('--no-')) on = false
  }
  return on
}

function unforcedClean(call: Call): readonly Effect[] {
  const settings = call.values('-c').map(({ text }) => text.toLowerCase())
  return settings.some((text) => /^clean\.requireforce=(?:false|no|off|0)$/.test(text))
    ? [{ does: 'discard_work', place: 'root', why: 'deletes files that are not tracked' }]
    : []
}

/** `checkout -- x`, `checkout .`, `checkout HEAD -- x`: the work folder's version of x is gone. */
function checkout(call: Call): readonly Effect[] {
  if (call.given('-p --patch -b -B --orphan') && !call.given('--no-patch')) return []
  const dashes = call.args.findIndex(({ text }) => text === '--')
  const files: Word[] =
    dashes === -1
      ? call.operands.filter(({ text }) => /^(?:\.{1,2}\/?|:\/|:\(.*|\*|\.\/.*)$/.test(text))
      : [...call.args.slice(dashes + 1)]
  const [tree, ...paths] = call.operands
  if (dashes === -1 && tree && paths.length > 0 && COMMIT.test(tree.text)) files.push(...paths)
  if (files.length === 0 && !call.given('--pathspec-from-file --ours --theirs')) return []
  const written = files.map((path): Effect => ({ does: 'write', path, certain: false }))
  return files.some(({ text }) => isEverything(text))
    ? [{ does: 'discard_work', place: 'root', why: 'throws away every change that is not committed' }]
    : [{ does: 'discard_work', certain: false, why: 'throws away the changes of a file' }, ...written]
}

/** A commit by a name that is no branch or file. */
const COMMIT = /^(?:HEAD|@)(?:[~^@].*)?$|^[0-9a-f]{7,40}$|^(?:origin|upstream)\//

const isEverything = (text: string) => /^(?:\.{1,2}\/?|:\/|\*|:\(.*|:)$/.test(text)

function restore(call: Call): readonly Effect[] {
  const staged = isOn(call, '-S --staged')
  const worktree = isOn(call, '-W --worktree')
  const off = call.options.some(({ name }) => name === '--no-worktree' || name === '--no-staged')
  if ((staged && !worktree) || (off && !worktree) || call.given('-p --patch')) return []
  if (call.operands.length === 0 && !call.given('--pathspec-from-file')) return []
  return call.operands.some(({ text }) => isEverything(text)) || worktree
    ? [{ does: 'discard_work', place: 'root', why: 'throws away changes that are not committed' }]
    : [
        { does: 'discard_work', certain: false, why: 'throws away the changes of a file' },
        ...call.operands.map((path): Effect => ({ does: 'write', path, certain: false })),
      ]
}

function branch(call: Call): readonly Effect[] {
  const deletes = call.given('-d -D --delete')
  if (!deletes) return []
  if (call.operands.some(({ text }) => MAIN.test(text)))
    return [{ does: 'rewrite_history', why: 'deletes a main branch' }]
  return call.given('-D') || call.given('-f --force')
    ? [{ does: 'discard_work', certain: false, why: 'deletes a branch that may not be merged' }]
    : []
}

function prunesNow(call: Call, option: string): readonly Effect[] {
  const now = [
    ...call.values(option),
    ...call.values('-c').map(({ text }) => ({ text: /^gc\.pruneexpire=(.*)$/i.exec(text)?.[1] ?? '' })),
  ]
  return now.some(({ text }) => /^(?:now|all|0)$/i.test(text))
    ? [{ does: 'rewrite_history', why: 'deletes lost commits for good' }]
    : []
}

function remove(call: Call): readonly Effect[] {
  if (isOn(call, '--cached')) return []
  const forced = isOn(call, '-f --force')
  const lostFile: Effect[] = forced
    ? [{ does: 'discard_work', certain: false, why: 'deletes files with changes that are not committed' }]
    : []
  return lostFile.concat(
    call.operands.map((path) => ({
      does: 'delete',
      path,
      ...(call.given('-r') ? { recursive: true } : {}),
      ...(forced ? {} : { certain: false }),
    })),
  )
}

/** `git show HEAD:.env` prints a file of the repository. */
function shown(call: Call): readonly Effect[] {
  return call.operands.flatMap((operand): Effect[] => {
    // `HEAD:path`, and `:path` or `:0:path` of the index; `:/text` and `:(magic)` are something else.
    const [, path] = /^(?::[0-3]?:?|[^:]+:)([^/(:].*|\/(?!.*:).*)$/.exec(operand.text) ?? []
    if (path !== undefined && !/^:[/(]/.test(operand.text))
      return [{ does: 'read', path: { ...operand, text: path } }]
    return call.given('--no-index') ? [{ does: 'read', path: operand }] : []
  })
}

const ONLY_NAMES = '--stat --shortstat --numstat --name-only --name-status --summary --quiet -q -s --no-patch'

/** `git diff .env` prints changes of it. */
function shownFiles(call: Call): readonly Effect[] {
  return call.operands
    .filter(({ text }) => isSecretFile(text))
    .map((path) => ({ does: 'read', path, why: 'prints lines of it' }))
}

/** `--extcmd cp a b` runs `cp a b`. */
function extcmd(call: Call): readonly Effect[] {
  return call
    .values('-x --extcmd')
    .map((command) => ({ argv: [...command.text.split(/\s+/).map((text) => ({ text })), ...call.operands] }))
}

/** Settings that make git run something later. */
function configures(call: Call): readonly Effect[] {
  if (call.given('--get --get-all --get-regexp --list -l --unset --unset-all')) return []
  const operands = /^(?:set|add)$/.test(call.operands[0]?.text ?? '') ? call.operands.slice(1) : call.operands
  const [key, value] = operands
  if (!key || !value) return []
  const effects = settingEffects({ ...value, text: `${key.text}=${value.text}` })
  if (/^core\.worktree$/i.test(key.text)) return effects
  if (/^core\.hookspath$/i.test(key.text))
    return [{ does: 'write', place: 'startup', why: 'changes which git hooks run' }, ...effects]
  return effects.length > 0 && (RUN_BY_GIT.test(key.text) || value.text.startsWith('!'))
    ? [{ does: 'write', place: 'startup', why: `git runs ${key.text}`, certain: false }, ...effects]
    : []
}
