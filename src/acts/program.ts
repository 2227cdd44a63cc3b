/**
 * A program is a row: how its arguments are read, and what they do. One file per family in `programs/`.
 *
 * ```ts
 * export const FILES = (): Programs => ({
 *   rm: { options: { flag: '-r -R --recursive -f --force' }, recursive: '-r -R --recursive', operands: 'delete' },
 *   'cp gcp': { options: { write: '-t --target-directory' }, operands: ['read*', 'write'], copies: true,
 *               with: { '-t --target-directory': { operands: 'read' } } },
 *   timeout: { options: { value: '-s --signal -k --kill-after' }, operands: ['value', 'command'] },
 * })
 * ```
 *
 * - A key may hold several names. A program is looked up by its base name, without `.exe`.
 * - `options` says by role which options take a value, and what the value is. Options that are not listed are flags;
 *   list flags (role `flag`) that `with`, `given` or an abbreviation (`--forc`) must find. The reader understands
 *   `-x v`, `-xv`, `-abx v`, `--long v`, `--long=v`, `--lon=v`, `--`, and `-word` when it is listed in full.
 * - `operands` says what the other words are: one role for all, or a list in order. A role with `*` takes as many as
 *   there are, leaving those that come after it. `command` and `script*` take everything that is left, options too.
 * - `commands` are sub-commands, each a row of its own; the options of the row above are known there as well, its
 *   `acts` is called too, and `inert`, `single`, `language`, `within`, `elsewhere` and `fetches` hold where the sub-command does
 *   not say otherwise. `otherwise` stands for those that are not listed (its first operand is the sub-command).
 * - `with` replaces fields of the row when one of its options is given (`does` is added). In `with`, the key `''`
 *   holds when no operand is given, and `=word` when an operand is that word.
 * - `does` is what the command does whatever its words are.
 * - `inert` lists options with which it changes nothing (`--dry-run`), and words that do the same as the last one (`=help`).
 *   `--help` and `--version` always are.
 * - `acts` is for what the row cannot say: a function of the call that gives more effects.
 * - `prints` gives the text that the command prints, when the call tells it.
 *
 * A file that is used but not shown (a key for ssh -i, a certificate, an argument of `ls` or `test`) is a `value`, not
 * a `read`: `read` is for content that can reach the agent or another program.
 *
 * To try a row: `effects('rm -rf /')` in `read-argv.test.ts`, or `crosshook acts 'rm -rf /'`.
 *
 * Roles of a word:
 *   value    nothing                              flag      an option without a value
 *   attached an option whose value only follows without a space (`-i.bak`)
 *   read write delete                             a path
 *   edit     a path that is read and written      move      a path whose content goes to what is written, and is gone
 *   source   a path whose content goes on, without being read (a link)
 *   send     a path whose content leaves          data      `@file`, `@-` or text that leaves (curl -d)
 *   host     `[user@]host[:path]`, a URL, an address: a connection
 *   remote   `host:path` or a local path to read  remote_write  the same, written (`scp`, `rsync`)
 *   run      a path that is executed as a program or script
 *   command  a program and its arguments          program   one word, the program to start without arguments
 *   script   text that a shell reads; `script*` joins all words that are left
 *   words    text that is split into words and run without a shell (env -S)
 *   code     text in the row's `language`         input     a path whose text is code in the row's `language`
 *   env      NAME=VALUE for what is started       cwd       the folder to work in
 *   package  something to install                 secret    a value that is a secret
 */

import type { Act, Does, Place } from '../spec/act.ts'
import type { Below, Flow, Word } from './word.ts'

export const ROLES = [
  'value',
  'flag',
  'attached',
  'read',
  'write',
  'delete',
  'edit',
  'move',
  'source',
  'send',
  'data',
  'host',
  'remote',
  'remote_write',
  'run',
  'command',
  'program',
  'script',
  'words',
  'code',
  'input',
  'env',
  'cwd',
  'package',
  'secret',
] as const

export type Role = (typeof ROLES)[number]
export type OperandRole = Role | `${Role}*`

export const LANGUAGES = [
  'shell',
  'python',
  'javascript',
  'perl',
  'ruby',
  'php',
  'awk',
  'sed',
  'sql',
  'powershell',
  'cmd',
  'lua',
  'r',
  'vim',
  'tcl',
  // recipes of a Makefile, scripts of a package.json
  'make',
  'scripts',
  'other',
] as const
export type Language = (typeof LANGUAGES)[number]

/** What a row says that a command does by itself. A word alone is short for `{does}`. */
export type Done =
  | Does
  | { does: Does; place?: Place; why?: string; host?: string; path?: string; certain?: boolean }

