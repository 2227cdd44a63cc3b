import { useEffect } from 'preact/hooks'

/** Applies a library's style sheet, imported as text, while the component is there. The policy of the page allows it. */
export function useSheet(text: string): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    }
  }, [text])
}

/** For libraries that make `<style>` elements of their own. */
export function pageNonce(): string {
  return document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? ''
}
