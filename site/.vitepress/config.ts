/** The site is made from `content`, which build.ts fills from docs/, the gallery and the README. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'

const content = join(import.meta.dirname, '../content')

/** Pages of a folder with their own titles. */
function pages(folder: string): { text: string; link: string }[] {
  return readdirSync(join(content, folder))
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .sort()
    .map((name) => {
      const text = /^# (.+)$/m.exec(readFileSync(join(content, folder, name), 'utf8'))?.[1] ?? name
      return { text: text.replaceAll('`', ''), link: `/${folder}${folder && '/'}${name.slice(0, -3)}` }
    })
}

export default defineConfig({
  title: 'crosshook',
  description: 'Write an agent hook once, run it in every agent.',
  srcDir: 'content',
  outDir: 'dist',
  cleanUrls: true,
  // The API reference is made by typedoc after this build, and checked by the browser test.
  ignoreDeadLinks: [/^\/api\//],
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Guides', link: '/cli' },
      { text: 'Cookbook', link: '/cookbook' },
      { text: 'Agents', link: '/agents' },
      { text: 'Reference', link: '/reference/hook-md' },
      { text: 'API', link: '/api/', target: '_self' },
    ],
    sidebar: [
      {
        text: 'Begin',
        items: [
          { text: 'Two minutes', link: '/' },
          { text: 'Cookbook', link: '/cookbook' },
        ],
      },
      { text: 'Guides', items: pages('') },
      { text: 'Reference', items: pages('reference') },
      { text: 'crosshook in …', collapsed: true, items: pages('in') },
    ],
  },
})
