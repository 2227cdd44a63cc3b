/**
 * The commands of lines that by their form alone start nothing but what stands in them: for these a new process need not
 * load the shell parser and the table of programs. The slow twin is `commands.ts`.
 */

/** Programs that start no other, whatever plain words they are given, and print nothing that the next one would run. */
const PROGRAMS: ReadonlySet<string> = new Set(
  'basename cat cd chmod chown cmp cp cut date df diff dirname du echo egrep false fgrep file grep head id ls md5sum mkdir mv pwd readlink realpath rm rmdir sha256sum sleep stat tail tee touch tr tree true uname uniq wc whoami'.split(
    ' ',
  ),
)
/** Sub-commands of git, which with these options start nothing either. */
const GIT =
  /^(?:add|blame|branch|checkout|commit|diff|fetch|log|ls-files|merge|pull|push|remote|reset|restore|rev-parse|show|stash|status|switch|tag)$/
const GIT_OPTION =
  /^-(?:[AabDdfmnpqruv]|am|\d+|-(?:abbrev-ref|all|amend|cached|force|hard|name-only|no-edit|no-verify|oneline|porcelain|quiet|rebase|short|soft|staged|stat|tags|verbose)?)$/

/** With words that are no options: scripts of a project, files of code. */
const RUNNERS =
  /^(?:(?:npm|pnpm|yarn) (?:build|ci|install|lint|run|start|test)|(?:node|python|python3) [\w./]+)$/

/** A word without anything that a shell expands, one in quotes, what parts two commands, or output that goes nowhere. */
const TOKEN =
  /(?:([\w./:=@%+,-]+)|"([\w ./:=@%+,-]*)"|'([\w ./:=@%+,-]*)')(?=[ ;|]|&&|$)|(&&|\|\|?|;)|(2>&1|2?> ?\/dev\/null)(?=[ ;|]|$)|( +)/y
const MAX_CHARS = 1_000

/** The texts of the commands; undefined for every other line. */
export function plainCommands(line: string): string[] | undefined {
  if (line.length > MAX_CHARS) return undefined
  const found = new Set<string>()
  let words: string[] = []
  let targets: string[] = []
  const take = () => {
    if (!isPlain(words)) return false
    found.add(words.join(' '))
    if (targets.length > 0) found.add([...words, ...targets].join(' '))
    words = []
    targets = []
    return true
  }
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < line.length; ) {
    const token = TOKEN.exec(line)
    if (!token) return undefined
    const [, bare, double, single, parts, target] = token
    const word = bare ?? double ?? single
    if (word !== undefined) words.push(word)
    else if (target !== undefined) targets.push(...(target === '2>&1' ? ['>&', '1'] : ['>', '/dev/null']))
    else if (parts !== undefined && !take()) return undefined
  }
  return take() ? [...found] : undefined
}

function isPlain([program = '', ...args]: readonly string[]): boolean {
  if (PROGRAMS.has(program)) return true
  if (program === 'git' && GIT.test(args[0] ?? ''))
    return args.every((arg) => !arg.startsWith('-') || GIT_OPTION.test(arg))
  return RUNNERS.test(`${program} ${args[0]}`) && !args.some((arg) => arg.startsWith('-'))
}
