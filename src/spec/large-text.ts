/** Texts of megabytes that most hooks never look at: a field may hold one as a promise to read it, kept when somebody asks. */

type Fields = Record<string, unknown>
type Read = () => string

/** Of an object with such fields: what reads each of them. */
const LATER = Symbol('read later')

interface Owner {
  [LATER]?: Map<string, Read>
}

/** `owner[field]` is what `read` gives, once somebody looks at it. */
export function postpone(owner: object, field: string, read: Read): void {
  const later = (owner as Owner)[LATER] ?? new Map<string, Read>()
  Object.defineProperty(owner, LATER, { value: later.set(field, read), configurable: true })
  Object.defineProperty(owner, field, accessorFor(field))
}

/** Is there a text that nobody has looked at yet? */
export function hasPostponed(owner: Owner): boolean {
  return (owner[LATER]?.size ?? 0) > 0
}

/** `to[name] = from[field]`, without looking at it. */
export function copyField(from: Fields & Owner, field: string, to: Fields, name: string): void {
  const read = from[LATER]?.get(field)
  if (read) postpone(to, name, read)
  // As a plain assignment it would change what the copy inherits.
  else if (name === '__proto__') hold(to, name, from[field])
  else to[name] = from[field]
}

/**
 * One for each name, whosever field it is: the shape of an object keeps hold of its accessors until memory is cleared
 * as a whole, and would keep the bytes of one that has the reader in it.
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
    if (accessors.size >= MOST_KNOWN) accessors.clear()
    accessors.set(field, known)
  }
  return known
}

const accessors = new Map<string, PropertyDescriptor>()
const MOST_KNOWN = 100

function hold<T>(owner: Owner, field: string, value: T): T {
  owner[LATER]?.delete(field)
  Object.defineProperty(owner, field, { value, writable: true, enumerable: true, configurable: true })
  return value
}
