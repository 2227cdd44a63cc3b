/** Where everybody gets packages from: the registries of languages, and public mirrors of them. */

import type { Effect } from './program.ts'
import type { Word } from './word.ts'

const KNOWN =
  /^(?:sparse\+)?https:\/\/(?:(?:test\.|files\.)?pypi\.org|registry\.npmjs\.(?:org|com)|registry\.yarnpkg\.com|registry\.npmmirror\.com|registry\.npm\.taobao\.org|npm\.jsr\.io|download\.pytorch\.org|pypi\.nvidia\.com|pypi\.(?:tuna\.tsinghua|mirrors\.ustc)\.edu\.cn|mirrors\.(?:tuna\.tsinghua\.edu\.cn|ustc\.edu\.cn|aliyun\.com|cloud\.tencent\.com|huaweicloud\.com)|rubygems\.org|index\.rubygems\.org|proxy\.golang\.org|goproxy\.(?:cn|io)|index\.crates\.io|rsproxy\.cn|dl\.google\.com|huggingface\.co)(?:[:/]|$)/

export function isKnownIndex(text: string): boolean {
  return KNOWN.test(text)
}

/** Packages that come from another place than those, or than this machine. */
export function ofIndexes(indexes: readonly Word[]): Effect[] {
  return indexes
    .filter(
      ({ text }) => !isKnownIndex(text) && !/^(?:file:|[./~]|https?:\/\/(?:localhost|127\.))/.test(text),
    )
    .map((host) => ({ does: 'install', place: 'remote', host, why: 'packages of another registry' }))
}
