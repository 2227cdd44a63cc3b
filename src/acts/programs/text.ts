/** Programs that read text and print it, or something made of it. */

import type { Call, Effect, Program, Programs } from '../program.ts'
import { isNarrowPattern, seeksKeys } from '../search-pattern.ts'
import { isSecretName } from './secrets.ts'

/** `grep PATTERN FILE…`, unless the pattern was given by an option. */
function grep(options: Program['options'], recursive: string, excludes: string): Program {
  const byOption = '-e --regexp -f --file --files --type-list'
  return {
    options: {
      ...options,
      value: `-e --regexp -m --max-count -A -B -C -D --after-context --before-context --context --label --color --colour --binary-files ${options?.value ?? ''}`,
      read: '-f --file --exclude-from --ignore-file',
    },
    recursive,
    excludes,
    operands: ['value', 'read*'],
    with: { [byOption]: { operands: 'read' } },
    searches: isNarrow,
    lists: (call) => filesWithMatches(call, recursive),
  }
}

/**
 * `grep -rl x ~ | xargs rm`: which files these are only the disk tells. With a pattern that every line fits they are all
 * of them; with another they may be any of a whole machine or home folder, and of a folder of the project some.
 */
function filesWithMatches(call: Call, recursive: string): string | undefined {
  if (!call.given('-l -L --files-with-matches --files-without-match --files')) return undefined
  if (recursive !== '' && !call.given(recursive)) return undefined
  const isByOption = call.given('-e --regexp -f --file --files')
  const folders = isByOption ? call.operands : call.operands.slice(1)
  const starts = folders.length > 0 ? folders : [{ text: '.' }]
  if (starts.some(({ unknown }) => unknown)) return undefined
  const isSome = isNarrow(call) && !call.given('--files -L --files-without-match')
  const meant = isSome
    ? starts.filter(({ text }) => /^(?:\/|~\/?|\/(?:home|Users)(?:\/[^/]+)?\/?)$/.test(text))
    : starts
  return meant.length === 0 || call.given('-g --glob --iglob --include -t --type -G')
    ? undefined
    : meant.map(({ text }) => text).join('\n')
}

/** A pattern that every line fits, or the option for lines that do not fit, shows whole files. */
function isNarrow(call: Call): boolean {
  if (call.given('-v --invert-match --passthru --passthrough') || call.given('-f --file')) return false
  const given = call.values('-e --regexp')
  const patterns = given.length > 0 ? given : call.operands.slice(0, 1)
  return (
    patterns.length === 0 ||
    patterns.every(({ text, unknown }) => unknown !== true && isNarrowPattern(text) && !seeksKeys(text))
  )
}

/** Without its hidden files, unless they are asked for. */
function notHidden(call: Call): readonly string[] {
  return call.given('-. --hidden -uu -uuu --unrestricted -a -U --all-types') ? [] : ['.*']
}

