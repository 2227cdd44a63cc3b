/**
 * Keys that documentation and public SDKs show as samples (those of Google's, in Firebase's repositories): known by their
 * ends, so that no scanner takes this file for a leak.
 */

const END = 14
const ENDS: ReadonlySet<string> = new Set([
  'eQCxoX-oo6YyIs',
  'OMitrUEke8agEM',
  '1QmyCgHIAODrlU',
  'N6nHZRR_znhrh0',
  'AqITYefhixbX4A',
  'P6GBdi_UUPwX7c',
  'jxcQ9CKctWmLd4',
  'mEkOPjjaXeDQgY',
  'wERLJv_a_p4wtM',
  't7Lt1sjmdnP5sQ',
  'seKRhhrOq1cS7g',
  'fqfd2AFnzAvvuU',
  'MFCu4MJmprNXsw',
  'uC5ucxaOi4FmqE',
  'oZ11srVL_n0nvY',
])

export function isPublishedKey(text: string): boolean {
  return ENDS.has(text.slice(-END))
}
