// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ANY_CHARACTER } from '../../test/any-text.ts'
import { workTime } from '../../test/work-time.ts'
import { loadCommands } from './acts.ts'

const shell = loadCommands()
const texts = (line: string) => shell.line(line).map(({ text }) => text)
const BASE64 = Buffer.from('rm -rf /').toString('base64')
const HEX = Buffer.from('rm -rf /').toString('hex')

const HIDDEN = [
  'rm -rf /',
  '   rm    -rf\t/  ',
  '/bin/rm -rf /',
  '../../bin/rm -rf /',
  '\\rm -rf /',
  "'rm' -rf /",
  "'r'm -rf /",
  'r""m -rf /',
  'r\\m -rf "/"',
  "$'\\x72m' -rf /",
  "$'\\162\\155' -rf /",
  '{rm,-rf,/}',
  '{r,}m -rf / ; rm -rf /',
  'rm$IFS-rf$IFS/',
  'rm${IFS}-rf${IFS}/',
  'rm -rf / &',
  'ls; rm -rf /',
  'ls && rm -rf /',
  'false || rm -rf /',
  'ls | rm -rf /',
  'ls\nrm -rf /',
  'rm \\\n -rf /',
  '(rm -rf /)',
  '{ rm -rf /; }',
  '! rm -rf /',
  'time rm -rf /',
  'time -p rm -rf /',
  'echo $(rm -rf /)',
  'echo "$(rm -rf /)"',
  'echo "a `rm -rf /` b"',
  'echo $(echo $(echo `rm -rf /`))',
  'cat <(rm -rf /)',
  'tee >(rm -rf /)',
  'x=$(rm -rf /)',
  'x=$(rm -rf /) ls',
  'x=(a $(rm -rf /))',
  'echo ${x:-$(rm -rf /)}',
  'echo $(( $(rm -rf /) + 1 ))',
  '[[ -n $(rm -rf /) ]]',
  'FOO=bar rm -rf /',
  '>out 2>&1 rm -rf /',
  'if true; then rm -rf /; fi',
  'if rm -rf /; then :; fi',
  'for f in a b; do rm -rf /; done',
  'while rm -rf /; do :; done',
  'case x in x) rm -rf /;; esac',
  'f() { rm -rf /; }; f',
  'f() { "$@"; }; f rm -rf /',
  'f() { $1 -rf /; }; f rm',
  'coproc rm -rf /',
  'sudo rm -rf /',
  'sudo -u root -E rm -rf /',
  'sudo --user=root -- rm -rf /',
  'sudo FOO=1 rm -rf /',
  'sudo -n env A=1 -i nice -n 5 rm -rf /',
  'doas -u root rm -rf /',
  'env rm -rf /',
  'env -i -u HOME A=b /bin/rm -rf /',
  "env -S 'rm -rf /'",
  'nohup rm -rf / &',
  'nice -n 19 rm -rf /',
  'timeout 10 rm -rf /',
  'timeout -s KILL -k 5 10s rm -rf /',
  'command rm -rf /',
  'exec -a x rm -rf /',
  'builtin command rm -rf /',
  'stdbuf -oL -e 0 rm -rf /',
  'setsid -f rm -rf /',
  'busybox rm -rf /',
  'chroot /mnt rm -rf /',
  "bash -c 'rm -rf /'",
  'bash -lc "rm -rf /"',
  'bash -euo pipefail -c "rm -rf /"',
  "sh -c 'rm -rf $1' _ /",
  'sh -c \'"$@"\' _ rm -rf /',
  'zsh -c "bash -c \'rm -rf /\'"',
  "sudo bash -c 'cd / && rm -rf /'",
  'eval rm -rf /',
  "eval 'rm' '-rf /'",
  'eval "$(echo rm -rf /)"',
  'bash <<EOF\nrm -rf /\nEOF',
  "sh -s <<'EOF'\nls\nrm -rf /\nEOF",
  'bash <<<"rm -rf /"',
  'cat <<EOF\n$(rm -rf /)\nEOF',
  'cat <<EOF | bash\nrm -rf /\nEOF',
  'source /dev/stdin <<<"rm -rf /"',
  'find / -name x -exec rm -rf / \\;',
  'find . -execdir sudo rm -rf / +',
  'echo / | xargs rm -rf',
  'echo / | xargs -I {} rm -rf {}',
  'xargs -n1 -P 4 rm -rf /',
  'ssh host rm -rf /',
  "ssh -p 22 user@host 'cd /; rm -rf /'",
  'watch -n 1 rm -rf /',
  'parallel rm -rf ::: /',
  'echo rm -rf / | sh',
  'printf "rm -rf /" | sudo bash',
  "printf '%s -rf /' rm | sh",
  `echo ${BASE64} | base64 -d | sh`,
  `echo ${HEX} | xxd -r -p | bash`,
  'echo "/ fr- mr" | rev | sh',
  `bash -c "$(echo ${BASE64} | base64 --decode)"`,
  '$(echo rm) -rf /',
  'a=rm; $a -rf /',
  'a=rm; b=-rf; $a $b /',
  'a="rm -rf /"; $a',
  'export a=rm; ${a} -rf /',
  'for c in rm; do $c -rf /; done',
  '${nothing:-rm} -rf /',
  'r$@m -rf /',
  'r${nothing}m -rf /',
  'a=r; a+=m; "$a" -rf /',
  'a=(rm -rf /); "${a[@]}"',
  'a=RM; ${a,,} -rf /',
  'a=xrmx; ${a:1:2} -rf /',
  'a=r; b=m; $a$b -rf /',
  'read a <<< rm; $a -rf /',
  'echo rm -rf / | while read l; do $l; done',
  'echo rm -rf / | (bash)',
  'echo rm -rf / | { sudo sh; }',
  'bash <(echo rm -rf /)',
  'bash < <(echo rm -rf /)',
  'source <(echo "rm -rf /")',
  'sudo -iu root rm -rf /',
  'sudo -uroot rm -rf /',
  'sudo -ul rm -rf /',
  'su -lc "rm -rf /"',
  'echo "rm -rf /" | sudo -s',
  'ssh host <<EOF\nrm -rf /\nEOF',
  '$SHELL -c "rm -rf /"',
  '"$MY_SHELL" -c "rm -rf /"',
  'env -S"rm -rf" /',
  'nice -5 rm -rf /',
  'xargs -I{} rm -rf /',
  'r\\\nm -rf /',
  '(( x = $(rm -rf /) ))',
  'echo ${x[$(rm -rf /)]}',
  'echo ${x/$(rm -rf /)/}',
  'a[$(rm -rf /)]=1',
  'case $(rm -rf /) in x) ;; esac',
  'select x in $(rm -rf /); do :; done',
  'for ((i=$(rm -rf /);;)); do :; done',
  'echo @(a|$(rm -rf /))',
  'echo {a,$(rm -rf /)}',
  'echo {a,`rm -rf /`}',
  '"${x:-`rm -rf /`}"',
  'bash -c "rm -rf ${x:-/}"',
  'bash -c \'rm -rf \'"/"',
  'echo > $(rm -rf /)',
  'cat <<< $(rm -rf /)',
  'echo $(echo $( if ); rm -rf / )',
  "trap 'rm -rf /' EXIT",
  "alias x='rm -rf /'",
  "su -c 'rm -rf /'",
  "su root -c 'rm -rf /'",
  'rm -rf / ; (',
  'rm -rf / "unclosed',
  'ls "unclosed; rm -rf /',
  'if rm -rf /',
  'echo hi; ) ; rm -rf /',
]

