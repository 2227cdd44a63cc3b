/** Colours of YAML, line by line: a whole parser would be a quarter of the editor. */

import { type Range, RangeSetBuilder } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'

export type Kind = 'hook' | 'yaml' | 'plain'

export function colours(kind: Kind) {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = decorate(view, kind)
      }
      update(update: ViewUpdate) {
        if (update.docChanged || update.viewportChanged) this.decorations = decorate(update.view, kind)
      }
    },
    { decorations: (plugin) => plugin.decorations },
  )
}

const KEY = Decoration.mark({ class: 'syntax-key' })
const TEXT = Decoration.mark({ class: 'syntax-text' })
const VALUE = Decoration.mark({ class: 'syntax-value' })
const COMMENT = Decoration.mark({ class: 'syntax-comment' })

/** A key, a text in quotes, a comment, a value of its own kind. */
const TOKENS =
  /((?:^|[{,]|- )\s*)([\w.-]+)(?=\s*:(?:\s|$))|("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|((?:^|\s)#.*$)|(?<=[:,[]\s*|- )\b(true|false|null|-?\d+(?:\.\d+)?)\b/g

function decorate(view: EditorView, kind: Kind): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const { doc } = view.state
  const last = kind === 'plain' ? 0 : kind === 'yaml' ? doc.lines : endOfFrontmatter(view)
  for (const { from, to } of view.visibleRanges)
    for (let at = from; at <= to; ) {
      const line = doc.lineAt(at)
      if (line.number > last) break
      for (const range of marks(line.text, line.from)) builder.add(range.from, range.to, range.value)
      at = line.to + 1
    }
  return builder.finish()
}

function* marks(text: string, from: number): Generator<Range<Decoration>> {
  for (const found of text.matchAll(TOKENS)) {
    const [whole, before = '', key, quoted, comment] = found
    const start = from + found.index + (key === undefined ? 0 : before.length)
    const mark =
      key === undefined ? (quoted === undefined ? (comment === undefined ? VALUE : COMMENT) : TEXT) : KEY
    yield mark.range(start, start + (key === undefined ? whole.length : key.length))
  }
}

function endOfFrontmatter({ state: { doc } }: EditorView): number {
  if (doc.line(1).text.replace('\ufeff', '').trimEnd() !== '---') return 0
  for (let i = 2; i <= doc.lines; i++) if (doc.line(i).text.trimEnd() === '---') return i
  return doc.lines
}
