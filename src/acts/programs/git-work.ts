/** What git does to files of the work tree: throws changes away, writes, shows. */

import { namesGuardsOfProject } from '../guard-places.ts'
import type { Call, Effect } from '../program.ts'
import { list } from '../read-argv.ts'
import { isSecretFile } from '../secret-files.ts'
import type { Word } from '../word.ts'

/** Sub-commands that write the files of the work folder. */
const WRITES =
  'checkout switch restore reset pull merge rebase cherry-pick revert am apply stash clean rm mv read-tree checkout-index submodule sparse-checkout worktree bisect clone init subtree mergetool lfs annex difftool filter-branch'.split(
    ' ',
  )

/** The work folder may be any: one with guards in it, or the whole home folder. */
export function ofWorkTree(call: Call): readonly Effect[] {
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
  if (!WRITES.includes(command) || leavesFiles(command, call)) return []
  const why = `git ${command} writes the files of that folder`
  const named = call.args.flatMap(({ text }, at): Word[] => {
    const [, attached] = /^--(?:directory|prefix|separate-git-dir|include)=(.+)$/.exec(text) ?? []
    if (attached !== undefined) return [{ text: attached.replace(/\/+$/, '') }]
    return /^--(?:directory|prefix|include)$/.test(text) ? call.args.slice(at + 1, at + 2) : []
  })
  const writes =
    command === 'clone' || command === 'init' || (command === 'worktree' && elsewhere.length === 0)
  return [
    ...[...(writes ? [] : folders), ...named].map((guards) => ({ guards, why })),
    ...guardsNamed([...call.operands, ...named], elsewhere[0]),
  ]
}

