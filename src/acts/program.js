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
 *   `acts` is called too, and `inert`, `single`, `language`, `elsewhere` and `fetches` hold where the sub-command does
 *   not say otherwise. `otherwise` stands for those that are not listed (its first operand is the sub-command).
 * - `with` replaces fields of the row when one of its options is given (`does` is added). In `with`, the key `''`
 *   holds when no operand is given, and `=word` when an operand is that word.
 * - `does` is what the command does whatever its words are.
 * - `inert` lists options with which it changes nothing (`--dry-run`). `--help` and `--version` always are.
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
];
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
    'other',
];
