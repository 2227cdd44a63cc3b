/**
 * The commands of lines that by their form alone start nothing but what stands in them: for these a new process need not
 * load the shell parser and the table of programs. The slow twin is `commands.ts`.
 */

/** Programs that start no other, whatever plain words they are given, and print nothing that the next one would run. */
const PROGRAMS: ReadonlySet<string> = new Set(
  'cat cd cp echo grep head ls mkdir mv pwd rm tail tee touch true wc'.split(' '),
)
/** Sub-commands of git, which with these options start nothing either. */
const GIT = /^(?:add|branch|checkout|commit|diff|fetch|log|pull|push|show|stash|status)$/
const GIT_OPTION = /^-(?:[AabDdfmnpqruv]|am|-(?:all|amend|cached|force|hard|oneline|stat)?)$/

/** With words that are no options: scripts of a project. */
const RUNNERS = /^(?:npm|pnpm|yarn) (?:ci|run|test)$/

/** A word without anything that a shell expands, one in quotes, what parts two commands, or output that goes nowhere. */
const TOKEN =
  /(?:([\w./:=@%+,-]+)|"([\w ./:=@%+,-]*)")(?=[ ;|]|&&|$)|(&&|\|\|?|;)|(2>&1|2?> ?\/dev\/null)(?=[ ;|]|$)|( +)/y

/** The texts of the commands; undefined for every other line. */
export function plainCommands(line: string): string[] | undefined {
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
    const [, bare, quoted, parts, target] = token
    const word = bare ?? quoted
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
