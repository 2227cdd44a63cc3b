import { defineConfig } from 'vitest/config'

/** The documentation site in a real browser: `npm run test:site`, after `npm run site`. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/site/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    pool: 'forks',
  },
})
