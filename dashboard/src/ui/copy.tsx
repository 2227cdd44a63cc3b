import { useState } from 'preact/hooks'

/** Puts a text on the clipboard, and says so. */
export function Copy({ text, children }: { text: string | (() => Promise<string>); children: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      setState('copied')
    } catch {
      setState('failed')
    }
    setTimeout(() => setState('idle'), 1500)
  }
  return (
    <button type="button" onClick={copy}>
      {state === 'copied' ? 'Copied' : state === 'failed' ? 'Could not copy' : children}
    </button>
  )
}