export const TEXT = (): Programs => ({
  'cat gcat rev ccat tsort': { operands: 'read' },
  tac: { options: { value: '-s --separator' }, operands: 'read' },
  nl: {
    options: {
      value:
        '-b --body-numbering -d --section-delimiter -f --footer-numbering -h --header-numbering -i --line-increment -l --join-blank-lines -n --number-format -s --number-separator -v --starting-line-number -w --number-width',
    },
    operands: 'read',
  },
  'expand unexpand': { options: { value: '-t --tabs' }, operands: 'read' },
  fold: { options: { value: '-w --width' }, operands: 'read' },
  fmt: { options: { value: '-w --width -p --prefix -g --goal' }, operands: 'read' },
  column: {
    options: {
      value:
        '-s --separator -o --output-separator -c --output-width -l --table-columns-limit -N --table-columns -R --table-right -T --table-truncate -O --table-order -H --table-hide -W --table-wrap -E --table-noextreme -n --table-name -r --tree -i --tree-id -p --tree-parent',
    },
    operands: 'read',
  },
  'bat batcat': {
    options: {
      value:
        '-l --language -H --highlight-line --file-name -m --map-syntax --style --theme -r --line-range --tabs --wrap --terminal-width --color --decorations --italic-text --paging --diff-context --ignored-suffix',
      program: '--pager',
    },
    operands: 'read',
  },
  'head tail ghead gtail': {
    options: { value: '-n --lines -c --bytes -s --sleep-interval --pid' },
    operands: 'read',
  },
  'less more most pg view': {
    options: { value: '-p --pattern -P --prompt -t --tag -T -j --jump-target -b --buffers -h -y -z -x -D' },
    operands: 'read',
    // `less +!command file`
    acts: ({ operands }) =>
      operands.flatMap((word): Effect[] => {
        const [, text] = /^\+{1,2}!([\s\S]+)$/.exec(word.text) ?? []
        return text === undefined ? [] : [{ script: { ...word, text } }]
      }),
  },
  od: {
    options: {
      value: '-A --address-radix -j --skip-bytes -N --read-bytes -S --strings -t --format --endian',
      attached: '-w --width',
    },
    operands: 'read',
  },
  'hexdump hd': { options: { value: '-e -n -s -L', read: '-f' }, operands: 'read' },
  'xxd hexyl': {
    options: {
      value: '-c --cols -g --groupsize -l --len -n --name -o -s --seek -R --length --skip --block-size',
      flag: '-r -rp -p -ps -revert -i -b -C -u -E -e -a -d',
    },
    operands: ['read', 'write'],
    decodes: '-r -rp -revert',
  },
  'strings gstrings': {
    options: { value: '-n --bytes -t --radix -e --encoding -T --target -s --output-separator -U' },
    operands: 'read',
  },
  'sort gsort': {
    options: {
      write: '-o --output',
      read: '--files0-from',
      value:
        '-k --key -t --field-separator -S --buffer-size -T --temporary-directory --parallel --random-source',
      program: '--compress-program',
    },
    operands: 'read',
  },
  uniq: { options: { value: '-f -s -w' }, operands: ['read', 'write'] },
  cut: {
    options: { value: '-b --bytes -c --characters -d --delimiter -f --fields --output-delimiter' },
    operands: 'read',
  },
  tr: { operands: 'value' },
  paste: { options: { value: '-d --delimiters' }, operands: 'read' },
  join: { options: { value: '-1 -2 -a -v -e -j -o -t' }, operands: 'read' },
  'comm ptx': { operands: 'read' },
  look: { options: { value: '-t --terminate' }, operands: ['value', 'read'] },
  shuf: {
    options: {
      value: '-i --input-range -n --head-count',
      read: '--random-source',
      write: '-o --output',
      flag: '-e --echo',
    },
    operands: 'read',
    with: { '-e --echo': { operands: 'value' } },
  },
  pr: {
    options: {
      value:
        '-D --date-format -h --header -l --length -N --first-line-number -o --indent -w --width -W --page-width',
    },
    operands: 'read',
  },
  'diff sdiff colordiff delta vimdiff': {
    options: {
      value: '-U -C -I -x --exclude -W --label --unified',
      read: '-X --exclude-from --from-file --to-file',
      write: '-o --output',
    },
    recursive: '-r --recursive',
    operands: 'read',
  },
  'diff3 cmp': { options: { value: '-n -i' }, operands: 'read' },
  'wc md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum shasum md5 cksum sum crc32': {
    options: { value: '-a --algorithm', read: '--files0-from' },
    operands: 'value',
    hides: true,
  },
  'grep egrep fgrep zgrep ggrep pcregrep pcre2grep': grep(
    { value: '--include --exclude --exclude-dir -d' },
    '-r -R --recursive --dereference-recursive',
    '--exclude-dir --exclude',
  ),
  'rg ripgrep ugrep ug': {
    ...grep(
      {
        value:
          '-g --glob --iglob -t --type -T --type-not --type-add -r --replace -j --threads -d --max-depth --sort --sortr -E --encoding -M --max-columns --max-filesize --engine',
        program: '--pre',
        flag: '-. --hidden -u -uu -uuu --unrestricted',
      },
      '',
      '-g --glob --iglob',
    ),
    recursive: true,
    skips: notHidden,
  },
  ag: {
    ...grep({ value: '-G --ignore --ignore-dir', flag: '--hidden -a -U -u' }, '', '--ignore --ignore-dir'),
    recursive: true,
    skips: notHidden,
  },
  ack: { ...grep({ value: '-G --ignore --ignore-dir' }, '', '--ignore-dir'), recursive: true },
  'jq gojq jaq': {
    options: {
      value: '--indent -L',
      read: '--slurpfile --rawfile',
      flag: '-r -c -s -n -e -S -j -a --raw-output --compact-output --slurp --null-input --exit-status --arg --argjson --args --jsonargs',
    },
    operands: ['value', 'read*'],
    with: { '-f --from-file': { options: { read: '-f --from-file' }, operands: 'read' } },
    acts: (call) => [...namedFiles(call), ...shownEnvironment(call)],
  },
  dasel: {
    options: { read: '-f --file', write: '-o --out', value: '-r --read -w --write -p --parser' },
    operands: 'value',
  },
  'yq xq tomlq': {
    options: { value: '-p -o --indent -I --input-format --output-format', flag: '-i --inplace -r -P' },
    operands: ['value', 'read*'],
    with: { '-i --inplace': { operands: ['value', 'edit*'] } },
    // load("x.yaml") in the expression
    acts: ({ args }) =>
      args.flatMap(({ text }) =>
        [...text.matchAll(/\b(?:load|load_str|strload|load_props)\(\s*"([^"]+)"/g)].map(
          ([, path]): Effect => ({ does: 'read', path: path! }),
        ),
      ),
  },
  'xmllint htmlq pup': { options: { value: '--xpath --encode', write: '--output -o' }, operands: 'read' },
  'sed gsed': {
    options: {
      code: '-e --expression',
      input: '-f --file',
      attached: '-i -I --in-place',
      value: '-l --line-length',
      flag: '-n -r -E -s -u -z --quiet --silent --regexp-extended --posix --debug',
    },
    language: 'sed',
    operands: ['code', 'read*'],
    with: {
      '-i -I --in-place': { operands: ['code', 'edit*'] },
      '-e --expression -f --file': { operands: 'read' },
    },
    acts: sedInPlace,
  },
  'awk gawk mawk nawk': {
    options: {
      input: '-f --file',
      code: '-e --source',
      value: '-F --field-separator -v --assign -W -M -i --include',
      read: '-E --exec',
    },
    language: 'awk',
    operands: ['code', 'read*'],
    with: { '-f --file -e --source': { operands: 'read' } },
    acts: awkFiles,
  },
  'iconv dos2unix unix2dos recode': {
    options: { value: '-f -t --from-code --to-code', write: '-o --output' },
    operands: 'read',
  },
  'base64 gbase64 base32 basenc': {
    options: { value: '-w --wrap', read: '--input', write: '-o --output', flag: '-i --ignore-garbage' },
    operands: 'read',
    decodes: '-d -D --decode',
  },
  uudecode: { operands: 'read', decodes: true },
  'envsubst pandoc aspell': { options: { write: '-o --output', value: '-f -t' }, operands: 'read' },
  'echo printf': { operands: 'value', acts: printsSecrets },
  'man info tldr help apropos whatis': { options: { script: '-P --pager' }, operands: 'value', hides: true },
  'md5deep cloc tokei scc': { operands: 'value', hides: true },
})

