import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The packages as npm packs and installs them: `npm run test:release`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/release/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A condition that tests wait for may take long on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
  },
})