export interface Program {
  options?: { [Kind in Role]?: string }
  operands?: OperandRole | readonly OperandRole[]
  commands?: Readonly<Record<string, Program>>
  otherwise?: Program
  does?: Done | readonly Done[]
  with?: Readonly<Record<string, Partial<Program>>>
  inert?: string
  /** Options with which `delete`, `read` and `write` hold for everything below the path. */
  recursive?: string | true
  /** Options that end the options: what follows belongs to the code or the program. */
  ends?: string
  /** Options end at the first operand. Holds by itself where `operands` has `command` or `script*`. */
  stops?: boolean
  /** `-abc` is one option, never three (Go, Java, find). */
  single?: boolean
  /** The first operand may be a cluster without a dash: `tar xzf`. */
  bundle?: boolean
  /** Operands of the form key=value, by role: dd's `{ read: 'if', write: 'of' }`. */
  keys?: { [Kind in Role]?: string }
  /** What it reads on its input, when something is given there. */
  stdin?: 'script' | 'code' | 'send' | 'arguments'
  /** The language of `code` and `input`. */
  language?: Language
  /** What is read goes into what is written: cp, mv, ln. */
  copies?: boolean
  /** What is started runs elsewhere: another machine, a container. Paths are not those of this disk. */
  elsewhere?: boolean
  /** Wraps what it starts without an act of its own (nohup, time): it is named in `through`. */
  acts?(call: Call): readonly Effect[]
  prints?(call: Call): string | undefined
  /** Paths that stand for all that it prints, one a line, when only the disk tells them: `find /`. */
  lists?(call: Call): string | undefined
  /** Where the files were looked for whose names it prints. */
  finds?(call: Call): readonly Below[]
  /** The folder that its acts on a repository are about, where they name no path. */
  within?(call: Call): Word
  /** Options with patterns of what is left out. */
  excludes?: string
  /** Variables that its function looks at, also where the line set them earlier. */
  steered?: readonly string[]
  /** Patterns of what it leaves out by itself. */
  skips?(call: Call): readonly string[]
  /** Of the files that it reads only what fits a pattern is shown. */
  searches?(call: Call): boolean
  /** A network program: what it prints and writes came from the hosts it names. */
  fetches?: boolean
  /** What it prints is not what it read: `wc`, `sha256sum`, `test`. */
  hides?: boolean
  /** What it prints was decoded (`base64 -d`, `gpg -d`): given by these options, or always. */
  decodes?: string | true
}

/** Keys may hold several names, with a space between them. */
export type Programs = Readonly<Record<string, Program>>

/** A command as its row reads it. */
export interface Call {
  /** Base name of the program. */
  name: string
  /** Names of the sub-commands, outermost first. */
  commands: readonly string[]
  /** All words after the program. */
  args: readonly Word[]
  operands: readonly Word[]
  options: readonly GivenOption[]
  /** The row in force, with what `with` changed. */
  row: Program
  /** What the command reads on its standard input; null when nothing is given there. */
  input: Flow | null
  /** Variables that the line sets for this command. */
  env: ReadonlyMap<string, Word>
  /** Is one of these options given? */
  given(names: string): boolean
  /** The values of these options. */
  values(names: string): Word[]
}

export interface GivenOption {
  /** As the row lists it, or as it was written. */
  name: string
  value?: Word
}

/** An effect that becomes an act for each path that it is about. */
export interface ActEffect {
  does: Does
  path?: Word | string
  host?: Word | string
  place?: Place
  why?: string
  certain?: boolean
  recursive?: boolean
  /** What is left out of a folder that is read as a whole; patterns. */
  without?: readonly string[]
  /** Only what fits a pattern is shown of what is read. */
  search?: boolean
  /** Whoever uses it can use it afterwards as well, also when it is everything below a folder. */
  gentle?: boolean
}

/** What a call does, before paths are resolved and nested commands are followed. */
export type Effect =
  | ActEffect
  /** Everything below the path is taken along: an act only where our keys or secrets of the home folder lie there. */
  | { takes: Word; without?: readonly string[]; walked?: boolean }
  /** Whoever does this to a path has what is below it in hand: `change_guards` where the guards of the person are there. */
  | { guards: Word; why: string; certain?: boolean }
  /** A program and its arguments, started without a shell. */
  | { argv: readonly Word[]; elsewhere?: string; input?: Flow | null; env?: readonly Word[]; cwd?: Word }
  /** A command as it stands there, with marks for what it is given: patterns look at it, no act comes of it. */
  | { written: readonly Word[] }
  /** Text for a shell, with `$0`, `$1`…. */
  | { script: Word; args?: readonly Word[]; elsewhere?: string; cwd?: Word }
  | { code: Language; text: Word }
  /** A file that is executed or whose text is code. */
  | {
      file: Word
      language?: Language
      args?: readonly Word[]
      /** It is there in most folders: followed where the line itself wrote it. */
      ifWritten?: boolean
    }
  /** The folder for what follows. */
  | { cwd: Word }
  /** A file that is made executable: run, if the line fetched it. */
  | { made: Word }
  /** A patch, or what is read when there is none: the files that it names are changed. */
  | { patches: Word | null; into: Word; strips: readonly number[] }
  /** An archive, or what is read when there is none, whose files come into a folder. */
  | { unpacks: Word | null; into: Word }
  /** Content that goes from one path to another, without an act; `host`: the first path is there. */
  | { from: Word; to: Word; host?: string; link?: boolean }

export type { Act }

/** What is asked of a table of programs. */
export interface ProgramTable {
  get(name: string): Program | undefined
  has(name: string): boolean
}