/** `echo $API_TOKEN` shows it. */
function printsSecrets({ operands }: Call): readonly Effect[] {
  const isSecret = operands.some(
    ({ text, unknown }) =>
      unknown && [...text.matchAll(/\$\{?(\w+)/g)].some(([, name]) => isSecretName(name!)),
  )
  return isSecret ? [{ does: 'read', place: 'environment', why: 'prints a secret of the environment' }] : []
}

/** `--slurpfile name file` has two words. */
function namedFiles({ args }: Call): readonly Effect[] {
  return args.flatMap(({ text }, at): Effect[] =>
    /^--(?:slurpfile|rawfile)$/.test(text) && args[at + 2] ? [{ does: 'read', path: args[at + 2]! }] : [],
  )
}

/** With -e and -i together the files are still edited. */
function sedInPlace(call: Call): readonly Effect[] {
  if (!call.given('-i -I --in-place') || !call.given('-e --expression -f --file')) return []
  return call.operands.map((path) => ({ does: 'write', path }))
}

/** `-i inplace` writes its files; `-v x=y` between the files is no file. */
function awkFiles({ args, operands, given }: Call): readonly Effect[] {
  const inPlace = args.some(
    ({ text }, at) => (text === '-i' && args[at + 1]?.text === 'inplace') || text === '--include=inplace',
  )
  const hasCode = given('-f --file -e --source')
  return inPlace ? operands.slice(hasCode ? 0 : 1).map((path) => ({ does: 'write', path })) : []
}

/** jq's `env` and `$ENV`, as a whole or for a name that says secret. */
function shownEnvironment({ operands }: Call): readonly Effect[] {
  const [program] = operands
  const found = [...(program?.text ?? '').matchAll(/(?:^|[^.\w$"])(?:env|\$ENV)\b(?:\s*\.\s*"?(\w+))?/g)]
  return found.some(([, name]) => name === undefined || isSecretName(name))
    ? [{ does: 'read', place: 'environment', why: 'prints the environment' }]
    : []
}
