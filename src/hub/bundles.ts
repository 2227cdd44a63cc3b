/** Cache of recently requested archives: thousands of machines ask for the same one at the same time. */

export interface Bundles {
  get(
    tenant: string,
    digest: string,
    read: () => Promise<Uint8Array | undefined>,
  ): Promise<Uint8Array | undefined>
}

const MAX_KEPT = 20

export function createBundles(): Bundles {
  const kept = new Map<string, Promise<Uint8Array | undefined>>()
  return {
    get(tenant, digest, read) {
      const key = `${tenant}/${digest}`
      const known = kept.get(key)
      if (known) return known
      const reading = read()
      kept.set(key, reading)
      const forget = () => kept.get(key) === reading && kept.delete(key)
      reading.then((bytes) => bytes ?? forget(), forget)
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
      return reading
    },
  }
}
