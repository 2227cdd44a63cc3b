/** A static site made of an index: plain pages without scripts; all text of packs is escaped. */

import { parseSigner } from '../sign/signer.ts'
import { latestOf, type PackRecord, versionsOf } from './description.ts'
import type { Index } from './index-file.ts'

/** Path → page. */
export function siteOf(index: Index): Map<string, string> {
  const packs = Object.values(index.packs)
  const pages = new Map([['index.html', page(index.name, overview(index, packs))]])
  for (const record of packs)
    pages.set(`packs/${record.name}.html`, page(record.name, onePack(record), '../../'))
  return pages
}

function overview(index: Index, packs: readonly PackRecord[]): string {
  const rows = packs.map((record) => {
    const version = latestOf(record)
    const row = version === undefined ? undefined : record.versions[version]
    return `<tr><td><a href="packs/${text(record.name)}.html">${text(record.name)}</a><td>${text(version ?? 'yanked')}<td>${row?.signers.length ? 'signed' : '<b>unsigned</b>'}<td>${text(record.description)}`
  })
  return `<p>${text(index.description ?? '')}</p>
<p>Number ${index.serial}, issued ${text(index.issued.slice(0, 10))}. <code>crosshook index add THIS-ADDRESS</code></p>
<table><thead><tr><th>pack<th>version<th>signature<th>what it is for</thead><tbody>
${rows.join('\n')}
</tbody></table>`
}

function onePack(record: PackRecord): string {
  const versions = versionsOf(record).map((version) => {
    const { published, yanked, signers, hooks, rights, acts, agents, cases } = record.versions[version]!
    const list = (items: readonly string[]) => (items.length > 0 ? items.map(text).join(', ') : '—')
    return `<h2>${text(version)}${yanked === undefined ? '' : ` <b>yanked: ${text(yanked)}</b>`}</h2>
<dl><dt>published<dd>${text(published.slice(0, 10))}
<dt>signed by<dd>${signers.length > 0 ? list(signers.map(idOf)) : '<b>nobody: unsigned</b>'}
<dt>hooks<dd>${list(hooks)}
<dt>judges<dd>${list(acts)}
<dt>agents<dd>${list(agents)}
<dt>cases<dd>${cases}
<dt>may<dd><ul>${Object.entries(rights)
      .map(([hook, sentences]) => `<li>${text(hook)}: ${list(sentences)}`)
      .join('')}</ul></dl>`
  })
  return `<p>${text(record.description)}</p><p><code>crosshook add ${text(record.name)}</code></p>
<p>Licence: ${text(record.license)}${record.homepage === undefined ? '' : ` · <a rel="noopener nofollow" href="${text(record.homepage)}">${text(record.homepage)}</a>`}</p>
${versions.join('\n')}`
}

function idOf(signer: string): string {
  try {
    return parseSigner(signer).id
  } catch {
    return 'an unknown key'
  }
}

function page(title: string, body: string, up = ''): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color-scheme:light dark}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3em .6em;border-bottom:1px solid #8884;vertical-align:top}b{color:#b60}
dt{font-weight:600}</style></head>
<body>${up === '' ? '' : `<p><a href="${up}index.html">all packs</a></p>`}<h1>${text(title)}</h1>
${body}
</body></html>
`
}

function text(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
