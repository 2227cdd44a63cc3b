/** The words of a tool's name: `deleteDBInstance`, `drop-collection`, `fs.write_file`. */

export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

/** It only looks, unless it goes on: `find_and_delete`. */
export function onlyLooks(words: readonly string[]): boolean {
  return !words.includes('and') && LOOKS.has(words.find((word) => !NO_VERB.has(word)) ?? '')
}

const LOOKS: ReadonlySet<string> = new Set(
  'get list search describe find show read view count check fetch lookup inspect browse preview explain validate analyze is has can'.split(
    ' ',
  ),
)
const NO_VERB: ReadonlySet<string> = new Set('mcp tool api client server the'.split(' '))

/** `namespaces` → `namespace`, `policies` → `policy`, `indices` → `index`. */
export function singular(word: string): string {
  if (word === 'indices') return 'index'
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|us|is|dns|sns|sqs|ses|aws|rds|eks|ecs|gcs|k8s|kms)$/.test(word)) return word
  return word.replace(/(?<=[xs]|sh|ch)es$|s$/, '')
}
