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

const FOR_WHOM = ['/hook-authors', '/agent-builders', '/teams']

function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
    .replaceAll(' ', '-')
}

export default defineConfig({
  title: 'crosshook',
  description: 'Write an agent hook once, run it in every agent.',
  srcDir: 'content',
  outDir: 'dist',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // Anchors of headings are the same as on GitHub, where the same pages are read.
  markdown: { anchor: { slugify } },
  // The API reference is made by typedoc after this build, and checked by the browser test.
  ignoreDeadLinks: [/^\/api\//],
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      {
        text: 'For you',
        items: [
          { text: 'Hook authors', link: '/hook-authors' },
          { text: 'Agent builders', link: '/agent-builders' },
          { text: 'Teams', link: '/teams' },
        ],
      },
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
          ...pages('').filter(({ link }) => FOR_WHOM.includes(link)),
        ],
      },
      {
        text: 'Guides',
        items: pages('').filter(({ link }) => ![...FOR_WHOM, '/cookbook'].includes(link)),
      },
      { text: 'Reference', items: pages('reference') },
      { text: 'crosshook in …', collapsed: true, items: pages('in') },
    ],
  },
})
