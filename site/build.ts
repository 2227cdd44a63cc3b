/** The documentation site in one command: content from docs/, pages for each agent, VitePress, and the API by typedoc. */

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const root = process.env.CROSSHOOK_ROOT ?? join(here, '..')
const content = join(here, 'content')
const REPOSITORY = 'https://github.com/crosshook/crosshook/blob/main'

if (!existsSync(join(here, 'node_modules')))
  // Not `ci`: it wants every platform's package of the bundler in the lock file, and npm leaves some out.
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: here,
    stdio: 'inherit',
  })
rmSync(content, { recursive: true, force: true })
cpSync(join(root, 'docs'), content, { recursive: true })
for (const page of pagesIn(content)) edit(page, (text) => withLinks(text, 'docs'))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
writeFileSync(join(content, 'index.md'), withLinks(readme, '').replaceAll('](docs/', ']('))
agentPages()
cpSync(join(root, 'schemas'), join(content, 'public/schemas'), { recursive: true })
execFileSync('npx', ['vitepress', 'build'], { cwd: here, stdio: 'inherit' })
execFileSync(
  'npx',
  [
    'typedoc',
    ...['--out', join(here, 'dist/api'), '--name', 'crosshook', '--readme', 'none', '--skipErrorChecking'],
    ...['--tsconfig', join(here, 'tsconfig.json'), '--logLevel', 'Error'],
    ...['index', 'client', 'testing', 'spec/index'].map((name) => join(root, `dist/lib/${name}.d.ts`)),
  ],
  { cwd: here, stdio: 'inherit' },
)

function pagesIn(folder: string): string[] {
  return execFileSync('find', [folder, '-name', '*.md'], { encoding: 'utf8' }).trim().split('\n')
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

/** Makes links to files outside the site point to the repository, and escapes angle brackets outside of code. */
function withLinks(text: string, folder: string): string {
  return text
    .replace(/\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)/g, (link, path: string, anchor = '') => {
      const target = join('/', folder, path).slice(1)
      if (/^docs\/.*\.(?:md|png)$/.test(target)) return link
      return `](${REPOSITORY}/${target}${anchor})`
    })
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(/<(?!!--|\/?(?:br|details|summary))/g, '&lt;').replaceAll('{{', '&#123;&#123;'),
    )
    .join('')
}

/** "crosshook in Cursor": how to install it, what the agent can do, and what it cannot. */
function agentPages(): void {
  const folder = join(content, 'in')
  mkdirSync(folder)
  const page = readFileSync(join(root, 'docs/agents.md'), 'utf8')
  for (const section of page.split(/^## /m).slice(1)) {
    const title = section.slice(0, section.indexOf('\n'))
    const id = /`crosshook install ([\w-]+)`/.exec(section)?.[1]
    if (id === undefined) continue
    const body = section.slice(section.indexOf('\n') + 1)
    const text = `# crosshook in ${title}\n\n\`\`\`\nnpm i -g crosshook\ncrosshook setup --agent ${id}\ncrosshook check 'rm -rf ~' --agent ${id}\n\`\`\`\n\n\`crosshook doctor ${id}\` proves it, \`crosshook uninstall ${id}\` takes it out again.\n${body}`
    writeFileSync(join(folder, `${id}.md`), withLinks(text, 'docs/in'))
  }
}