/** By `--work-tree`, else beside the repository that is named; `-C` is where all of it starts. */
export function workFolder(call: Call): Word {
  const [tree] = [...call.values('--work-tree'), ...list(call.env.get('GIT_WORK_TREE'))]
  if (tree) return tree
  const [repository] = [...call.values('--git-dir'), ...list(call.env.get('GIT_DIR'))]
  return repository
    ? { ...repository, text: repository.text.replace(/\/?\.git\/*$/, '') || '.' }
    : { text: '.' }
}

/** Pathspecs, folders and patterns that mean guards of the project. */
function guardsNamed(words: readonly Word[], folder: Word | undefined): Effect[] {
  return words.flatMap((word): Effect[] => {
    const text = pathOf(word.text)
    if (text === undefined) return []
    const path = folder ? below(folder, { ...word, text }) : { ...word, text }
    if (!namesGuardsOfProject(path.text)) return []
    const ended = { ...path, text: `${path.text.replace(/\/(?:\*+\/?)*$/, '')}/` }
    return [{ does: 'write', path: ended, certain: false, why: 'git writes what is named there' }]
  })
}

/** Without the signs before it: `:/x`, `:(top,icase)x`, `!/x`; undefined for what a pathspec leaves out. */
function pathOf(spec: string): string | undefined {
  if (/^:(?:[!^]|\([^)]*exclude)/.test(spec)) return undefined
  return spec.replace(/^(?::\/|:\([^)]*\)|!)/, '').replace(/^\/(?=\.)/, '')
}

/** `--output=x` and its kin: many commands of git write a file or a folder that they are given. */
export function outputs(call: Call): readonly Effect[] {
  // The row of the command says it.
  if (call.row.options?.write?.includes('--output')) return []
  return call.args.flatMap(({ text, ...rest }): Effect[] => {
    const [, path] = /^--(?:output(?:-directory)?|export-marks)=(.+)$/.exec(text) ?? []
    return path === undefined ? [] : [{ does: 'write', path: { ...rest, text: path } }]
  })
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

/** `--no-x` after `--x` takes it back. */
function isOn(call: Call, names: string): boolean {
  let on = false
  for (const { name } of call.options) {
    if (names.split(' ').includes(name)) on = true
    if (names.split(' ').includes(name.replace(/^--no-/, '--')) && name.startsWith('--no-')) on = false
  }
  return on
}

/** In the whole folder, or in one that is named. */
export function forcedClean(call: Call): readonly Effect[] {
  if (!call.given('-f --force')) return []
  const isPart = call.operands.length > 0 && call.operands.every(({ text }) => isOneFolder(text))
  return [
    { does: 'discard_work', ...(isPart ? {} : { place: 'root' }), why: 'deletes files that are not tracked' },
  ]
}

function isOneFolder(text: string): boolean {
  return /^[\w.][\w./-]*$/.test(text) && !/^\.{1,2}(?:\/|$)/.test(text)
}

export function unforcedClean(call: Call): readonly Effect[] {
  const settings = call.values('-c').map(({ text }) => text.toLowerCase())
  return settings.some((text) => /^clean\.requireforce=(?:false|no|off|0)$/.test(text))
    ? [{ does: 'discard_work', place: 'root', why: 'deletes files that are not tracked' }]
    : []
}

/** `checkout -- x`, `checkout .`, `checkout HEAD -- x`: the work folder's version of x is gone. */
export function checkout(call: Call): readonly Effect[] {
  if (call.given('-p --patch -b -B --orphan') && !call.given('--no-patch')) return []
  const dashes = call.args.findIndex(({ text }) => text === '--')
  const files: Word[] =
    dashes === -1
      ? call.operands.filter(({ text }) => /^(?:\.{1,2}\/?|:\/|:\(.*|\*|\.\/.*)$/.test(text))
      : [...call.args.slice(dashes + 1)]
  const [tree, ...paths] = call.operands
  if (dashes === -1 && tree && paths.length > 0 && COMMIT.test(tree.text)) files.push(...paths)
  // One side of a conflict is taken, whose file holds both.
  if (call.given('--ours --theirs') && !files.some(({ text }) => isEverything(text))) return []
  if (files.length === 0 && !call.given('--pathspec-from-file')) return []
  const written = files.map((path): Effect => ({ does: 'write', path, certain: false }))
  return files.some(({ text }) => isEverything(text))
    ? [{ does: 'discard_work', place: 'root', why: 'throws away every change that is not committed' }]
    : [{ does: 'discard_work', certain: false, why: 'throws away the changes of a file' }, ...written]
}

/** A commit by a name that is no branch or file. */
const COMMIT = /^(?:HEAD|@)(?:[~^@].*)?$|^[0-9a-f]{7,40}$|^(?:origin|upstream)\//

const isEverything = (text: string) => /^(?:\.{1,2}\/?|:\/|\*|:\(.*|:)$/.test(text)

export function restore(call: Call): readonly Effect[] {
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

export function remove(call: Call): readonly Effect[] {
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
export function shown(call: Call): readonly Effect[] {
  return call.operands.flatMap((operand): Effect[] => {
    // `HEAD:path`, and `:path` or `:0:path` of the index; `:/text` and `:(magic)` are something else.
    const [, path] = /^(?::[0-3]?:?|[^:]+:)([^/(:].*|\/(?!.*:).*)$/.exec(operand.text) ?? []
    if (path !== undefined && !/^:[/(]/.test(operand.text))
      return [{ does: 'read', path: { ...operand, text: path } }]
    return call.given('--no-index') ? [{ does: 'read', path: operand }] : []
  })
}

export const ONLY_NAMES =
  '--stat --shortstat --numstat --name-only --name-status --summary --quiet -q -s --no-patch'

/** `git diff .env` prints changes of it. */
export function shownFiles(call: Call): readonly Effect[] {
  return call.operands
    .filter(({ text }) => isSecretFile(text.replaceAll('*', 'x')))
    .map((path) => ({
      does: 'read',
      path: { ...path, text: path.text.replaceAll('*', 'x') },
      why: 'prints lines of it',
    }))
}

/** The files that a patch names, below the folder that it is applied in. */
export function patchesOfGit(call: Call): readonly Effect[] {
  const isOnlyShown = call.given('--check --stat --numstat --summary --cached') && !call.given('--apply')
  if (isOnlyShown) return []
  const [strip] = call.values('-p')
  const into = call.values('--directory')[0] ?? { text: '.' }
  const strips = [strip ? Number(strip.text) || 0 : 1]
  const patches = call.operands.length > 0 ? call.operands : [null]
  return patches.map((each) => ({ patches: each, into, strips }))
}
