import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Packs against real servers, attacks, kills and scale: `npm run test:share`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/share/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
