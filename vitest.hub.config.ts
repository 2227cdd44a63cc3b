import { defineConfig } from 'vitest/config'

/** Tests that need PostgreSQL: `npm run test:hub`. */
export default defineConfig({
  test: {
    include: ['test/hub/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 1,
  },
})
