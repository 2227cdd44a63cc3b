/** The dialect whose settings the daemon's API takes and gives. */

export { checkSettings, redactedView, write } from './kheish/config.ts'
export { definitions, type Settings } from './kheish/schema.ts'
