/** The URL holds the state: the view, the item in it, the filters. */

import { computed, signal } from '@preact/signals'

const address = signal(new URL(location.href))

addEventListener('popstate', () => {
  address.value = new URL(location.href)
})

/** The first word of the path, such as `events`; empty for the first view. */
export const viewName = computed(() => decodeURIComponent(address.value.pathname.split('/')[1] ?? ''))
/** The rest of the path: the id of one item. */
export const thing = computed(() => {
  const rest = address.value.pathname.split('/').slice(2).join('/')
  return rest === '' ? undefined : decodeURIComponent(rest)
})
export const query = computed(() => Object.fromEntries(address.value.searchParams) as Query)

export type Query = Readonly<Record<string, string | undefined>>

export function link(view: string, id?: string, filters: Query = {}): string {
  const given = Object.entries(filters).filter((pair): pair is [string, string] => !!pair[1])
  const search = new URLSearchParams(given).toString()
  return `/${view}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search ? `?${search}` : ''}`
}

export function go(href: string, how: 'push' | 'replace' = 'push'): void {
  if (href === location.pathname + location.search) return
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', href)
  address.value = new URL(location.href)
}

/** Changes filters and keeps the rest of the address. An empty value removes the filter. */
export function filterBy(changes: Query, how: 'push' | 'replace' = 'replace'): void {
  go(link(viewName.value, thing.value, { ...query.value, ...changes }), how)
}

/** Links of this page change the address; with a modifier they open a tab, as everywhere. */
export function followLinks(event: MouseEvent): void {
  const anchor = (event.target as Element).closest?.('a[href^="/"]')
  if (!anchor || event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || anchor.hasAttribute('download'))
    return
  event.preventDefault()
  go(anchor.getAttribute('href')!)
  if (!anchor.closest('[data-keep-focus]')) document.getElementById('view')?.focus()
}
