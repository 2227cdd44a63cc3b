/** The guard that tests of `install --portable` put into a repository. */
export const PORTABLE_HOOK = `---
name: no-delete
description: Deletes nothing.
trigger: before_tool
matcher:
  does: delete
on_failure: closed
outcome:
  decision: deny
  reason: not in this repository
---
`