const HARMLESS = [
  'echo "rm -rf /"',
  "echo 'rm -rf /'",
  'echo rm -rf /',
  "echo ok ';' rm -rf /",
  'echo "a; rm -rf /"',
  "grep -r 'rm -rf /' .",
  "git commit -m 'never run rm -rf /'",
  'git commit -m "x\n\nrm -rf / is bad"',
  'git rm -rf /',
  'docker rm x',
  'npm run rm',
  'ls # rm -rf /',
  '# rm -rf /',
  "cat <<'EOF' > notes.txt\nrm -rf /\nEOF",
  'cat <<EOF > notes.txt\nrm -rf /\nEOF',
  'cat <<< "rm -rf /"',
  'printf "rm -rf /\\n" > x',
  'echo "rm -rf /" | tee x',
  'echo "rm -rf /" | grep rm',
  'command -v rm',
  'which rm',
  'man rm',
  'x="rm -rf /"',
  'x="rm -rf /" ls',
  '[[ $x == "rm -rf /" ]]',
  'python3 -c \'print("rm -rf /")\'',
  "bash -c 'echo rm -rf /'",
  'sudo echo rm -rf /',
  'sudo -u rm ls',
  'timeout 5 echo rm',
  'rmdir x',
  './rm.sh',
  'ls rm',
  'for f in rm; do echo $f; done',
  'case rm in rm) ls;; esac',
  'find . -name rm',
]

