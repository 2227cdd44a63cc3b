/**
 * A field may hold a text of megabytes undecoded: it is decoded when the field is first read. Most hooks never read it.
 * The slow twin is a plain field; bench/race.ts (a payload of 10 MB) shows the difference.
 */

type Fields = Record<string, unknown>
type Read = () => string

/** On an object with such fields: the function that reads each of them. */
const LATER = Symbol('read later')

interface Owner {
  [LATER]?: Map<string, Read>
}

/** Makes `owner[field]` return what `read` returns; called at the first access. */
export function postpone(owner: object, field: string, read: Read): void {
  const later = (owner as Owner)[LATER] ?? new Map<string, Read>()
  Object.defineProperty(owner, LATER, { value: later.set(field, read), configurable: true })
  Object.defineProperty(owner, field, accessorFor(field))
}

/** Does the object have an undecoded text? */
export function hasPostponed(owner: Owner): boolean {
  return (owner[LATER]?.size ?? 0) > 0
}

/** Is the field an undecoded text? */
export function isPostponed(owner: object, field: string): boolean {
  return (owner as Owner)[LATER]?.has(field) ?? false
}

/** `to[name] = from[field]`, without decoding it. */
export function copyField(from: Fields & Owner, field: string, to: Fields, name: string): void {
  const read = from[LATER]?.get(field)
  if (read) postpone(to, name, read)
  // A plain assignment to `__proto__` would change what the copy inherits.
  else if (name === '__proto__') hold(to, name, from[field])
  else to[name] = from[field]
}

/**
 * One accessor for each field name, shared by all objects: V8 keeps an object's accessors alive with its hidden class, so
 * an accessor that closed over the reader would keep the payload's bytes in memory.
 */
function accessorFor(field: string): PropertyDescriptor {
  let known = accessors.get(field)
  if (!known) {
    known = {
      enumerable: true,
      configurable: true,
      get(this: Owner) {
        return hold(this, field, this[LATER]?.get(field)?.())
      },
      set(this: Owner, value: unknown) {
        hold(this, field, value)
      },
    }
    if (accessors.size >= MAX_CACHED) accessors.clear()
    accessors.set(field, known)
  }
  return known
}

const accessors = new Map<string, PropertyDescriptor>()
const MAX_CACHED = 100

function hold<T>(owner: Owner, field: string, value: T): T {
  owner[LATER]?.delete(field)
  Object.defineProperty(owner, field, { value, writable: true, enumerable: true, configurable: true })
  return value
}
