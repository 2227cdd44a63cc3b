/** What every manager of packages can do: to the machine, and to crosshook's own package. */

import type { Call, Done, Effect, Programs } from '../program.ts'

export const forMachine = (why: string): Done => ({ does: 'install', place: 'machine', why })
export const removesFromMachine = (why: string): Done => ({ does: 'delete', place: 'machine', why })

export function ofOwnPackage(rows: Programs): Programs {
  return Object.fromEntries(
    Object.entries(rows).map(([names, row]) => [
      names,
      { ...row, acts: (call: Call) => [...(row.acts?.(call) ?? []), ...changesOwn(call)] },
    ]),
  )
}

/** By whatever manager of packages, for the person or the machine: another version has other guards. */
export function changesOwn({ args }: Call): readonly Effect[] {
  if (!args.some(({ text }) => /^crosshook(?:@.*|[=<>~].*)?$/.test(text))) return []
  const has = (test: RegExp) => args.some(({ text }) => test.test(text))
  const removes = has(/^(?:uninstall|remove|purge|autoremove|erase|-[rRP]\w*|--purge|--remove)$/)
  const replaces =
    has(/^(?:-g|--global|global)$/) && has(/^(?:install|i|add|update|up|upgrade|link|rm|un|r)$/)
  return removes || replaces ? [{ does: 'change_guards', why: 'replaces or removes crosshook' }] : []
}