describe('a hidden command is found', () => {
  test.each(HIDDEN)('%j', (line) => {
    expect(texts(line).filter((text) => text.startsWith('rm -rf /'))).not.toEqual([])
  })
})

describe('a harmless mention is not taken for a command', () => {
  test.each(HARMLESS)('%j', (line) => {
    expect(texts(line).filter((text) => /^rm(\s|$)/.test(text))).toEqual([])
  })
})

test('a command is offered with and without what wraps it, and by its base name', () => {
  expect(texts('sudo /usr/bin/env A=1 /bin/rm x > log')).toEqual([
    'sudo /usr/bin/env A=1 /bin/rm x',
    '/usr/bin/env A=1 /bin/rm x',
    'env A=1 /bin/rm x',
    '/bin/rm x',
    'rm x',
    'sudo /usr/bin/env A=1 /bin/rm x > log',
  ])
})

describe('a line is read as it is for acts', () => {
  test.each([
    'python3 -c \'import os; os.system("rm -rf /")\'',
    "docker exec web sh -c 'rm -rf /'",
    'kubectl exec pod -- rm -rf /',
    "git -c alias.x='!rm -rf /' x",
    "echo 'rm -rf /' > s; sh s",
    'IFS=,; x=rm,-rf,/; $x',
    'declare -n y=x; x=/; rm -rf $y',
    'set -- /; rm -rf $1',
    'awk \'BEGIN { system("rm -rf /") }\'',
    'exec {fd}<<< "rm -rf /"; mapfile -tu "$fd" rows; eval "${rows[0]}"',
    'echo / | xargs -i rm -rf {}',
  ])('%j', (line) => {
    expect(texts(line)).toContainEqual(expect.stringMatching(/^rm -rf \//))
  })
})

test('a command is offered as it is spelled, and as it is run', () => {
  expect(texts('x=/etc; rm -rf $x ~ $HOME')).toEqual(
    expect.arrayContaining(['rm -rf /etc ~ $HOME', 'rm -rf $x ~ $HOME']),
  )
  expect(texts('X=/etc rm -rf $X')).toEqual(expect.arrayContaining(['rm -rf $X', 'rm -rf /etc']))
  expect(texts('ls | xargs -I{} rm {}')).toContain('rm {}')
  expect(texts('find . -exec cat {} +')).toContain('cat {}')
  expect(texts('> /proc/sysrq-trigger')).toContain('> /proc/sysrq-trigger')
  expect(texts('eval "$PAYLOAD"')).toContain('$PAYLOAD')
})

test('commands in functions that are only defined count too', () => {
  expect(texts('f() { rm -rf /; }')).toContain('rm -rf /')
})

test('a list of words goes through no shell', () => {
  expect(shell.argv(['echo', '; rm -rf /']).map(({ text }) => text)).toEqual(['echo ; rm -rf /'])
  expect(shell.argv(['bash', '-lc', 'ls && rm x']).map(({ text }) => text)).toContain('rm x')
})

test('words keep their boundaries', () => {
  expect(shell.line(`git commit -m "a b" ''`)).toEqual([
    { words: ['git', 'commit', '-m', 'a b', ''], text: 'git commit -m a b ' },
  ])
})

describe('no line is too much', () => {
  const within = (line: string, limit: number) => {
    let found: readonly { text: string }[] = []
    const took = workTime(limit, () => {
      found = shell.line(line)
    })
    expect(took).toBeLessThan(limit)
    return found
  }
  const functions = Array.from({ length: 40 }, (_, n) => `f${n}() { f${n + 1}; f${n + 1}; }`).join('; ')
  test.each([
    ['substitutions', '$('.repeat(20_000)],
    ['backticks', '`'.repeat(20_000)],
    [
      'escaped backticks',
      Array.from({ length: 14 }, (_, n) => `${'\\'.repeat(2 ** n - 1)}\``).join(' echo '),
    ],
    ['braces', `echo ${'{a,b}'.repeat(2000)}`],
    ['nested braces', '{a,'.repeat(5000) + '}'.repeat(5000)],
    ['parentheses', '('.repeat(50_000)],
    ['here-documents', 'cat <<A '.repeat(5000)],
    ['quotes', `"'`.repeat(50_000)],
    ['functions', `${functions}; f0`],
    ['recursion', 'f() { f; f; }; f'],
    ['loops', `${'for a in 1 2 3 4 5 6 7 8; do '.repeat(12)} x; ${'done;'.repeat(12)}`],
    ['wrappers', `${'sudo '.repeat(20_000)} rm -rf /`],
    ['eval', `${'eval '.repeat(2000)} rm -rf /`],
    ['parameters', '${a:-'.repeat(10_000)],
    ['arithmetic', '$(('.repeat(10_000)],
    ['growing variables', `a=xx; ${'a=$a$a; '.repeat(60)} $a`],
  ])('%s', (_, line) => {
    within(line, 2000)
  })
  test('a command after much text is still found', () => {
    for (const size of [10_000, 400_000, 800_000])
      expect(within(`echo ${'x'.repeat(size)}; rm -rf /`, 2000).map(({ text }) => text)).toContain('rm -rf /')
    expect(within(`${'ls;'.repeat(100_000)} rm -rf /`, 3000).map(({ text }) => text)).toContain('rm -rf /')
  })
})

test('any text is read without an error', () => {
  const pieces = fc.constantFrom(
    ...[
      '$(',
      ')',
      '`',
      '"',
      "'",
      '\\',
      '{',
      '}',
      ',',
      '$',
      '${',
      ';',
      '|',
      '&',
      '\n',
      ' ',
      '<<',
      'EOF',
      '<(',
      '((',
      '[[',
    ],
    ...[
      'rm',
      '-rf',
      '/',
      'bash',
      '-c',
      'eval',
      'sudo',
      'if',
      'then',
      'fi',
      'for',
      'x',
      'in',
      'do',
      'done',
      'case',
      'a=',
      '$a',
    ],
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: ANY_CHARACTER }),
        fc.array(pieces).map((all) => all.join('')),
        fc.array(pieces).map((all) => all.join(' ')),
      ),
      (line) => {
        for (const { words, text } of shell.line(line)) {
          expect(words.length).toBeGreaterThan(0)
          expect(text).toBe(words.join(' '))
        }
      },
    ),
    { numRuns: 2000 },
  )
})

test('however a word is quoted, the command is the same', () => {
  const quotes = [
    (char: string) => char,
    (char: string) => `'${char}'`,
    (char: string) => `"${char}"`,
    (char: string) => `\\${char}`,
    (char: string) => `$'\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}'`,
    (char: string) => `""${char}`,
  ]
  const quoted = (word: string) =>
    fc
      .tuple(...[...word].map((char) => fc.constantFrom(...quotes).map((quote) => quote(char))))
      .map((all) => all.join(''))
  fc.assert(
    fc.property(quoted('rm'), quoted('-rf'), quoted('/'), (...words) => {
      expect(texts(words.join(' '))).toContain('rm -rf /')
    }),
  )
})
