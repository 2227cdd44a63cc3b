/** The text of a hook, with completion from the schema and the validator's problems in place. Loaded when it is shown. */

import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'preact/hooks'
import { pageNonce } from '../ui/sheet.ts'
import { colours, type Kind } from './colours.ts'
import { popup } from './popup.ts'
import { problemLines, showProblems } from './problem-lines.ts'
import type { DraftProblem } from './state.ts'
import { PLAIN_KEYS, undo } from './undo.ts'

interface EditorProps {
  /** The text as it is now. */
  read: () => string
  /** Incremented when the text was changed outside this editor. */
  version: number
  label: string
  problems?: readonly DraftProblem[]
  schema?: unknown
  /** A whole HOOK.md, YAML alone, or anything else. */
  kind: Kind
  onText: (text: string) => void
}

export function Editor({ read, version, label, problems = [], schema, kind, onText }: EditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const told = useRef(onText)
  told.current = onText
  const isReplacing = useRef(false)
  useEffect(() => {
    const text = read()
    const completion = schema ? popup(schema) : undefined
    const steps = undo()
    const made = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          // Line ends stay as the file has them.
          EditorState.lineSeparator.of(text.includes('\r\n') ? '\r\n' : '\n'),
          EditorView.cspNonce.of(pageNonce()),
          lineNumbers(),
          EditorView.lineWrapping,
          colours(kind),
          problemLines,
          ...(completion ? [completion.field] : []),
          steps.listener,
          // Tab leaves the editor when no list is open, so that keyboard users are not trapped.
          keymap.of([...(completion?.keys ?? []), ...steps.keys, ...PLAIN_KEYS]),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !isReplacing.current) told.current(update.state.sliceDoc())
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [kind, schema])
  useEffect(() => {
    if (!view.current) return
    // Only changes from elsewhere are applied here, so typing is not undone.
    isReplacing.current = true
    replace(view.current, read())
    isReplacing.current = false
  }, [version])
  useEffect(() => {
    const { current } = view
    if (current) showProblems(current, problems)
  }, [problems])
  return <div ref={place} class="editor" />
}

/** Only what differs, so that the cursor stays where it is. Each line end counts as one character of the document. */
function replace(view: EditorView, text: string): void {
  const { state } = view
  if (state.sliceDoc() === text) return
  const before = state.doc.toString()
  const after = state.toText(text).toString()
  let from = 0
  while (from < before.length && from < after.length && before[from] === after[from]) from++
  let end = 0
  while (
    end < before.length - from &&
    end < after.length - from &&
    before.at(-1 - end) === after.at(-1 - end)
  )
    end++
  const insert = state.toText(text).slice(from, after.length - end)
  view.dispatch({ changes: { from, to: before.length - end, insert } })
}
