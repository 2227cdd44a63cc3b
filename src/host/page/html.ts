/** The HTML document of a page. It contains only the names of its script and style sheet. */

import { VERSION } from '../../version.ts'
import type { PageFiles } from './built-page.ts'

/** `facts` are what the page must know before it asks for anything; names and words that need no escape. */
export function document(
  { script, style }: PageFiles,
  nonce: string,
  facts: Readonly<Record<string, string>> = {},
): string {
  const more = Object.entries(facts).map(([name, word]) => `<meta name="${name}" content="${word}">\n`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="crosshook-version" content="${VERSION}">
${more.join('')}<title>crosshook</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/${style}" nonce="${nonce}">
<script type="module" src="/assets/${script}" nonce="${nonce}"></script>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. Everything on it is also on the command line: crosshook help.</noscript>
</body>
</html>
`
}

/** Shown for a link that no longer works; `advice` says how to get another one, in HTML. */
export function refusedLink({ style }: PageFiles, nonce: string, advice: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>crosshook: this link does not work</title>
<link rel="stylesheet" href="/assets/${style}" nonce="${nonce}">
</head>
<body>
<main class="signed-out">
<h1>This link does not work</h1>
${advice.map((paragraph) => `<p>${paragraph}</p>\n`).join('')}</main>
</body>
</html>
`
}
