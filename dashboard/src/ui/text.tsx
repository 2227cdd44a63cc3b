/** Text from events, hooks and files: shown, never obeyed. */

import { useState } from 'preact/hooks'

/** Controls and escape codes, marks that change the direction of text, and characters without width. */
const HIDDEN =
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}])/gu

/** The rest is shown when somebody asks for it. */
const MAX_SHOWN_CHARS = 2000

export interface TextProps {
  of: string | null | undefined
  /** In one line, with the end cut off. */
  brief?: number
}

export function Text({ of: given, brief }: TextProps) {
  const [isWhole, setWhole] = useState(false)
  const text = given ?? ''
  if (brief !== undefined) return <span dir="ltr">{pieces(cut(text.replaceAll(/\s+/g, ' '), brief))}</span>
  const isLong = text.length > MAX_SHOWN_CHARS
  return (
    <bdi dir="ltr">
      {pieces(isLong && !isWhole ? text.slice(0, MAX_SHOWN_CHARS) : text)}
      {isLong && !isWhole && (
        <>
          {'… '}
          <button type="button" class="quiet" onClick={() => setWhole(true)}>
            show all {text.length.toLocaleString('en')} characters
          </button>
        </>
      )}
    </bdi>
  )
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** Every second piece is a hidden character, shown by its code point. */
function pieces(text: string) {
  const parts = text.split(HIDDEN)
  if (parts.length === 1) return text
  return parts.map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      <span key={i} class="hidden-character">{`\\u{${part.codePointAt(0)!.toString(16)}}`}</span>
    ),
  )
}

/** Text of a program, a file or a payload, as it is. */
export function Code({ of: text }: { of: string }) {
  return (
    <pre class="code">
      <Text of={text} />
    </pre>
  )
}
